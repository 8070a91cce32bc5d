// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.report.Chart;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.status.TierSum;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.lang.Immutable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one node or of many on one axis of time, in steps of five minutes or of more where
 * there would be too many. Nodes add up; of a node's samples within a step the fullest counts.
 */
final class FillTimeline {
  private static final long STEP_MILLIS = 300_000;
  private static final int MOST_STEPS = 300;
  private static final long DAY_MILLIS = 86_400_000;

  /** What happened in one step: tiers of each node, by node and medium. */
  private static final class Step {
    final Map<String, Map<String, TierSum>> nodes = new HashMap<>();
    long bytesDemoted;

    void add(JsonNode sample) {
      bytesDemoted += sample.path("bytesDemoted").asLong();
      Map<String, TierSum> node =
          nodes.computeIfAbsent(sample.path(HistoryData.NODE).asText(), any -> new HashMap<>());
      for (JsonNode tier : sample.path("tiers")) {
        TierSum sum = TierSum.of(tier);
        node.merge(sum.medium(), sum, TierSum::then);
      }
    }

    Stream<TierSum> tiers() {
      return nodes.values().stream().flatMap(node -> node.values().stream());
    }

    Stream<TierSum> tiers(String medium) {
      return tiers().filter(tier -> tier.medium().equals(medium));
    }
  }

  private final TreeSet<String> media = new TreeSet<>(TierSum.FASTEST_FIRST);
  private final long stepMillis;
  private final List<String> at = new ArrayList<>();
  private final List<@Nullable Step> each = new ArrayList<>();
  private final boolean many;

  /** Of at least one sample, in any order. */
  FillTimeline(List<JsonNode> samples) {
    LongSummaryStatistics times =
        samples.stream().mapToLong(HistoryData::fromMillis).summaryStatistics();
    long span = times.getMax() - times.getMin();
    stepMillis = STEP_MILLIS * (1 + span / STEP_MILLIS / MOST_STEPS);
    TreeMap<Long, Step> steps = new TreeMap<>();
    samples.stream()
        .sorted(Comparator.comparingLong(HistoryData::fromMillis))
        .forEach(
            sample ->
                steps
                    .computeIfAbsent(
                        Math.floorDiv(HistoryData.fromMillis(sample), stepMillis),
                        any -> new Step())
                    .add(sample));
    many = samples.stream().map(one -> one.path(HistoryData.NODE)).distinct().count() > 1;
    steps.values().stream().flatMap(Step::tiers).map(TierSum::medium).forEach(media::add);
    DateTimeFormatter label =
        DateTimeFormatter.ofPattern(span < DAY_MILLIS / 2 ? "HH:mm" : "MM-dd HH:mm", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    for (long step = steps.firstKey(); step <= steps.lastKey(); step++) {
      at.add(label.format(Instant.ofEpochMilli(step * stepMillis)));
      each.add(steps.get(step));
    }
  }

  /** How much of each tier was used; of many nodes also the fullest one of the fastest tier. */
  Chart used() {
    List<Series> series = new ArrayList<>(byMedium(tier -> 100 * tier.fill()));
    if (many && !media.isEmpty()) {
      String fastest = media.first();
      series.add(
          figures(
              fastest + ", fullest node",
              step ->
                  step.tiers(fastest)
                      .map(tier -> 100 * tier.fill())
                      .max(Comparator.naturalOrder())));
    }
    return chart(Kind.LINE, "Used, in the fullest moment", Axis.of("used", "%").upTo(100), series);
  }

  Chart written() {
    return chart(
        Kind.COLUMNS,
        "Written " + perStep(),
        Axis.of("written", "bytes"),
        byMedium(tier -> (double) tier.get(TierCounter.BYTES_PLACED)));
  }

  /** What went to a slower tier than the fastest, at once or later. */
  Chart spilled() {
    TierCounter spilled = TierCounter.BYTES_SPILLED_HERE;
    return chart(
        Kind.COLUMNS,
        "Spilled at once, and demoted later, " + perStep(),
        Axis.of("moved down", "bytes"),
        Immutable.listOf(
            figures(
                "spilled",
                step -> step.tiers().map(it -> 1.0 * it.get(spilled)).reduce(Double::sum)),
            figures("demoted", step -> Optional.of((double) step.bytesDemoted))));
  }

  private List<Series> byMedium(Function<TierSum, Double> of) {
    return media.stream()
        .map(medium -> figures(medium, step -> step.tiers(medium).reduce(TierSum::plus).map(of)))
        .collect(Immutable.toList());
  }

  /** A figure of each step; a gap where there is none. */
  private Series figures(String name, Function<Step, Optional<Double>> figure) {
    return Series.of(
        name,
        each.stream()
            .map(step -> step == null ? null : figure.apply(step).orElse(null))
            .collect(Immutable.toList()));
  }

  private String perStep() {
    return "in " + stepMillis / 60_000 + " minutes";
  }

  private Chart chart(Kind kind, String title, Axis y, List<Series> series) {
    return Chart.of(kind, title, Axis.of("time, UTC", ""), y, at, series);
  }
}
