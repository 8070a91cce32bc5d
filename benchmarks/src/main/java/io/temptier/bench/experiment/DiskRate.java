// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

/**
 * What a disk did in a moment.
 *
 * @param readMbps MB/s read
 * @param writtenMbps MB/s written
 * @param busy 0 to 1: of a throttled disk the share of what it may do, of another the share of time
 *     it had a request in work
 */
public record DiskRate(double readMbps, double writtenMbps, double busy) {
  /** Both ways. */
  public double mbps() {
    return readMbps + writtenMbps;
  }
}
