// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.jobhistory.EventType;

/**
 * The text of a {@code .jhist} file, an event a line, without events of types that this Hadoop does
 * not know: its parser would end at the first of them, as at one of a newer Hadoop's. For one
 * thread; closes nothing.
 */
final class KnownEvents extends InputStream {
  private static final Pattern EVENT = Pattern.compile("\\s*\\{\\s*\"type\"\\s*:\\s*\"(\\w+)\".*");

  /** Before the events come the version and the schema, which looks like one. */
  private static final int HEAD_LINES = 2;

  private static final Set<String> KNOWN =
      Arrays.stream(EventType.values()).map(EventType::name).collect(Collectors.toSet());

  private final BufferedReader lines;
  private final Map<String, Integer> passedOver = new TreeMap<>();
  private byte[] line = {};
  private int lineNumber;
  private int at;

  KnownEvents(InputStream text) {
    lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
  }

  /** How many events of which unknown types were passed over so far. */
  Map<String, Integer> passedOver() {
    return passedOver;
  }

  @Override
  public int read() throws IOException {
    return fill() ? line[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    if (most == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int length = Math.min(most, line.length - at);
    System.arraycopy(line, at, into, from, length);
    at += length;
    return length;
  }

  /** Whether there is more. */
  private boolean fill() throws IOException {
    while (at == line.length) {
      String next = lines.readLine();
      if (next == null) {
        return false;
      }
      Matcher event = EVENT.matcher(next);
      if (++lineNumber > HEAD_LINES && event.matches() && !KNOWN.contains(event.group(1))) {
        passedOver.merge(event.group(1), 1, Integer::sum);
      } else {
        line = (next + "\n").getBytes(StandardCharsets.UTF_8);
        at = 0;
      }
    }
    return true;
  }
}
