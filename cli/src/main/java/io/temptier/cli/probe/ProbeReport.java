// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import io.temptier.cli.report.BarChart;
import io.temptier.cli.report.CurveChart;
import io.temptier.cli.report.CurveChart.Stop;
import io.temptier.cli.report.LineChart;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Palette;
import io.temptier.cli.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The result as a page: how long requests to each dir take, and how much it moves. */
final class ProbeReport {
  /** Of a path, as much as fits beside a bar. */
  private static final int LABEL = 22;

  private static final List<String> PERCENTILES =
      List.of("50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "longest");

  private final TierOrder order;
  private final List<ProbedDir> dirs;

  private ProbeReport(TierOrder order) {
    this.order = order;
    this.dirs = order.tiers().stream().flatMap(List::stream).toList();
  }

  /**
   * The page.
   *
   * @param facts of the machine
   */
  static Page of(TierOrder order, Map<String, String> facts) {
    return new ProbeReport(order).page(facts);
  }

  private Page page(Map<String, String> facts) {
    int doubts = order.warnings().size();
    Page page = new Page("TempTier: what these disks can do");
    page.head(
        doubts == 0 ? "tags and disks agree" : doubts == 1 ? "1 warning" : doubts + " warnings",
        doubts == 0,
        "temptier.local-dirs = " + order.suggestion());
    order.warnings().forEach(page::note);
    if (dirs.stream().anyMatch(dir -> !dir.profile().direct())) {
      page.note(ProbeText.CACHED);
    }
    page.section(
        "How long a request takes",
        "4 kB anywhere, one request at a time, 70 % reads. So many of 100 requests took at most so"
            + " long; each line of the grid is ten times the one below it.",
        latencies());
    page.section("How much it moves", "One reader or writer, a megabyte at a time.", bandwidth());
    page.section("Tiers", "Dirs within a factor of two at 99 % make one tier.", table());
    return page.facts(facts);
  }

  private String latencies() {
    List<Stop> stops = new ArrayList<>();
    for (int i = 0; i < PERCENTILES.size(); i++) {
      stops.add(new Stop(PERCENTILES.get(i), i));
    }
    double least = Double.MAX_VALUE;
    double most = 1;
    for (ProbedDir dir : dirs) {
      List<Double> values = values(dir.profile().mix());
      least = Math.min(least, values.get(0));
      most = Math.max(most, values.get(values.size() - 1));
    }
    CurveChart chart =
        CurveChart.logarithmic("latency", stops, least, most, ProbeReport::powerOfTen);
    Map<String, String> legend = new LinkedHashMap<>();
    for (int i = 0; i < dirs.size(); i++) {
      chart.curve(Palette.colour(i), values(dirs.get(i).profile().mix()));
      legend.merge(
          Palette.colour(i), dirs.get(i).path().toString(), (one, other) -> one + ", " + other);
    }
    return LineChart.legend(legend) + chart.markup();
  }

  /** Below a tenth of a microsecond nothing is told apart. */
  private static List<Double> values(Latency latency) {
    return DoubleStream.of(
            latency.p50(),
            latency.p90(),
            latency.p99(),
            latency.p999(),
            latency.p9999(),
            latency.p99999(),
            latency.max())
        .map(micros -> Math.max(0.1, micros))
        .boxed()
        .toList();
  }

  private static String powerOfTen(double micros) {
    if (micros < 1) {
      return "0.1 us";
    }
    return micros < 1e3
        ? Math.round(micros) + " us"
        : micros < 1e6 ? Math.round(micros / 1e3) + " ms" : Math.round(micros / 1e6) + " s";
  }

  private String bandwidth() {
    BarChart bars = new BarChart("MB/s");
    for (int i = 0; i < dirs.size(); i++) {
      DeviceProfile profile = dirs.get(i).profile();
      String path = dirs.get(i).path().toString();
      String label =
          path.length() <= LABEL ? path : "…" + path.substring(path.length() - LABEL + 1);
      bar(bars, label + " read", profile.readMbps(), Palette.colour(i));
      bar(bars, "write", profile.writeMbps(), Palette.colour(i));
    }
    return bars.markup();
  }

  private static void bar(BarChart bars, String label, double mbps, String colour) {
    bars.bar(label, new Sample(List.of(mbps)), ProbeText.number(mbps), colour);
  }

  private String table() {
    List<List<String>> rows = new ArrayList<>();
    for (int tier = 0; tier < order.tiers().size(); tier++) {
      for (ProbedDir dir : order.tiers().get(tier)) {
        Latency mix = dir.profile().mix();
        rows.add(
            List.of(
                Integer.toString(tier + 1),
                dir.path().toString(),
                dir.medium().name(),
                dir.kernel().name() + ": " + dir.why(),
                ProbeText.number(dir.profile().requestsPerSecond()),
                ProbeText.micros(mix.mean()),
                ProbeText.micros(mix.p99())));
      }
    }
    return Page.table(
        List.of("Tier", "Dir", "Medium", "The kernel says", ">Requests/s", ">Mean", ">99 %"), rows);
  }
}
