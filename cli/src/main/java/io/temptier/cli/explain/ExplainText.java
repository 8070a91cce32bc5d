// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.cli.Wrap;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Quoted;
import io.temptier.tier.Sizes;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.lang.Strings;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The answer for people. */
final class ExplainText {
  private final PrintWriter out;

  ExplainText(PrintWriter out) {
    this.out = out;
  }

  void print(Answer answer) {
    if (answer.files().size() == 1) {
      printOne(answer.files().get(0));
    } else {
      printAll(answer);
    }
  }

  private void printOne(Explanation file) {
    out.println(Quoted.oneLine(file.file().toString()));
    LocalDir dir = file.dir();
    String where = dir == null ? "outside all local dirs" : file.medium() + ", in " + dir.path();
    line(file.exists() ? "lies on" : "gone", file.exists() ? where : "was on " + where);
    line(
        "is a",
        kind(file) + (file.exists() ? ", " + Sizes.format(file.bytes()) : ", no longer there"));
    boolean moved = file.demotion().isPresent();
    if (moved) {
      line("because", file.why());
    }
    if (file.record().isPresent()) {
      PlacementRecord record = file.record().get();
      line(moved ? "at first" : "because", record.why());
      line("decided", decided(record));
    }
    if (!file.note().isEmpty()) {
      line(moved || file.record().isPresent() ? "note" : "because", file.note());
    }
  }

  private static String decided(PlacementRecord record) {
    Instant time = Instant.ofEpochMilli(record.timeMillis()).truncatedTo(ChronoUnit.SECONDS);
    String size = Sizes.format(record.bytes());
    return String.format(
        "%s by process %d, for %s%s",
        time, record.pid(), size, record.sizeKnown() ? "" : " (the size was not known)");
  }

  private void line(String label, String text) {
    Wrap.print(out, Quoted.oneLine(text), String.format("  %-8s ", label), Strings.repeat(" ", 11));
  }

  private void printAll(Answer answer) {
    String sums =
        answer.sums().entrySet().stream()
            .map(
                tier ->
                    String.format(
                        "%d on %s (%s)",
                        tier.getValue().getCount(),
                        tier.getKey(),
                        Sizes.format(tier.getValue().getSum())))
            .collect(Collectors.joining(", "));
    Wrap.print(
        out,
        answer.files().size() + " files of " + answer.question().text() + ": " + sums + ".",
        "",
        "");
    answer.files().stream()
        .filter(file -> !file.record().isPresent() && !file.demotion().isPresent())
        .collect(Collectors.groupingBy(Explanation::note, TreeMap::new, Collectors.counting()))
        .forEach(
            (note, count) ->
                Wrap.print(out, count + " without a record. " + Quoted.oneLine(note), "", ""));
    out.println();
    for (Explanation file : answer.files()) {
      out.println(Quoted.oneLine(file.file().toString()));
      String medium = file.medium() + ": ";
      String why = file.why().startsWith(medium) ? file.why() : medium + file.why();
      String text = kind(file) + ", " + Sizes.format(file.bytes()) + ", " + why;
      Wrap.print(out, Quoted.oneLine(text), "  ", "  ");
    }
  }

  private static String kind(Explanation file) {
    return file.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
