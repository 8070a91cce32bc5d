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
package io.temptier.shuffle;

import java.nio.file.Path;

/**
 * One reducer's part of a map output.
 *
 * @param id the output
 * @param partition the reducer's number
 * @param partitions how many the output has
 * @param data the data file
 * @param dataKey of that file, to know it again
 * @param lane the way to its device
 * @param offset where the segment begins in the file, in bytes
 * @param length its bytes in the file, compressed and with checksums
 * @param rawLength its bytes uncompressed
 * @param runStart where the partitions before it begin that nobody fetched yet, in bytes
 * @param runEnd where those after it end: what is read around the segment between the two will be
 *     asked for soon
 * @param warm what of the file was brought into the page cache
 */
record Segment(
    MapOutputId id,
    int partition,
    int partitions,
    Path data,
    Object dataKey,
    DeviceLane lane,
    long offset,
    long length,
    long rawLength,
    long runStart,
    long runEnd,
    WarmBlocks warm) {
  /** Where it ends in the file, in bytes. */
  long end() {
    return offset + length;
  }
}
