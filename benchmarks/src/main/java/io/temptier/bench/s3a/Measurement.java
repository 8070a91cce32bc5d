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
package io.temptier.bench.s3a;

/**
 * One arm, one pattern, one round.
 *
 * @param seconds that it took
 * @param bytes that the reader or writer wanted
 * @param storeBytes that the stream took from the store for them, 0 when it does not say
 * @param requests for objects that it took, 0 when that is not known
 */
record Measurement(double seconds, long bytes, long storeBytes, long requests) {}
