// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.report.CurveChart;
import io.temptier.cli.report.CurveChart.Stop;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Palette;
import io.temptier.tier.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The result as a page: what each size of the fast disk is worth. */
final class PlanReport {
  private static final double GIB = 1L << 30;

  private PlanReport() {}

  /**
   * The page.
   *
   * @param trace its name
   * @param facts of the machine
   */
  static Page of(
      ClusterModel model, SimulationResult result, String trace, Map<String, String> facts) {
    SimulationResult.NodeBytes bytes = result.nodeBytes();
    Map<String, String> tiles = new LinkedHashMap<>();
    tiles.put("tasks", String.format(Locale.ROOT, "%,d", result.tasks()));
    tiles.put("temp data of a node, median", Sizes.format(bytes.p50()));
    tiles.put("95th percentile", Sizes.format(bytes.p95()));
    tiles.put("99th percentile", Sizes.format(bytes.p99()));
    tiles.put("at most", Sizes.format(bytes.max()));
    Page page = new Page("TempTier: how large should the fast disk be?");
    page.head(
        result
            .recommended()
            .map(size -> Sizes.format(size.fastBytes()) + " is enough")
            .orElse(result.saysTooLittle() ? "too little data" : "none of these sizes is enough"),
        result.recommended().isPresent(),
        String.format(
            Locale.ROOT,
            "%,d jobs on %,d nodes with %d containers each, for %.2f days, by %s. Trace: %s",
            result.jobs(),
            model.nodes(),
            model.containers(),
            result.days(),
            model.settings().policy(),
            trace));
    if (result.recommended().isEmpty()) {
      page.note(PlanText.noSize(result) + ".");
    }
    page.tiles(tiles)
        .section(
            "What the fast disk takes",
            "Of all temporary bytes, those written to it; and those written to the slow disks, as"
                + " it had no room. Marked: the smallest of these sizes that spills no more than 1"
                + " %.",
            curve(result, "hit share, %", 100, size -> 100 * size.hitShare(), 0)
                + curve(result, "spilled, GiB", most(result), size -> size.spilledBytes() / GIB, 1))
        .section("All sizes", PlanText.COLUMNS, table(result));
    return page.facts(facts);
  }

  private static List<Stop> stops(SimulationResult result) {
    return result.sizes().stream()
        .map(size -> new Stop(Sizes.format(size.fastBytes()), Math.log((double) size.fastBytes())))
        .toList();
  }

  private static double most(SimulationResult result) {
    return result.sizes().stream().mapToDouble(size -> size.spilledBytes() / GIB).max().orElse(0);
  }

  private static String curve(
      SimulationResult result,
      String title,
      double most,
      ToDoubleFunction<SizeResult> figure,
      int colour) {
    CurveChart chart =
        CurveChart.linear(title, stops(result), most)
            .curve(
                Palette.colour(colour),
                result.sizes().stream().map(size -> figure.applyAsDouble(size)).toList());
    result
        .recommended()
        .ifPresent(size -> chart.highlight(result.sizes().indexOf(size), "recommended"));
    return chart.markup();
  }

  private static String table(SimulationResult result) {
    List<List<String>> rows = new ArrayList<>();
    for (SizeResult size : result.sizes()) {
      List<String> row = new ArrayList<>(PlanText.row(result, size));
      row.set(0, result.recommends(size) ? "+enough" : "");
      rows.add(row);
    }
    return Page.table(PlanText.HEADS, rows);
  }
}
