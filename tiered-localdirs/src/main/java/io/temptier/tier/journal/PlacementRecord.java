// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import com.google.auto.value.AutoValue;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Line of a {@link PlacementJournal}: a placement, or that a placed file is complete or was moved
 * down.
 *
 * <p>The line is UTF-8 text of twelve fields parted by tabs, ended by a newline, less than {@link
 * #MAX_LINE_BYTES} long so that one {@code write(2)} to a file opened with {@code O_APPEND} puts it
 * there whole, whatever other processes write. Tabs, newlines and backslashes in a field are
 * escaped with a backslash; a field without a value is {@code -}. In order:
 *
 * <pre>
 * time     milliseconds since 1970
 * pid      of the writer
 * event    PLACED, SETTLED or DEMOTED
 * path     relative to the local dir
 * kind     a FileKind
 * bytes    expected (PLACED) or real (else)
 * known    1 when the expected size was known, 0 when assumed
 * app      the application, or -
 * dir      [MEDIUM]/root
 * reason   a Reason
 * refusals MEDIUM:REASON:bytesLeft, comma separated, fastest first, or -
 * version  of this format: 1
 * </pre>
 *
 * <p>Lines come from tasks of any user, so {@link #parse} trusts nothing in them. A line of another
 * version, or with a kind, medium or reason that this one does not know, is of another TempTier and
 * skipped.
 */
@AutoValue
public abstract class PlacementRecord {

  /** No line is this long, its newline included. */
  public static final int MAX_LINE_BYTES = 4096;

  private static final String VERSION = "1";
  private static final String NONE = "-";
  private static final int FIELDS = 12;

  /** Characters that a field must escape, and their letters after a backslash. */
  private static final String PLAIN = "\\\t\n\r";

  private static final String ESCAPED = "\\tnr";

  public abstract long timeMillis();

  public abstract long pid();

  public abstract Event event();

  /** Of a parsed record without limits, ticket or home dir, which no line has. */
  public abstract PlacementRequest request();

  public abstract Placement placement();

  /** The expected size of a placed file, else the real size; not negative. */
  public abstract long bytes();

  public enum Event {
    PLACED,
    /** File is complete, or stopped growing. */
    SETTLED,
    /** File was moved to a slower tier, where the dir is and the path leads to the copy. */
    DEMOTED
  }

  /** Makes a record; {@code bytes} are the real size of a settled file, else the expected. */
  public static PlacementRecord of(
      long timeMillis,
      long pid,
      Event event,
      PlacementRequest request,
      Placement placement,
      long bytes) {
    return new AutoValue_PlacementRecord(
        timeMillis, pid, event, request, placement, Math.max(0, bytes));
  }

  /** The line, with its newline; empty when the paths are too long for one. */
  public Optional<byte[]> toLine() {
    StringJoiner refusals = new StringJoiner(",");
    for (Placement.Refusal each : placement().refusals()) {
      refusals.add(each.medium() + ":" + each.reason() + ":" + each.headroomBytes());
    }
    String application = request().application();
    LocalDir dir = placement().dir();
    String line =
        String.join(
            "\t",
            String.valueOf(timeMillis()),
            String.valueOf(pid()),
            event().toString(),
            escape(request().path()),
            request().kind().toString(),
            String.valueOf(bytes()),
            request().sizeKnown() ? "1" : "0",
            application == null ? NONE : escape(application),
            "[" + dir.medium() + "]" + escape(dir.path().toString()),
            placement().reason().toString(),
            refusals.length() == 0 ? NONE : refusals.toString(),
            VERSION + "\n");
    byte[] encoded = line.getBytes(StandardCharsets.UTF_8);
    return encoded.length < MAX_LINE_BYTES ? Optional.of(encoded) : Optional.empty();
  }

  /** Parses a line, without its newline; empty when it is torn, corrupt or of another version. */
  public static Optional<PlacementRecord> parse(String line) {
    String[] fields = line.split("\t", FIELDS + 1);
    if (fields.length != FIELDS || !fields[11].equals(VERSION)) {
      return Optional.empty();
    }
    try {
      int tagEnd = fields[8].indexOf(']');
      long bytes = Long.parseLong(fields[5]);
      long timeMillis = Long.parseLong(fields[0]);
      long pid = Long.parseLong(fields[1]);
      boolean sizeKnown = fields[6].equals("1");
      if (!fields[8].startsWith("[")
          || tagEnd < 0
          || bytes < 0
          || timeMillis < 0
          || pid <= 0
          || !(sizeKnown || fields[6].equals("0"))) {
        return Optional.empty();
      }
      String application = fields[7].equals(NONE) ? null : unescape(fields[7]);
      PlacementRequest request =
          PlacementRequest.of(
              unescape(fields[3]),
              FileKind.valueOf(fields[4]),
              bytes,
              sizeKnown,
              application,
              /* ticket= */ 0);
      LocalDir dir =
          LocalDir.of(
              Paths.get(unescape(fields[8].substring(tagEnd + 1))),
              Medium.valueOf(fields[8].substring(1, tagEnd)),
              LocalDir.NO_CAP,
              "");
      Placement placement = Placement.of(dir, Reason.valueOf(fields[9]), parseRefusals(fields[10]));
      return Optional.of(of(timeMillis, pid, Event.valueOf(fields[2]), request, placement, bytes));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<Placement.Refusal> parseRefusals(String field) {
    if (field.equals(NONE)) {
      return Immutable.listOf();
    }
    List<Placement.Refusal> refusals = new ArrayList<>();
    for (String refusal : field.split(",", Medium.values().length + 1)) {
      String[] parts = refusal.split(":", 4);
      if (parts.length != 3 || refusals.size() == Medium.values().length) {
        throw new IllegalArgumentException("refusals=" + field);
      }
      refusals.add(
          Placement.Refusal.of(
              Medium.valueOf(parts[0]), Reason.valueOf(parts[1]), Long.parseLong(parts[2])));
    }
    return refusals;
  }

  private static String escape(String field) {
    StringBuilder escaped = new StringBuilder(field.length());
    for (int i = 0; i < field.length(); i++) {
      int special = PLAIN.indexOf(field.charAt(i));
      if (special < 0) {
        escaped.append(field.charAt(i));
      } else {
        escaped.append('\\').append(ESCAPED.charAt(special));
      }
    }
    return escaped.toString();
  }

  private static String unescape(String field) {
    if (field.indexOf('\\') < 0) {
      return field;
    }
    StringBuilder plain = new StringBuilder(field.length());
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\') {
        i++;
        int special = i < field.length() ? ESCAPED.indexOf(field.charAt(i)) : -1;
        if (special < 0) {
          throw new IllegalArgumentException("unknown escape in " + field);
        }
        c = PLAIN.charAt(special);
      }
      plain.append(c);
    }
    return plain.toString();
  }
}
