// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

/**
 * What a file system reports of itself.
 *
 * @param totalBytes its size
 * @param usableBytes what an ordinary user may still write
 * @param totalInodes inodes it was made with; 0 when it makes them as needed or does not say
 * @param freeInodes inodes left
 */
public record Capacity(long totalBytes, long usableBytes, long totalInodes, long freeInodes) {
  /** Whether no file can be made, however many bytes there are. */
  public boolean inodesGone() {
    return totalInodes > 0 && freeInodes <= 0;
  }
}
