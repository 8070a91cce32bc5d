// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import io.temptier.cli.Table;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
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

  static void result(PrintWriter out, TierOrder order, int width) {
    List<ProbedDir> dirs = order.dirs();
    new Table<ProbedDir>()
        .add("DIR", dir -> dir.path().toString())
        .add("MEDIUM", dir -> dir.medium() + (dir.profile().direct() ? "" : " (cached)"))
        .add(">READ MB/S", dir -> number(dir.profile().readMbps()))
        .add(">WRITE MB/S", dir -> number(dir.profile().writeMbps()))
        .add(">4K/S", dir -> number(dir.profile().requestsPerSecond()))
        .add(">MEAN MS", dir -> millis(dir.profile().mix().mean()))
        .add(">P99 MS", dir -> millis(dir.profile().mix().p99()))
        .wide(">P50 MS", dir -> millis(dir.profile().mix().p50()))
        .wide(">P99.9 MS", dir -> millis(dir.profile().mix().p999()))
        .wide(">P99.99 MS", dir -> millis(dir.profile().mix().p9999()))
        .wide(">P99.999 MS", dir -> millis(dir.profile().mix().p99999()))
        .wide(">MAX MS", dir -> millis(dir.profile().mix().max()))
        .lines("", dirs, width)
        .forEach(out::println);
    out.println();
    out.println("4 kB anywhere, one request at a time, 70 % reads: = up to the mean, - up to p99");
    for (ProbedDir dir : dirs) {
      Latency mix = dir.profile().mix();
      int mean = signs(mix.mean());
      int most = Math.max(mean, signs(mix.p99()));
      String bar =
          Strings.repeat("=", mean)
              + Strings.repeat("-", most - mean)
              + Strings.repeat(" ", BAR - most);
      out.println("  |" + bar + "| " + dir.path());
    }
    out.println("   1 us, each tenth of the line about 5 times as long, 10 s at its end");
    out.println();
    for (int i = 0; i < order.tiers().size(); i++) {
      List<String> paths =
          order.tiers().get(i).stream()
              .map(dir -> dir.path().toString())
              .collect(Immutable.toList());
      out.println("Tier " + (i + 1) + ": " + String.join(", ", paths));
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

  private static String millis(double micros) {
    return String.format(Locale.ROOT, "%.2f", micros / 1000);
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
