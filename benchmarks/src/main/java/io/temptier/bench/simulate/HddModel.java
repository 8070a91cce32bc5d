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
package io.temptier.bench.simulate;

import io.temptier.bench.testbed.DiskSpeed;

/**
 * The HDDs of a node, by how long one of them is at work. Each request takes a turn of the arm,
 * since other readers and writers come in between: as long as the disk's requests a second leave
 * it. Its bytes come on top, at the disk's MB/s.
 *
 * @param count of a node
 * @param speed of each
 * @param readAheadBytes what the kernel reads at a time of a file that is read in order
 * @param handler who sends map outputs to reducers
 * @param cacheBytes the node's page cache: what was written since so many bytes is read from memory
 */
record HddModel(int count, DiskSpeed speed, long readAheadBytes, Handler handler, long cacheBytes) {
  /** What write-back sends at a time. */
  private static final double WRITE_BYTES = 1 << 20;

  /** Of a window of a megabyte, what a pass over all partitions needs on average. */
  private static final double WINDOW_BYTES = 700 << 10;

  /** How a segment is read from an HDD. */
  enum Handler {
    /** By itself, as far as readahead goes at a time. */
    STOCK,
    /** In windows that run on over the segments behind it. */
    TEMPTIER
  }

  /** Time to write so many bytes in order. */
  double writeMillis(long bytes) {
    return millis(Math.ceil(bytes / WRITE_BYTES), bytes);
  }

  /** Time to read so many bytes in order. */
  double readMillis(long bytes) {
    return millis(Math.ceil((double) bytes / readAheadBytes), bytes);
  }

  /**
   * Time to read one partition of a map output.
   *
   * @param bytes of the partition
   */
  double fetchMillis(long bytes) {
    return handler == Handler.STOCK ? readMillis(bytes) : millis(bytes / WINDOW_BYTES, bytes);
  }

  private double millis(double requests, long bytes) {
    return 1e3 * requests / speed.iops() + bytes / (1e3 * speed.mbPerSecond());
  }
}
