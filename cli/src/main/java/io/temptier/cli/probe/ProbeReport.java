// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import io.temptier.cli.Table;
import io.temptier.cli.report.Chart;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.report.MachineFacts;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** The result as a page: how long requests to each dir take, and how much it moves. */
final class ProbeReport {
  private static final String TITLE = "TempTier: what these disks can do";
  private static final List<String> PERCENTILES =
      Immutable.listOf("50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "longest");

  private ProbeReport() {}

  static Page of(TierOrder order, Map<String, String> facts) {
    List<ProbedDir> dirs = order.dirs();
    List<String> warnings = order.warnings();
    List<String> doubts = new ArrayList<>(MachineFacts.doubts(facts));
    boolean cached = dirs.stream().anyMatch(dir -> !dir.profile().direct());
    if (cached) {
      doubts.add("cached");
    }
    String badge;
    switch (warnings.size()) {
      case 0:
        badge = "tags and disks agree";
        break;
      case 1:
        badge = "1 warning";
        break;
      default:
        badge = warnings.size() + " warnings";
        break;
    }
    Page page = new Page(TITLE);
    page.head(
        TITLE,
        Badge.of(badge, warnings.isEmpty(), doubts),
        "temptier.local-dirs = " + order.suggestion());
    warnings.forEach(page::note);
    if (cached) {
      page.note(ProbeText.CACHED);
    }
    return page.section(
            "How long a request takes",
            "4 kB anywhere, one request at a time, 70 % reads. So many of 100 requests took at most"
                + " so long; each line of the grid is ten times the one below it.",
            latencies(dirs))
        .section(
            "How much it moves", "One reader or writer, a megabyte at a time.", bandwidth(dirs))
        .section("Tiers", "Dirs within a factor of two at 99 % make one tier.", table(order))
        .facts(facts);
  }

  private static String latencies(List<ProbedDir> dirs) {
    return Chart.of(
            Kind.LINE,
            "Latency of a request",
            Axis.of("share of requests", ""),
            Axis.of("latency", "us").logarithmic(),
            PERCENTILES,
            dirs.stream()
                .map(dir -> Series.of(name(dir), values(dir.profile().mix())))
                .collect(Immutable.toList()))
        .markup();
  }

  private static String name(ProbedDir dir) {
    return dir.path().toString();
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
        .collect(Immutable.toList());
  }

  private static String bandwidth(List<ProbedDir> dirs) {
    return Chart.of(
            Kind.BARS,
            "One request after the other",
            Axis.of("dir", ""),
            Axis.of("bandwidth", "MB/s"),
            dirs.stream().map(ProbeReport::name).collect(Immutable.toList()),
            Immutable.listOf(
                Series.of("read", figures(dirs, DeviceProfile::readMbps)),
                Series.of("write", figures(dirs, DeviceProfile::writeMbps))))
        .markup();
  }

  private static List<Double> figures(
      List<ProbedDir> dirs, ToDoubleFunction<DeviceProfile> figure) {
    return dirs.stream()
        .map(dir -> figure.applyAsDouble(dir.profile()))
        .collect(Immutable.toList());
  }

  private static String table(TierOrder order) {
    Table<ProbedDir> columns =
        new Table<ProbedDir>()
            .add("Tier", dir -> Integer.toString(order.tierOf(dir)))
            .add("Dir", ProbeReport::name)
            .add("Medium", dir -> dir.medium().name())
            .add("The kernel says", dir -> dir.kernel().name() + ": " + dir.why())
            .add(">Requests/s", dir -> ProbeText.number(dir.profile().requestsPerSecond()))
            .add(">Mean", dir -> ProbeText.micros(dir.profile().mix().mean()))
            .add(">99 %", dir -> ProbeText.micros(dir.profile().mix().p99()));
    return Page.table(columns.cells(order.dirs()));
  }
}
