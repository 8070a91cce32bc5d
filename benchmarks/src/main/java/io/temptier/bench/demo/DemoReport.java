// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.bench.report.Figures;
import io.temptier.cli.report.Chart;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Mark;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.report.MachineFacts;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import io.temptier.tier.Medium;
import io.temptier.tier.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The result as a page: where the temporary bytes went.
 *
 * @param result what was measured
 */
record DemoReport(DemoResult result) {
  private static final String TITLE = "TempTier demo";

  Page page() {
    Page page = new Page("TempTier demo report");
    page.head(
        TITLE,
        new Badge(
            result.validated() ? "output validated" : "NOT VALIDATED",
            result.validated(),
            MachineFacts.doubts(result.facts())),
        lead());
    page.tiles(tiles());
    page.note(
        "Both tiers are folders on one disk of this machine, tagged NVME and DISK. This report"
            + " shows placement: that temporary data fills the fast tier first and goes down when"
            + " it must. It does not show speed.");
    page.section(
        "Bytes on each tier over time",
        "Measured by walking the local dirs of all nodes twice a second.",
        time());
    page.section(
        "Where the sort's temporary bytes went",
        "Every file written, counted once at its final size, by what it was for and the tier it was"
            + " placed on. A map with a single spill renames it to its output, which is then not"
            + " counted again. Demotion's copies are map outputs on their way down: those that a"
            + " walk met before they were whole.",
        phases());
    page.section(
        "Why files went down", "What the fast tier answered when it refused a file.", refusals());
    long placed = result.tiers().stream().mapToLong(tier -> tier.tally().files()).sum();
    page.section(
        "The job's own counters",
        ("File system counters that begin with TEMPTIER-, added up by MapReduce: only what the"
             + " tasks placed, %s of the %s files above. Work dirs, localized and other files are"
             + " the NodeManager's, and demotion's copies nobody placed.")
            .formatted(count(placed), count(result.written().files())),
        counters());
    page.section("Jobs", "", jobs());
    List<List<String>> nodes = nodes();
    if (!nodes.isEmpty()) {
      page.section(
          "NodeManagers",
          "What each NodeManager counted for all jobs, from its /jmx page when the sort had ended:"
              + " its own files, and those its tasks had written down by then.",
          Page.table(
              ">Node|Tier|>Files placed|>Bytes completed|>Spilled to it|>Refused by it|>Errors",
              nodes));
    }
    return page.facts(result.facts());
  }

  private String lead() {
    DemoPlan plan = result.plan();
    return (plan.rows() > 0 ? count(plan.rows()) + " rows, " : "The lines of the given input, ")
        + Sizes.format(plan.inputBytes())
        + ", sorted through YARN on "
        + plan.nodes()
        + " NodeManager(s). The fast tier "
        + (plan.capped() ? "was allowed " + plan.fastCapText() + " in all. " : "had no cap. ")
        + result.validation()
        + ".";
  }

  private Map<String, String> tiles() {
    double total = result.tiers().stream().mapToLong(tier -> tier.tally().bytes()).sum();
    Map<String, String> tiles = new LinkedHashMap<>();
    for (OfTier tier : result.tiers()) {
      Tally tally = tier.tally();
      long percent = Math.round(100 * tally.bytes() / total);
      tiles.put(
          "placed on %s (%d\u00a0%%, %s files)"
              .formatted(tier.medium(), percent, count(tally.files())),
          Sizes.format(tally.bytes()));
    }
    Tally down = result.spilledDown();
    tiles.put("spilled down, " + count(down.files()) + " files", Sizes.format(down.bytes()));
    tiles.put("failed task attempts", count(result.failedTasks()));
    tiles.put("the sort, from start to end", Figures.text(result.jobSeconds(), 1) + " s");
    return tiles;
  }

  private String time() {
    List<Mark> marks = new ArrayList<>();
    result.marks().forEach(mark -> marks.add(new Mark(true, mark.seconds(), mark.job())));
    Long cap = result.plan().fastCapBytes();
    if (cap != null) {
      marks.add(new Mark(false, cap, "cap of the fast tier: " + result.plan().fastCapText()));
    }
    return new Chart(
            Kind.AREA,
            "Temporary data",
            new Axis("since the cluster was up", "s"),
            new Axis("on the tiers", "bytes"),
            result.samples().stream().map(TierSample::seconds).toList(),
            series(
                medium ->
                    result.samples().stream()
                        .map(sample -> (double) sample.bytes().getOrDefault(medium, 0L))
                        .toList()),
            marks)
        .markup();
  }

  private List<Series> series(Function<Medium, List<Double>> bytes) {
    return result.media().stream()
        .map(medium -> new Series(medium.name(), bytes.apply(medium)))
        .toList();
  }

  private String phases() {
    List<String> phases = result.phaseLabels();
    List<String> heads = new ArrayList<>(List.of("Files"));
    result.media().forEach(medium -> heads.add(">" + medium));
    heads.add(">all");
    List<List<String>> rows = new ArrayList<>();
    for (String phase : phases) {
      List<String> row = new ArrayList<>(List.of(phase));
      Tally all = Tally.NONE;
      for (Medium medium : result.media()) {
        Tally tally = result.at(phase, medium);
        row.add(tally.toString());
        all = all.plus(tally);
      }
      row.add(Sizes.format(all.bytes()));
      rows.add(row);
    }
    return new Chart(
                Kind.STACKED_BARS,
                "Bytes written",
                new Axis("what for", ""),
                new Axis("written to the tiers", "bytes"),
                phases,
                series(
                    medium ->
                        phases.stream()
                            .map(phase -> (double) result.at(phase, medium).bytes())
                            .toList()))
            .markup()
        + Page.table(heads, rows);
  }

  private String refusals() {
    List<List<String>> rows =
        result.refusals().stream()
            .map(
                refused ->
                    List.of(
                        refused.medium().name(),
                        refused.text(),
                        count(refused.tally().files()),
                        Sizes.format(refused.tally().bytes())))
            .toList();
    return rows.isEmpty()
        ? "<p>No file was refused: the fast tier had room for all of them.</p>"
        : Page.table("Tier|Its answer|>Files|>Bytes", rows);
  }

  private String counters() {
    List<List<String>> rows = new ArrayList<>();
    result
        .counters()
        .forEach(
            (name, value) ->
                rows.add(
                    List.of(
                        name, count(value), name.endsWith("BYTES") ? Sizes.format(value) : "")));
    return rows.isEmpty()
        ? "<p>TempTier reported no counters.</p>"
        : Page.table("Counter|>Value|>", rows);
  }

  private String jobs() {
    return Page.table(
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
            .toList());
  }

  /** A row for each tier of each node, the fastest first. */
  private List<List<String>> nodes() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < result.nodeManagers().size(); i++) {
      for (Medium medium : Medium.values()) {
        for (JsonNode bean : result.nodeManagers().get(i)) {
          if (bean.path("name").asText().contains("TempTier-")
              && bean.path("tag.Tier").asText().equals(medium.name())) {
            rows.add(row(Integer.toString(i + 1), bean));
          }
        }
      }
    }
    return rows;
  }

  private static List<String> row(String node, JsonNode bean) {
    long refused = 0;
    for (Map.Entry<String, JsonNode> value : (Iterable<Map.Entry<String, JsonNode>>) bean::fields) {
      refused += value.getKey().startsWith("FilesRefused") ? value.getValue().asLong() : 0;
    }
    return List.of(
        node,
        bean.path("tag.Tier").asText(),
        count(bean.path("FilesPlaced").asLong()),
        Sizes.format(bean.path("BytesPlaced").asLong()),
        count(bean.path("FilesSpilledHere").asLong()),
        count(refused),
        count(bean.path("DirErrors").asLong()));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
