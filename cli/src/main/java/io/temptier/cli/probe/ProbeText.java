// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import io.temptier.cli.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What the command prints. */
final class ProbeText {
  private static final int BAR = 40;

  /** From a microsecond to ten seconds. */
  private static final double DECADES = 7;

  /** What a latency of a dir without direct I/O is worth. */
  static final String CACHED =
      "(cached): its file system knows no direct I/O, so this is the page cache's latency.";

  private ProbeText() {}

  /** Says what was measured. */
  static void result(PrintWriter out, TierOrder order) {
    List<ProbedDir> dirs = order.tiers().stream().flatMap(List::stream).toList();
    Table table =
        new Table(
            "DIR",
            "MEDIUM",
            ">READ MB/S",
            ">WRITE MB/S",
            ">4K/S",
            ">MEAN",
            ">P50",
            ">P99",
            ">P99.9",
            ">P99.99",
            ">P99.999",
            ">MAX");
    for (ProbedDir dir : dirs) {
      Latency mix = dir.profile().mix();
      table.row(
          dir.path().toString(),
          dir.medium() + (dir.profile().direct() ? "" : " (cached)"),
          number(dir.profile().readMbps()),
          number(dir.profile().writeMbps()),
          number(dir.profile().requestsPerSecond()),
          micros(mix.mean()),
          micros(mix.p50()),
          micros(mix.p99()),
          micros(mix.p999()),
          micros(mix.p9999()),
          micros(mix.p99999()),
          micros(mix.max()));
    }
    table.print(out, "");
    out.println();
    out.println("4 kB anywhere, one request at a time, 70 % reads: = up to the mean, - up to p99");
    for (ProbedDir dir : dirs) {
      Latency mix = dir.profile().mix();
      int mean = signs(mix.mean());
      int most = Math.max(mean, signs(mix.p99()));
      out.println(
          "  |"
              + "=".repeat(mean)
              + "-".repeat(most - mean)
              + " ".repeat(BAR - most)
              + "| "
              + dir.path());
    }
    out.println("   1 us, each tenth of the line about 5 times as long, 10 s at its end");
    out.println();
    for (int i = 0; i < order.tiers().size(); i++) {
      out.println(
          "Tier "
              + (i + 1)
              + ": "
              + String.join(
                  ", ", order.tiers().get(i).stream().map(dir -> dir.path().toString()).toList()));
    }
    out.println("temptier.local-dirs = " + order.suggestion());
    order.warnings().forEach(warning -> out.println("WARNING: " + warning));
    if (dirs.stream().anyMatch(dir -> !dir.profile().direct())) {
      out.println(CACHED);
    }
  }

  private static int signs(double micros) {
    return (int) Math.round(Math.min(1, Math.log10(Math.max(1, micros)) / DECADES) * BAR);
  }

  /** A latency for people. */
  static String micros(double micros) {
    return micros < 1000
        ? String.format(Locale.ROOT, "%.0f us", micros)
        : String.format(Locale.ROOT, "%.1f ms", micros / 1000);
  }

  /** A rate for people. */
  static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }
}
