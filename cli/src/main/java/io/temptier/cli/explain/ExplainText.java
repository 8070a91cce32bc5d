// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Quoted;
import io.temptier.tier.Sizes;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.lang.Strings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The answer for people. */
final class ExplainText {
  private static final int WIDTH = 84;

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
    Wrap.print(
        out, Quoted.oneLine(text), WIDTH, String.format("  %-8s ", label), Strings.repeat(" ", 11));
  }

  private void printAll(Answer answer) {
    Table table = new Table("TIER", ">SIZE", "KIND", "FILE", "WHY");
    for (Explanation file : answer.files()) {
      table.row(file.medium(), Sizes.format(file.bytes()), kind(file), shortened(file), file.why());
    }
    table.print(out, "");
    out.println();
    String sums =
        answer.sums().stream()
            .map(
                sum -> sum.files() + " on " + sum.medium() + " (" + Sizes.format(sum.bytes()) + ")")
            .collect(Collectors.joining(", "));
    out.println(
        answer.files().size() + " files of " + answer.question().text() + ": " + sums + ".");
    answer.files().stream()
        .filter(file -> !file.record().isPresent() && !file.demotion().isPresent())
        .collect(Collectors.groupingBy(Explanation::note, TreeMap::new, Collectors.counting()))
        .forEach(
            (note, count) -> out.println(count + " without a record. " + Quoted.oneLine(note)));
  }

  /** Without what all files of an application have in common. */
  private static String shortened(Explanation file) {
    LocalDir dir = file.dir();
    if (dir == null) {
      return file.file().toString();
    }
    Path relative = dir.path().relativize(file.file());
    boolean ofApplication =
        relative.getNameCount() > 4 && relative.getName(2).toString().equals("appcache");
    return dir.path()
        + ": "
        + (ofApplication ? relative.subpath(4, relative.getNameCount()) : relative);
  }

  private static String kind(Explanation file) {
    return file.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
