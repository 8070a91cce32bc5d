// SPDX-License-Identifier: Apache-2.0
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
