// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.MediumOrder;
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
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one node or of many on one axis of time, in steps of five minutes or of more where
 * there would be too many. Nodes add up; of a node's samples within a step the fullest counts.
 */
final class FillTimeline {
  private static final long STEP_MILLIS = 300_000;
  private static final int MOST_STEPS = 300;
  private static final long DAY_MILLIS = 86_400_000;

  /** All nodes in one step. */
  private static final class Step {
    final Map<String, TierSum> sums = new HashMap<>();
    final Map<String, Double> fullest = new HashMap<>();
    long bytesDemoted;
  }

  private final TreeMap<Long, Step> steps = new TreeMap<>();
  private final TreeMap<String, Integer> media = new TreeMap<>(MediumOrder.FASTEST_FIRST);
  private final long stepMillis;
  private final List<String> at = new ArrayList<>();
  private final List<@Nullable Step> each = new ArrayList<>();
  private final boolean many;

  /** Of at least one sample, in any order. */
  FillTimeline(List<FillSample> samples) {
    long from = samples.stream().mapToLong(FillSample::fromMillis).min().getAsLong();
    long to = samples.stream().mapToLong(FillSample::fromMillis).max().getAsLong();
    stepMillis = STEP_MILLIS * (1 + (to - from) / STEP_MILLIS / MOST_STEPS);
    many = samples.stream().map(FillSample::node).distinct().count() > 1;
    Map<String, FillSample> byNodeAndStep = new TreeMap<>();
    samples.stream()
        .sorted(Comparator.comparingLong(FillSample::fromMillis))
        .forEach(
            one ->
                byNodeAndStep.merge(
                    Math.floorDiv(one.fromMillis(), stepMillis) + " " + one.node(),
                    one,
                    FillSample::then));
    byNodeAndStep.values().forEach(this::add);
    DateTimeFormatter label =
        DateTimeFormatter.ofPattern(
                to - from < DAY_MILLIS / 2 ? "HH:mm" : "MM-dd HH:mm", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    for (long step = steps.firstKey(); step <= steps.lastKey(); step++) {
      at.add(label.format(Instant.ofEpochMilli(step * stepMillis)));
      each.add(steps.get(step));
    }
  }

  private void add(FillSample sample) {
    Step step =
        steps.computeIfAbsent(Math.floorDiv(sample.fromMillis(), stepMillis), any -> new Step());
    step.bytesDemoted += sample.bytesDemoted();
    sample
        .tiers()
        .forEach(
            (medium, tier) -> {
              media.merge(medium, 1, Integer::sum);
              step.sums.merge(medium, tier, TierSum::plus);
              step.fullest.merge(medium, tier.fill(), Math::max);
            });
  }

  /** How much of each tier was used; of many nodes also the fullest one of the fastest tier. */
  Chart used() {
    List<Series> series = new ArrayList<>();
    media.keySet().forEach(medium -> series.add(seriesOf(medium, tier -> 100 * tier.fill())));
    if (many && !media.isEmpty()) {
      String fastest = media.firstKey();
      series.add(
          figures(
              fastest + ", fullest node",
              step -> {
                Double used = step.fullest.get(fastest);
                return used == null ? null : 100 * used;
              }));
    }
    return chart(Kind.LINE, "Used, in the fullest moment", Axis.of("used", "%").upTo(100), series);
  }

  /** What was written to each tier. */
  Chart written() {
    return chart(
        Kind.COLUMNS,
        "Written " + perStep(),
        Axis.of("written", "bytes"),
        media.keySet().stream()
            .map(medium -> seriesOf(medium, tier -> tier.get(TierCounter.BYTES_PLACED)))
            .collect(Immutable.toList()));
  }

  /** What went to a slower tier than the fastest, at once or later. */
  Chart spilled() {
    return chart(
        Kind.COLUMNS,
        "Spilled at once, and demoted later, " + perStep(),
        Axis.of("moved down", "bytes"),
        Immutable.listOf(
            figures("spilled", step -> sum(step, TierCounter.BYTES_SPILLED_HERE)),
            figures("demoted", step -> (double) step.bytesDemoted)));
  }

  private static double sum(Step step, TierCounter number) {
    return step.sums.values().stream().mapToDouble(tier -> tier.get(number)).sum();
  }

  private Series seriesOf(String medium, ToDoubleFunction<TierSum> of) {
    return figures(
        medium,
        step -> {
          TierSum tier = step.sums.get(medium);
          return tier == null ? null : of.applyAsDouble(tier);
        });
  }

  /** A figure of each step; a gap where there is none. */
  private Series figures(String name, Function<Step, @Nullable Double> figure) {
    return Series.of(
        name,
        each.stream()
            .map(step -> step == null ? null : figure.apply(step))
            .collect(Immutable.toList()));
  }

  private String perStep() {
    return "in " + stepMillis / 60_000 + " minutes";
  }

  private Chart chart(Kind kind, String title, Axis y, List<Series> series) {
    return Chart.of(kind, title, Axis.of("time, UTC", ""), y, at, series);
  }
}
