// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.demotion.asuser.HelperSession.HelperException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a helper says, on its standard output. Each report fills a pipe, so that a helper is never
 * more than one ahead of the NodeManager, which reads the next when the next part may be copied. It
 * is an error to a helper that says something when its NodeManager is gone.
 *
 * <p>The NodeManager believes none of it: what a user's process says costs that user only.
 */
@AutoValue
public abstract class HelperReport {

  /** The size of a pipe. */
  public static final int BYTES = 64 << 10;

  /** The line before the first report; what stands above it is the container executor's. */
  private static final String GREETING = "\ntemptier-helper-1\n";

  private static final int LONGEST_TEXT = 500;

  /** The number of the order it is about; 0 before there was one. */
  public abstract long order();

  public abstract Kind kind();

  /** More of it, for people but for {@link Kind#READY}. */
  public abstract String text();

  public static HelperReport of(long order, Kind kind, String text) {
    return new AutoValue_HelperReport(order, kind, text);
  }

  /** What may happen. */
  public enum Kind {
    /** All leftovers were removed, and orders can come; the text is how many files they were. */
    READY,
    /** A part is about to be copied. */
    PART,
    /** The output was moved. */
    MOVED,
    /** The dir that it is to leave has no room for the link: nothing was done. */
    FULL,
    /** It was not to be moved, or not on. */
    STOPPED,
    /** An error. */
    FAILED
  }

  /** Says that from now on there are reports. */
  public static void greet(OutputStream out) throws IOException {
    out.write(GREETING.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reports, and waits until the NodeManager has heard of what was reported before. For one thread.
   *
   * @param out has no buffer of its own
   * @throws IOException when the NodeManager is gone
   */
  public void send(OutputStream out) throws IOException {
    byte[] said = (order() + " " + kind() + " " + plain(text())).getBytes(StandardCharsets.UTF_8);
    byte[] record = Arrays.copyOf(said, BYTES);
    Arrays.fill(record, said.length, BYTES, (byte) ' ');
    out.write(record);
  }

  /**
   * Reads one.
   *
   * @throws IOException when it is none
   */
  private static HelperReport decode(byte[] record) throws IOException {
    String said = new String(record, 0, 4 * LONGEST_TEXT, StandardCharsets.UTF_8);
    String[] words = said.trim().split(" ", 3);
    try {
      return of(
          Long.parseLong(words[0]),
          Kind.valueOf(words[1]),
          words.length < 3 ? "" : plain(words[2]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("it said what is no report: " + plain(words[0]), e);
    }
  }

  /** Text that goes into a log: nobody may break a line there, or fill it. */
  static String plain(String text) {
    String bounded = text.substring(0, Math.min(LONGEST_TEXT, text.length()));
    return bounded.replaceAll("[^ -~]+", " ").trim();
  }

  /**
   * Reads the reports of a helper from a pipe, without waiting for any. The container executor
   * speaks first: what it says is kept for people, up to a bound, until the helper greets.
   *
   * <p>For one thread at a time.
   */
  static final class Reader {
    private static final int LONGEST_PREAMBLE = 8192;

    private final InputStream pipe;
    private final byte[] record = new byte[BYTES];
    private int filled;
    private boolean greeted;

    Reader(InputStream pipe) {
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
        for (int there = pipe.available(); there > 0; there = pipe.available()) {
          // Byte by byte until it has greeted: what comes next is a report.
          int room = greeted ? record.length - filled : 1;
          filled += Math.max(0, pipe.read(record, filled, Math.min(room, there)));
          if (greeted && filled == record.length) {
            filled = 0;
            return Optional.of(decode(record));
          } else if (!greeted && said().endsWith(GREETING)) {
            greeted = true;
            filled = 0;
          } else if (!greeted && filled == LONGEST_PREAMBLE) {
            throw new HelperException("it does not come to the point" + preamble());
          }
        }
        return Optional.empty();
      } catch (IOException e) {
        throw new HelperException(String.valueOf(e.getMessage()), e);
      }
    }

    private String said() {
      return new String(record, 0, filled, StandardCharsets.ISO_8859_1);
    }

    /** What was said before the greeting, to go on with in a message; empty when nothing was. */
    String preamble() {
      String text = greeted ? "" : said();
      return text.trim().isEmpty() ? "" : ", having said: " + plain(text);
    }
  }
}
