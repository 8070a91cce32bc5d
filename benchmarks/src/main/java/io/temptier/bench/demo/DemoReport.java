// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.Moved;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.bench.report.Chart;
import io.temptier.bench.report.Chart.Axis;
import io.temptier.bench.report.Chart.Kind;
import io.temptier.bench.report.Chart.Series;
import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.report.Page;
import io.temptier.bench.report.Page.Badge;
import io.temptier.cli.Table;
import io.temptier.cli.Words;
import io.temptier.lab.cluster.JobResult;
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
  private record Part(String title, String explanation, DataTable<?> table) {}

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
    for (Part part : parts()) {
      out.println(part.title);
      Words.lines(part.explanation, 78).forEach(line -> out.println("  " + line));
      part.table.print(out);
    }
    out.println((result.validated() ? "Validated: " : "NOT VALIDATED: ") + result.validation());
  }

  Page page() {
    DemoPlan plan = result.plan();
    Page page = new Page("TempTier demo report");
    page.head(
        "TempTier demo",
        new Badge(
            result.validated() ? "output validated" : "NOT VALIDATED",
            result.validated(),
            MachineFacts.doubts(result.facts())),
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
    String chart = phaseBars();
    for (Part part : parts()) {
      page.section(part.title, part.explanation, chart + part.table.markup());
      chart = "";
    }
    return page.facts(result.facts());
  }

  private List<Part> parts() {
    return List.of(phases(), refusals(), fetched(), counters(), jobs());
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
    Tally moved = result.moved().stream().map(Moved::tally).reduce(Tally.NONE, Tally::plus);
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
            new Axis("since the cluster was up", "s"),
            new Axis("on the tiers", "bytes"),
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
            new Axis("what for", ""),
            new Axis("written to the tiers", "bytes"),
            phases,
            series(phases, (phase, medium) -> result.at(phase, medium).bytes()))
        .markup();
  }

  /** One for each tier, of a value for each of some things. */
  private <T> List<Series> series(List<T> things, ToLongBiFunction<T, Medium> bytes) {
    return result.media().stream()
        .map(
            medium ->
                new Series(
                    medium.name(),
                    things.stream().map(one -> (double) bytes.applyAsLong(one, medium)).toList()))
        .toList();
  }

  private Part phases() {
    List<Medium> media = result.media();
    Table<String> columns = new Table<String>().add("Files", phase -> phase);
    media.forEach(
        medium -> columns.add(">" + medium, phase -> result.at(phase, medium).toString()));
    columns.add(
        ">all",
        phase ->
            Sizes.format(
                media.stream().mapToLong(medium -> result.at(phase, medium).bytes()).sum()));
    return new Part(
        "Where the sort's temporary bytes went",
        "Every file that its tasks wrote, counted once at its final size, by what it was for and"
            + " the tier it was placed on. A map with a single spill renames it to its output,"
            + " which is then not counted again.",
        new DataTable<>(columns, result.phaseLabels(), "Nothing was written."));
  }

  private Part refusals() {
    List<List<String>> rows = new ArrayList<>();
    for (Refused one : result.refusals()) {
      rows.add(row(one.medium(), one.text(), one.tally(), "at once"));
    }
    for (Moved one : result.moved()) {
      String when =
          Figures.text(one.fromSeconds(), 1) + " to " + Figures.text(one.toSeconds(), 1) + " s";
      rows.add(row(one.from(), one.why() + ", to " + one.to(), one.tally(), when));
    }
    Table<List<String>> columns =
        new Table<List<String>>()
            .add("Tier", row -> row.get(0))
            .add("Why", row -> row.get(1))
            .add(">Files", row -> row.get(2))
            .add(">Bytes", row -> row.get(3))
            .add(">When", row -> row.get(4));
    return new Part(
        "Why files went down",
        "What the fast tier answered when it refused a file, and which map outputs left it once"
            + " they were whole (demotion), in seconds since the cluster was up.",
        new DataTable<>(
            columns, rows, "No file went down: the fast tier had room for all of them."));
  }

  private static List<String> row(Medium tier, String why, Tally tally, String when) {
    return List.of(tier.name(), why, count(tally.files()), Sizes.format(tally.bytes()), when);
  }

  private Part fetched() {
    double all = result.fetched().stream().mapToLong(tier -> tier.tally().bytes()).sum();
    Table<OfTier> columns =
        new Table<OfTier>()
            .add("Tier", tier -> tier.medium().name())
            .add(">Segments", tier -> count(tier.tally().files()))
            .add(">Bytes", tier -> Sizes.format(tier.tally().bytes()))
            .add(">Share", tier -> Words.percent(tier.tally().bytes() / Math.max(1, all)));
    return new Part(
        "Where reducers fetched from",
        "Segments of map outputs, by the tier they lay on when they were read. What was moved down"
            + " before is read from below.",
        new DataTable<>(columns, result.fetched(), "TempTier's shuffle handler sent nothing."));
  }

  private Part counters() {
    Table<Map.Entry<String, Long>> columns =
        new Table<Map.Entry<String, Long>>()
            .add("Counter", Map.Entry::getKey)
            .add(
                ">Value",
                one ->
                    one.getKey().endsWith("BYTES")
                        ? Sizes.format(one.getValue())
                        : count(one.getValue()));
    return new Part(
        "The job's own counters",
        "File system counters that begin with TEMPTIER-, added up by MapReduce.",
        new DataTable<>(
            columns,
            result.counters().entrySet(),
            "TempTier reported no counters: it did not place this job's files."));
  }

  private Part jobs() {
    Table<JobResult> columns =
        new Table<JobResult>()
            .add("Job", JobResult::name)
            .add("State", JobResult::state)
            .add(">Maps", job -> count(job.maps()))
            .add(">Reduces", job -> count(job.reduces()))
            .add(">Failed attempts", job -> count(job.failedAttempts()))
            .add(">Seconds", job -> Figures.text(job.jobSeconds(), 1))
            .add(">Seconds with client", job -> Figures.text(job.seconds(), 1));
    return new Part("Jobs", "", new DataTable<>(columns, result.jobs(), "There was none."));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
