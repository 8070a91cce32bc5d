// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the reports of a helper from a pipe, without waiting for any. The container executor speaks
 * first: what it says is kept for people, up to a bound, until the helper greets.
 *
 * <p>For one thread at a time.
 */
final class ReportReader {
  private static final int LONGEST_PREAMBLE = 8192;
  private static final String GREETING = "\n" + HelperReport.GREETING + "\n";

  private final InputStream pipe;
  private final byte[] record = new byte[HelperReport.BYTES];
  private int filled;
  private boolean greeted;

  ReportReader(InputStream pipe) {
    this.pipe = pipe;
  }

  /** Whether the helper has begun to speak for itself. */
  boolean greeted() {
    return greeted;
  }

  /**
   * The next report, where all of it is there.
   *
   * @throws HelperException when the pipe fails, or holds something else
   */
  Optional<HelperReport> poll() throws HelperException {
    try {
      while (pipe.available() > 0) {
        // Byte by byte until it has greeted: what comes next is a report.
        int room = greeted ? record.length - filled : 1;
        filled += Math.max(0, pipe.read(record, filled, Math.min(room, pipe.available())));
        if (!greeted) {
          greet();
        } else if (filled == record.length) {
          filled = 0;
          return Optional.of(HelperReport.decode(record));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new HelperException(String.valueOf(e.getMessage()), e);
    }
  }

  private void greet() throws HelperException {
    if (("\n" + said()).endsWith(GREETING)) {
      greeted = true;
      filled = 0;
    } else if (filled == LONGEST_PREAMBLE) {
      throw new HelperException("it does not come to the point" + preamble());
    }
  }

  private String said() {
    int from = Math.max(0, filled - LONGEST_PREAMBLE);
    return new String(record, from, filled - from, StandardCharsets.ISO_8859_1);
  }

  /** What was said before the greeting, to go on with in a message; empty when nothing was. */
  String preamble() {
    String text = greeted ? "" : said();
    return text.trim().isEmpty() ? "" : ", having said: " + HelperReport.plain(text);
  }
}
