// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.MachineFacts;
import io.temptier.cli.Wrap;
import io.temptier.cli.report.Chart;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
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
  private record Part(String title, String explanation, DataTable table, String otherwise) {}

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
    for (Part part : List.of(phases(), refusals(), counters(), jobs())) {
      out.println(part.title);
      Wrap.lines(part.explanation, 78).forEach(line -> out.println("  " + line));
      if (part.table.rows().isEmpty()) {
        out.println("  " + part.otherwise + "\n");
      } else {
        part.table.print(out);
      }
    }
    out.println((result.validated() ? "Validated: " : "NOT VALIDATED: ") + result.validation());
  }

  Page page() {
    DemoPlan plan = result.plan();
    Page page = new Page("TempTier demo report");
    page.head(
        "TempTier demo",
        Badge.of(
            result.validated() ? "output validated" : "NOT VALIDATED",
            result.validated(),
            MachineFacts.doubts(result.facts())),
        "%s rows, %s, sorted through YARN on %s NodeManager(s). The fast tier %s. %s."
            .formatted(
                count(plan.rows()),
                Sizes.format(plan.inputBytes()),
                plan.nodes(),
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
    add(page, phases(), phaseBars());
    add(page, refusals(), "");
    add(page, counters(), "");
    add(page, jobs(), "");
    return page.facts(result.facts());
  }

  private static void add(Page page, Part part, String chart) {
    page.section(part.title, part.explanation, chart + part.table.markup(part.otherwise));
  }

  private Map<String, String> tiles() {
    double total = result.tiers().stream().mapToLong(tier -> tier.tally().bytes()).sum();
    Map<String, String> tiles = new LinkedHashMap<>();
    for (OfTier tier : result.tiers()) {
      long percent = Math.round(100 * tier.tally().bytes() / total);
      tiles.put(
          "placed on %s (%d\u00a0%%, %s files)"
              .formatted(tier.medium(), percent, count(tier.tally().files())),
          Sizes.format(tier.tally().bytes()));
    }
    Tally down = result.spilledDown();
    tiles.put("spilled down, " + count(down.files()) + " files", Sizes.format(down.bytes()));
    tiles.put("failed task attempts", count(result.failedTasks()));
    tiles.put("the sort, from start to end", Figures.text(result.jobSeconds(), 1) + " s");
    return tiles;
  }

  private String time() {
    List<Chart.Mark> marks = new ArrayList<>();
    result.marks().forEach(mark -> marks.add(Chart.Mark.of(true, mark.seconds(), mark.job())));
    Long cap = result.plan().fastCapBytes();
    if (cap != null) {
      marks.add(Chart.Mark.of(false, cap, "cap of the fast tier: " + result.plan().fastCapText()));
    }
    List<TierSample> samples = result.samples();
    return Chart.of(
            Kind.AREA,
            "Temporary data",
            Axis.of("since the cluster was up", "s"),
            Axis.of("on the tiers", "bytes"),
            samples.stream().map(TierSample::seconds).toList(),
            series(samples, (sample, medium) -> sample.bytes().getOrDefault(medium, 0L)),
            marks)
        .markup();
  }

  private String phaseBars() {
    List<String> phases = result.phaseLabels();
    return Chart.of(
            Kind.STACKED_BARS,
            "Bytes written",
            Axis.of("what for", ""),
            Axis.of("written to the tiers", "bytes"),
            phases,
            series(phases, (phase, medium) -> result.at(phase, medium).bytes()))
        .markup();
  }

  /** One for each tier, of a value for each of some things. */
  private <T> List<Series> series(List<T> things, ToLongBiFunction<T, Medium> bytes) {
    return result.media().stream()
        .map(
            medium ->
                Series.of(
                    medium.name(),
                    things.stream().map(one -> (double) bytes.applyAsLong(one, medium)).toList()))
        .toList();
  }

  private Part phases() {
    List<String> heads = new ArrayList<>(List.of("Files"));
    result.media().forEach(medium -> heads.add(">" + medium));
    heads.add(">all");
    List<List<String>> rows = new ArrayList<>();
    for (String phase : result.phaseLabels()) {
      List<Tally> tallies = result.media().stream().map(one -> result.at(phase, one)).toList();
      List<String> row = new ArrayList<>(List.of(phase));
      tallies.forEach(tally -> row.add(tally.toString()));
      row.add(Sizes.format(tallies.stream().mapToLong(Tally::bytes).sum()));
      rows.add(row);
    }
    return new Part(
        "Where the sort's temporary bytes went",
        "Every file that its tasks wrote, counted once at its final size, by what it was for and"
            + " the tier it was placed on. A map with a single spill renames it to its output,"
            + " which is then not counted again.",
        new DataTable(heads, rows),
        "Nothing was written.");
  }

  private Part refusals() {
    return new Part(
        "Why files went down",
        "What the fast tier answered when it refused a file.",
        new DataTable(
            "Tier|Its answer|>Files|>Bytes",
            result.refusals().stream()
                .map(one -> row(one.medium().name(), one.text(), one.tally()))
                .toList()),
        "No file was refused: the fast tier had room for all of them.");
  }

  private static List<String> row(String first, String second, Tally tally) {
    return List.of(first, second, count(tally.files()), Sizes.format(tally.bytes()));
  }

  private Part counters() {
    List<List<String>> rows = new ArrayList<>();
    result
        .counters()
        .forEach(
            (name, value) ->
                rows.add(
                    List.of(
                        name, count(value), name.endsWith("BYTES") ? Sizes.format(value) : "")));
    return new Part(
        "The job's own counters",
        "File system counters that begin with TEMPTIER-, added up by MapReduce.",
        new DataTable("Counter|>Value|>", rows),
        "TempTier reported no counters: it did not place this job's files.");
  }

  private Part jobs() {
    return new Part(
        "Jobs",
        "",
        new DataTable(
            "Job|State|>Maps|>Reduces|>Failed attempts|>Seconds|>Seconds with client",
            result.jobs().stream()
                .map(
                    job ->
                        List.of(
                            job.name(),
                            job.state(),
                            count(job.maps()),
                            count(job.reduces()),
                            count(job.failedAttempts()),
                            Figures.text(job.jobSeconds(), 1),
                            Figures.text(job.clientSeconds(), 1)))
                .toList()),
        "There was none.");
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
