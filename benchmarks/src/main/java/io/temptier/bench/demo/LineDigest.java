// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Tells whether sorted lines are the lines that went in: how many there are, and a sum of their
 * hashes that does not depend on their order. Lines end where Hadoop's text input ends them: at LF,
 * CR LF or CR. Each byte is taken for a character, so that they compare as bytes do. Not thread
 * safe.
 */
final class LineDigest {
  /** Takes no part in UTF-8, so that it can part a line from an empty value. */
  static final char SEPARATOR = 0xFF;

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final String end;
  private String previous = "";
  private long lines;
  private long hashes;
  private boolean sorted = true;
  private boolean separatorSeen;

  /**
   * An empty digest.
   *
   * @param end what every line ends in that is no part of it, such as the tab by which
   *     TextOutputFormat parts a key from an empty value
   */
  LineDigest(String end) {
    this.end = end;
  }

  /** Takes all lines of a stream, which is not closed. */
  void add(InputStream in) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      add(line);
    }
  }

  private void add(String line) {
    separatorSeen |= line.indexOf(SEPARATOR) >= 0;
    // An end that is missing makes the line another one, as it should.
    String text = line.endsWith(end) ? line.substring(0, line.length() - end.length()) : line;
    sorted &= previous.compareTo(text) <= 0;
    previous = text;
    long hash = FNV_BASIS;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    // FNV's low bits are linear in the last bytes; a sum of mixed hashes is not.
    hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
    hashes += hash ^ (hash >>> 29);
    lines++;
  }

  /** Forgets the last line, so that the next stream may begin with a smaller one. */
  void nextPart() {
    previous = "";
  }

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
}
