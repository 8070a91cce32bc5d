// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

/**
 * Speed of a disk, each way by itself. One request is at most 1.25 MB or so, hence a disk reads in
 * order at the smaller of the rate and {@code iops} times that.
 *
 * @param mbPerSecond millions of bytes per second
 */
public record DiskSpeed(int mbPerSecond, int iops) {
  public DiskSpeed {
    if (mbPerSecond < 1 || iops < 1) {
      throw new IllegalArgumentException(
          "mbPerSecond=" + mbPerSecond + " and iops=" + iops + " must be at least 1");
    }
  }

  public long bytesPerSecond() {
    return mbPerSecond * 1_000_000L;
  }

  @Override
  public String toString() {
    return mbPerSecond + " MB/s, " + iops + " IOPS";
  }
}
