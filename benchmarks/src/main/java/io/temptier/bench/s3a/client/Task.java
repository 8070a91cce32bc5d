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
package io.temptier.bench.s3a.client;

import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Something that can be asked of an arm. */
@FunctionalInterface
interface Task {
  /**
   * Does it.
   *
   * @param folder where the run's data is
   * @param count how much
   * @param random seeded
   * @return the bytes that were wanted: read, or written
   * @throws Exception when it fails, or what it read is wrong
   */
  long run(FileSystem fs, Path folder, long count, Random random) throws Exception;
}
