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
package io.temptier.bench.shuffle;

/**
 * One partition of one map output, as it must arrive.
 *
 * @param map its attempt
 * @param partition its reducer
 * @param rawLength bytes before compression
 * @param partLength bytes in the file
 * @param crc CRC-32C of those
 */
record Segment(String map, int partition, long rawLength, int partLength, int crc) {
  /** The same segment of another attempt with the same output. */
  Segment of(String attempt) {
    return new Segment(attempt, partition, rawLength, partLength, crc);
  }
}
