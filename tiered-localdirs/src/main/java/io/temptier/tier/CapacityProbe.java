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
package io.temptier.tier;

import java.io.IOException;
import java.nio.file.Path;

/** Asks the kernel how full a dir's file system is. Tests put a double here. */
@FunctionalInterface
public interface CapacityProbe {
  /**
   * Capacity of the file system that holds {@code dir}. Cheap enough for every placement.
   *
   * @throws IOException when the dir is missing or its file system does not answer
   */
  Capacity probe(Path dir) throws IOException;
}
