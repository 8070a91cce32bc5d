// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.tier.text.Sizes;

/**
 * Node to emulate.
 *
 * @param fastBytes the size of the fast disk, which is as fast as the machine is
 * @param memoryBytes what all processes of the node may use, page cache included
 */
public record NodeSpec(
    int hdds, DiskSpeed hddSpeed, long hddBytes, long fastBytes, long memoryBytes) {
  /** More loop devices than most kernels have at once. */
  private static final int MAX_HDDS = 12;

  /** Less is no room for a file system with a journal. */
  private static final long MIN_DISK_BYTES = 16L << 20;

  public NodeSpec {
    if (hdds < 1 || hdds > MAX_HDDS) {
      throw new IllegalArgumentException("hdds=" + hdds + " is not between 1 and " + MAX_HDDS);
    }
    if (hddBytes < MIN_DISK_BYTES || fastBytes < MIN_DISK_BYTES) {
      throw new IllegalArgumentException(
          "hddBytes=%s and fastBytes=%s must be at least %s"
              .formatted(hddBytes, fastBytes, MIN_DISK_BYTES));
    }
    if (memoryBytes < MIN_DISK_BYTES) {
      throw new IllegalArgumentException(
          "memoryBytes=" + memoryBytes + " must be at least " + MIN_DISK_BYTES);
    }
  }

  public long imageBytes() {
    return hdds * hddBytes + fastBytes;
  }

  @Override
  public String toString() {
    return "%s of %s, %s; a fast disk of %s; memory with page cache %s"
        .formatted(
            hdds + (hdds == 1 ? " HDD" : " HDDs"),
            Sizes.format(hddBytes),
            hddSpeed,
            Sizes.format(fastBytes),
            Sizes.format(memoryBytes));
  }
}
