// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.Down;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.bench.report.Chart;
import io.temptier.bench.report.Chart.Kind;
import io.temptier.bench.report.Chart.Series;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Page;
import io.temptier.cli.Table;
import io.temptier.cli.Words;
import io.temptier.tier.Medium;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongBiFunction;

/** The result for people: where the temporary bytes went. */
record DemoReport(DemoResult result) {
  /** A table with its heading; {@code otherwise} is said where it has no rows. */
  private record Part<T>(
      String title, String explanation, Table<T> columns, List<T> rows, String otherwise) {
    void print(PrintWriter out) {
      out.println(title);
      Words.lines(explanation, 78).forEach(line -> out.println("  " + line));
      if (rows.isEmpty()) {
        out.println("  " + otherwise);
      } else {
        columns.print(out, "  ", rows);
      }
      out.println();
    }

    String table() {
      return rows.isEmpty()
          ? "<p>" + Page.escape(otherwise) + "</p>"
          : Page.table(columns.cells(rows));
    }
  }

  /** Says beforehand what is going to be done, and what it cannot show. */
  static String announcement(DemoPlan plan, Path home) {
    return """
    A real Hadoop cluster on this machine, NodeManagers: %d, in %s
      runs TeraGen, TeraSort and TeraValidate of %s rows (%s) through YARN.
      Temporary data will peak near %s; the fast tier may take: %s, the slow one the rest.
      Both tiers are folders on one disk of this machine, tagged NVME and DISK: this shows placement, not speed.
      Set for this machine, however full its disk, and for so small a tier:
        temptier.reserve=%s (default 15%%), temptier.unknown-size=%s (default 64 MiB), YARN's own disk check at 100%% (default 90%%).
    """
        .formatted(
            plan.nodes(),
            home,
            count(plan.rows()),
            Sizes.format(plan.inputBytes()),
            Sizes.format(plan.tempBytes()),
            plan.fastCapText(),
            Sizes.format(DemoPlan.RESERVE_BYTES),
            Sizes.format(DemoPlan.UNKNOWN_SIZE_BYTES));
  }

  void print(PrintWriter out) {
    phases().print(out);
    downs().print(out);
    out.println((result.validated() ? "Validated: " : "NOT VALIDATED: ") + result.validation());
  }

  Page page() {
    DemoPlan plan = result.plan();
    Page page = new Page("TempTier demo report");
    page.head(
        "TempTier demo",
        result.validated() ? "output validated" : "NOT VALIDATED",
        result.validated(),
        "%s rows, %s, sorted through YARN on %s. The fast tier %s. %s."
            .formatted(
                count(plan.rows()),
                Sizes.format(plan.inputBytes()),
                Words.plural(plan.nodes(), "NodeManager"),
                plan.fastCapBytes() == null
                    ? "had no cap"
                    : "was allowed " + plan.fastCapText() + " in all",
                result.validation()));
    page.tiles(tiles());
    page.note(
        "Both tiers are folders on one disk of this machine, tagged NVME and DISK. This report"
            + " shows placement: that temporary data fills the fast tier first and goes down when"
            + " it must. It does not show speed.");
    page.section(
        "Bytes on each tier over time",
        "Measured by walking the local dirs of all nodes twice a second.",
        time());
    Part<String> phases = phases();
    page.section(phases.title, phases.explanation, phaseBars() + phases.table());
    Part<Down> downs = downs();
    page.section(downs.title, downs.explanation, downs.table());
    return page.facts(result.facts());
  }

  private Map<String, String> tiles() {
    double total = result.tiers().stream().mapToLong(tier -> tier.tally().bytes()).sum();
    Map<String, String> tiles = new LinkedHashMap<>();
    for (OfTier tier : result.tiers()) {
      long percent = Math.round(100 * tier.tally().bytes() / total);
      tiles.put(
          "placed on %s (%d%%, %s files)"
              .formatted(tier.medium(), percent, count(tier.tally().files())),
          Sizes.format(tier.tally().bytes()));
    }
    Tally down = result.spilledDown();
    tiles.put("spilled down, " + count(down.files()) + " files", Sizes.format(down.bytes()));
    Tally moved =
        result.downs().stream()
            .filter(Down::later)
            .map(Down::tally)
            .reduce(Tally.NONE, Tally::plus);
    tiles.put(
        "moved down later, " + count(moved.files()) + " outputs", Sizes.format(moved.bytes()));
    tiles.put("failed task attempts", count(result.failedTasks()));
    tiles.put("the sort, from start to end", Figures.text(result.jobSeconds(), 1) + " s");
    return tiles;
  }

  private String time() {
    List<Chart.Mark> marks = new ArrayList<>();
    result.marks().forEach(mark -> marks.add(new Chart.Mark(true, mark.seconds(), mark.job())));
    Long cap = result.plan().fastCapBytes();
    if (cap != null) {
      marks.add(new Chart.Mark(false, cap, "cap of the fast tier: " + result.plan().fastCapText()));
    }
    List<TierSample> samples = result.samples();
    return new Chart(
            Kind.AREA,
            "Temporary data",
            "since the cluster was up, s",
            "on the tiers",
            samples.stream().map(TierSample::seconds).toList(),
            series(samples, (sample, medium) -> sample.bytes().getOrDefault(medium, 0L)),
            marks)
        .markup();
  }

  private String phaseBars() {
    List<String> phases = result.phaseLabels();
    return new Chart(
            Kind.STACKED_BARS,
            "Bytes written",
            "what for",
            "written to the tiers",
            phases,
            series(phases, (phase, medium) -> result.at(phase, medium).bytes()),
            List.of())
        .markup();
  }

  /** One for each tier, of a value for each of some things. */
  private <T> List<Series> series(List<T> things, ToLongBiFunction<T, Medium> bytes) {
    return result.media().stream()
        .map(
            medium ->
                new Series(
                    medium.name(),
                    things.stream().map(one -> bytes.applyAsLong(one, medium)).toList()))
        .toList();
  }

  private Part<String> phases() {
    List<Medium> media = result.media();
    Table<String> columns = new Table<String>().add("Files", phase -> phase);
    media.forEach(
        medium -> columns.add(">" + medium, phase -> result.at(phase, medium).toString()));
    columns.add(
        ">all",
        phase ->
            Sizes.format(
                media.stream().mapToLong(medium -> result.at(phase, medium).bytes()).sum()));
    return new Part<>(
        "Where the sort's temporary bytes went",
        "Every file that its tasks wrote, counted once at its final size, by what it was for and"
            + " the tier it was placed on. A map with a single spill renames it to its output,"
            + " which is then not counted again.",
        columns,
        result.phaseLabels(),
        "Nothing was written.");
  }

  private Part<Down> downs() {
    Table<Down> columns =
        new Table<Down>()
            .add("Tier", down -> down.medium().name())
            .add("Why", Down::why)
            .add(">Files", down -> count(down.tally().files()))
            .add(">Bytes", down -> Sizes.format(down.tally().bytes()));
    return new Part<>(
        "Why files went down",
        "What the fast tier answered when it refused a file, and which map outputs left it once"
            + " they were whole (demotion).",
        columns,
        result.downs(),
        "No file went down: the fast tier had room for all of them.");
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
