// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Tells whether sorted lines are the lines that went in: how many there are, and a sum of their
 * hashes that does not depend on their order. Lines end where Hadoop's text input ends them: at LF,
 * CR LF or CR. Not thread safe.
 */
final class LineDigest {
  /** Takes no part in UTF-8, so that it can part a line from an empty value. */
  static final int SEPARATOR = 0xFF;

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final boolean trailingTab;
  private byte[] line = new byte[1 << 10];
  private byte[] previous = new byte[0];
  private int length;
  private long lines;
  private long hashes;
  private boolean sorted = true;
  private boolean separatorSeen;

  /**
   * An empty digest.
   *
   * @param trailingTab whether every line ends in a tab that is no part of it, which is how
   *     TextOutputFormat writes a key with an empty value
   */
  LineDigest(boolean trailingTab) {
    this.trailingTab = trailingTab;
  }

  /** Takes all lines of a stream, which is not closed. */
  void add(InputStream in) throws IOException {
    InputStream buffered = new BufferedInputStream(in, 1 << 16);
    int last = -1;
    int b;
    while ((b = buffered.read()) >= 0) {
      if (b == '\n' && last == '\r') {
        last = b;
        continue;
      }
      last = b;
      if (b == '\n' || b == '\r') {
        endLine();
        continue;
      }
      separatorSeen |= b == SEPARATOR;
      if (length == line.length) {
        line = Arrays.copyOf(line, 2 * length);
      }
      line[length++] = (byte) b;
    }
    if (length > 0) {
      endLine();
    }
  }

  /** Forgets the last line, so that the next stream may begin with a smaller one. */
  void nextPart() {
    previous = new byte[0];
  }

  /** How many lines there were. */
  long lines() {
    return lines;
  }

  /** Whether every line of a part was at least its predecessor, by unsigned bytes. */
  boolean sorted() {
    return sorted;
  }

  /** Whether a line holds {@link #SEPARATOR}. */
  boolean separatorSeen() {
    return separatorSeen;
  }

  /** Whether the other saw the same lines, in any order. */
  boolean sameLines(LineDigest other) {
    return lines == other.lines && hashes == other.hashes;
  }

  private void endLine() {
    // A tab that is missing makes the line another one, as it should.
    boolean tab = trailingTab && length > 0 && line[length - 1] == '\t';
    byte[] current = Arrays.copyOf(line, tab ? length - 1 : length);
    sorted &= Arrays.compareUnsigned(previous, current) <= 0;
    previous = current;
    long hash = FNV_BASIS;
    for (byte b : current) {
      hash = (hash ^ b) * FNV_PRIME;
    }
    // FNV's low bits are linear in the last bytes; a sum of mixed hashes is not.
    hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
    hashes += hash ^ (hash >>> 29);
    lines++;
    length = 0;
  }
}
