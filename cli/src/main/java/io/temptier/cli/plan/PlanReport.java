// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Table;
import io.temptier.cli.plan.SimulationResult.SizeResult;
import io.temptier.cli.report.Chart;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Mark;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.report.MachineFacts;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import io.temptier.tier.Sizes;
import io.temptier.tier.lang.Immutable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The result as a page: what each size of the fast disk is worth. */
final class PlanReport {
  private static final String TITLE = "TempTier: how large should the fast disk be?";

  private PlanReport() {}

  static Page of(
      ClusterModel model, SimulationResult result, String trace, Map<String, String> facts) {
    SimulationResult.NodeBytes bytes = result.nodeBytes();
    Map<String, String> tiles = new LinkedHashMap<>();
    tiles.put("tasks", String.format(Locale.ROOT, "%,d", result.tasks()));
    tiles.put("temp data of a node, median", Sizes.format(bytes.p50()));
    tiles.put("its 95th percentile", Sizes.format(bytes.p95()));
    tiles.put("its 99th percentile", Sizes.format(bytes.p99()));
    tiles.put("its peak", Sizes.format(bytes.max()));
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put(MachineFacts.TRACE, trace);
    Table<SizeResult> columns = PlanText.columns(result, Page.GOOD + "enough", false);
    Page page = new Page(TITLE);
    page.head(
        TITLE,
        Badge.of(
            result
                .recommended()
                .map(size -> Sizes.format(size.fastBytes()) + " is enough")
                .orElse(
                    result.saysTooLittle() ? "too little data" : "none of these sizes is enough"),
            result.recommended().isPresent(),
            MachineFacts.doubts(all)),
        String.format(
            Locale.ROOT,
            "%,d jobs on %,d nodes with %d containers each, for %.2f days, by %s. Trace: %s",
            result.jobs(),
            model.nodes(),
            model.containers(),
            result.days(),
            model.settings().policy(),
            trace));
    if (!result.recommended().isPresent()) {
      page.note(PlanText.noSize(result) + ".");
    }
    result.wearsOut().ifPresent(size -> page.note(PlanText.wearsOut(result, size)));
    result.of(model.presentSize()).ifPresent(today -> page.note(PlanText.gain(result, today)));
    page.tiles(tiles)
        .section(
            "What the fast disk takes",
            "Of all temporary bytes, those written to it; and those written to the slow disks, as"
                + " it had no room. Marked: the smallest of these sizes that spills no more than 1"
                + " % and lasts.",
            chart(
                    result,
                    "Hit share of the fast disk",
                    Axis.of("hit share", "%").upTo(100),
                    Series.of("hit share", figures(result, size -> 100 * size.hitShare())))
                + chart(
                    result,
                    "Spilled to the slow disks",
                    Axis.of("written to slow disks", "bytes"),
                    Series.of("spilled", figures(result, SizeResult::spilledBytes))))
        .section("All sizes", PlanText.EXPLANATION, Page.table(columns.cells(result.sizes())));
    return page.facts(all);
  }

  private static List<Double> figures(
      SimulationResult result, ToDoubleFunction<SizeResult> figure) {
    return result.sizes().stream()
        .map(size -> figure.applyAsDouble(size))
        .collect(Immutable.toList());
  }

  private static String chart(SimulationResult result, String title, Axis y, Series series) {
    return Chart.of(
            Kind.LINE,
            title,
            Axis.of("fast disk of a node", "bytes").logarithmic(),
            y,
            result.sizes().stream().map(SizeResult::fastBytes).collect(Immutable.toList()),
            Immutable.listOf(series),
            result
                .recommended()
                .map(Stream::of)
                .orElseGet(Stream::empty)
                .map(size -> Mark.of(true, (double) size.fastBytes(), "recommended"))
                .collect(Immutable.toList()))
        .markup();
  }
}
