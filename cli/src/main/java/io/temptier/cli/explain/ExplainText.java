// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.Wrap;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The answer, for people and for programs. */
final class ExplainText {
  private final String question;
  private final List<Explanation> files;
  private final PrintWriter out;

  ExplainText(String question, List<Explanation> files, PrintWriter out) {
    this.question = question;
    this.files = files;
    this.out = out;
  }

  void print() {
    if (files.size() == 1) {
      printOne(files.get(0));
    } else {
      printAll();
    }
  }

  /** Sums of the files that are there, one for each tier, fastest first. */
  private Map<Medium, LongSummaryStatistics> sums() {
    return files.stream()
        .filter(file -> file.dir() != null && file.exists())
        .collect(
            Collectors.groupingBy(
                file -> Objects.requireNonNull(file.dir()).medium(),
                () -> new EnumMap<>(Medium.class),
                Collectors.summarizingLong(Explanation::bytes)));
  }

  JsonNode json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode tiers = root.put("question", question).putArray("tiers");
    sums()
        .forEach(
            (medium, sum) ->
                tiers
                    .addObject()
                    .put("medium", medium.name())
                    .put("files", sum.getCount())
                    .put("bytes", sum.getSum()));
    files.forEach(file -> root.withArray("files").add(file.json()));
    return root;
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

  private void printAll() {
    String sums =
        sums().entrySet().stream()
            .map(
                tier ->
                    String.format(
                        "%d on %s (%s)",
                        tier.getValue().getCount(),
                        tier.getKey(),
                        Sizes.format(tier.getValue().getSum())))
            .collect(Collectors.joining(", "));
    Wrap.print(out, files.size() + " files of " + question + ": " + sums + ".", "", "");
    files.stream()
        .filter(file -> !file.record().isPresent() && !file.demotion().isPresent())
        .collect(Collectors.groupingBy(Explanation::note, TreeMap::new, Collectors.counting()))
        .forEach(
            (note, count) ->
                Wrap.print(out, count + " without a record. " + Quoted.oneLine(note), "", ""));
    out.println();
    for (Explanation file : files) {
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
