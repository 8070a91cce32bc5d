// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/**
 * One dir as placement sees it at one moment.
 *
 * @param dir the dir
 * @param headroomBytes bytes a new file may have: usable, less reserve and claims, within the cap;
 *     negative beyond the watermark
 * @param usableBytes bytes the file system would still take, whatever is reserved or claimed
 * @param refusal why the dir takes nothing at all now ({@link Reason#INODES}, {@link
 *     Reason#SET_ASIDE}) or which bound the headroom comes from ({@link Reason#FULL}, {@link
 *     Reason#CAP})
 * @param busyBytes how busy its disk is, to be compared within its tier: what any process claimed
 *     in the dir and did not write yet, and the disk's recent traffic where that is known
 */
public record DirState(
    LocalDir dir, long headroomBytes, long usableBytes, Reason refusal, long busyBytes) {
  /** A dir that nobody is writing to. */
  public DirState(LocalDir dir, long headroomBytes, long usableBytes, Reason refusal) {
    this(dir, headroomBytes, usableBytes, refusal, 0);
  }

  /** The same, on a disk that has so much more to do; the sum is bounded by the largest number. */
  public DirState busierBy(long bytes) {
    long sum = busyBytes > Long.MAX_VALUE - bytes ? Long.MAX_VALUE : busyBytes + bytes;
    return new DirState(dir, headroomBytes, usableBytes, refusal, sum);
  }

  /** Whether a file of {@code bytes} fits now. Like stock, an exact fit is none. */
  public boolean holds(long bytes) {
    return headroomBytes > bytes;
  }
}
