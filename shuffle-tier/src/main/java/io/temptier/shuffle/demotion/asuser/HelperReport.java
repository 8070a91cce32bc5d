// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Strings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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
  static final String GREETING = "temptier-helper-1";

  private static final int LONGEST_TEXT = 500;

  /** The number of the order it is about; 0 before there was one. */
  public abstract long order();

  /** What happened. */
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
    out.write((GREETING + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reports, and waits until the NodeManager has heard of what was reported before. For one thread.
   *
   * @param out has no buffer of its own
   * @throws IOException when the NodeManager is gone
   */
  public void send(OutputStream out) throws IOException {
    out.write(encode());
  }

  private byte[] encode() {
    String line = Strings.lines(text()).findFirst().orElse("");
    String bounded = line.substring(0, Math.min(LONGEST_TEXT, line.length()));
    byte[] said = (order() + " " + kind() + " " + bounded + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] record = Arrays.copyOf(said, BYTES);
    Arrays.fill(record, said.length, BYTES, (byte) ' ');
    return record;
  }

  /**
   * Reads one.
   *
   * @throws IOException when it is none
   */
  static HelperReport decode(byte[] record) throws IOException {
    String start = new String(record, 0, 4 * LONGEST_TEXT, StandardCharsets.UTF_8);
    String[] words = Strings.lines(start).findFirst().orElse("").split(" ", 3);
    try {
      return HelperReport.of(
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
}
