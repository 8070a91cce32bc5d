// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.util.Map;
import java.util.TreeMap;

/**
 * What was seen in one interval.
 *
 * @param seconds since the job was submitted, at its end
 * @param cpu share of all cores, 0 to 1, that worked for programs or the kernel
 * @param ioWait share of all cores that idled while something waited for a disk
 * @param tempBytes bytes in local dirs on the fast disk, and on the HDDs
 */
public record NodeSample(
    double seconds, double cpu, double ioWait, Map<String, DiskRate> disks, TempBytes tempBytes) {
  public NodeSample {
    disks = new TreeMap<>(disks);
  }

  public record TempBytes(long fast, long slow) {
    public long all() {
      return fast + slow;
    }
  }

  /**
   * What a disk did in a moment.
   *
   * @param busy 0 to 1: of a throttled disk the share of what it may do, of another the share of
   *     time it had a request in work
   */
  public record DiskRate(double readMbps, double writtenMbps, double busy) {
    public double mbps() {
      return readMbps + writtenMbps;
    }
  }
}
