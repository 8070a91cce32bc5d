/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.hadoop;

import io.temptier.tier.KernelClassifier.Classification;
import io.temptier.tier.LocalDir;

/**
 * A configured dir and what the host says of it.
 *
 * @param dir the dir as placement will see it
 * @param kernel what the kernel says it lies on
 * @param totalBytes size of its file system; not positive when unknown
 */
record NodeDir(LocalDir dir, Classification kernel, long totalBytes) {}
