// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Copies what a file holds, part by part, so that readers of both disks are not held up. */
public final class PacedCopy {
  /** Written but not yet on the disk at most so much, or one flush would hold up readers. */
  private static final long FLUSH_BYTES = 32L << 20;

  /** Is asked before each part and told after it. */
  public interface Parts {
    /** Waits until {@code bytes} may be written, or throws to end the copy. */
    void before(long bytes) throws IOException;

    /** A part was written. */
    default void after() throws IOException {}
  }

  private PacedCopy() {}

  /**
   * Copies from the beginning of one file to the end of another. What was written last may not be
   * on the disk yet.
   *
   * @param bytes how many
   * @param partBytes the most to write at once
   * @return whether there were so many; false when the file became shorter
   */
  public static boolean copy(
      FileChannel in, FileChannel out, long bytes, int partBytes, Parts parts) throws IOException {
    long flushed = 0;
    for (long at = 0; at < bytes; ) {
      long part = Math.min(partBytes, bytes - at);
      parts.before(part);
      long copied = in.transferTo(at, part, out);
      if (copied <= 0) {
        return false;
      }
      at += copied;
      if (at - flushed >= FLUSH_BYTES) {
        out.force(false);
        flushed = at;
      }
      parts.after();
    }
    return true;
  }
}
