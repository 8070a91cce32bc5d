// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;

/**
 * Room kept free on every file system of a tier, for its other users and for writers that exceed
 * their estimate: a share of the file system, or a number of bytes.
 */
@AutoValue
public abstract class Reserve {

  /** Inodes kept free where the reserve is given in bytes and so says nothing of them. */
  private static final double INODE_FRACTION_FOR_BYTES = 0.01;

  /** The largest share that may be reserved, so that a dir still takes files. */
  private static final double MOST = 0.95;

  /** The default: 15 %, so that spilling starts before YARN drops a disk at 90 % use. */
  public static final Reserve DEFAULT = Reserve.of(0.15, 0);

  /** Share of the total bytes and inodes, 0 to 1; 0 when {@link #bytes} is set. */
  public abstract double fraction();

  public abstract long bytes();

  public static Reserve of(double fraction, long bytes) {
    return new AutoValue_Reserve(fraction, bytes);
  }

  public static Reserve ofFraction(double fraction) {
    return Reserve.of(fraction, 0);
  }

  public static Reserve ofBytes(long bytes) {
    return Reserve.of(0, bytes);
  }

  /**
   * Parses a reserve: a percentage such as {@code 15%}, or a size such as {@code 20g}.
   *
   * @throws IllegalArgumentException with a text for operators when {@code text} is neither, is
   *     over 95 %, or is a bare number up to 100, which nobody means in bytes
   */
  public static Reserve parse(String text) {
    String trimmed = text.trim();
    if (trimmed.endsWith("%")) {
      double fraction = Sizes.parsePercent(trimmed);
      if (fraction > MOST) {
        throw new IllegalArgumentException(
            Quoted.of(text) + " is more than 95%: no file would have room");
      }
      return ofFraction(fraction);
    }
    long bytes = Sizes.parse(trimmed);
    if (bytes > 0 && bytes <= 100 && Character.isDigit(trimmed.charAt(trimmed.length() - 1))) {
      throw new IllegalArgumentException(
          Quoted.of(text)
              + " would be "
              + bytes
              + " bytes: write "
              + trimmed
              + "% or a size such as 20g");
    }
    return ofBytes(bytes);
  }

  public long bytesOf(long totalBytes) {
    return fraction() > 0 ? (long) (fraction() * totalBytes) : bytes();
  }

  /** The share to keep free, 0 to 1; 1 for a number of bytes where the total is not known. */
  public double fractionOf(long totalBytes) {
    return bytes() == 0
        ? fraction()
        : totalBytes > 0 ? Math.min(1, (double) bytes() / totalBytes) : 1;
  }

  public long inodesOf(long totalInodes) {
    return (long) ((bytes() > 0 ? INODE_FRACTION_FOR_BYTES : fraction()) * totalInodes);
  }

  @Override
  public final String toString() {
    return bytes() > 0
        ? bytes() + " bytes"
        : String.format(java.util.Locale.ROOT, "%.4g%%", fraction() * 100);
  }
}
