// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.Moved;
import io.temptier.bench.demo.DemoResult.OfPhase;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the journals of placements tell of the files of tasks: they know the real size of
 * each, however short it lived.
 *
 * @param records of any applications
 * @param application whose are added up
 */
record JournalSummary(List<PlacementRecord> records, String application) {
  private record Refusal(Medium medium, Reason reason) {}

  /** Where the bytes of its tasks went, by phase and tier. */
  List<OfPhase> phases() {
    Map<Phase, Map<Medium, Tally>> phases = new EnumMap<>(Phase.class);
    for (PlacementRecord record : records) {
      Phase phase = Phase.of(record);
      if (phase != null
          && record.event() == PlacementRecord.Event.SETTLED
          && application.equals(record.request().application())) {
        phases
            .computeIfAbsent(phase, any -> new EnumMap<>(Medium.class))
            .merge(record.placement().dir().medium(), Tally.of(record.bytes()), Tally::plus);
      }
    }
    List<OfPhase> rows = new ArrayList<>();
    phases.forEach(
        (phase, media) ->
            media.forEach((medium, tally) -> rows.add(new OfPhase(phase.label, medium, tally))));
    return rows;
  }

  /**
   * How many of its files tiers refused, and why, with their real sizes. A file whose size the
   * journals never learnt counts with its known expected size, else with no bytes.
   */
  List<Refused> refusals() {
    Map<String, Long> sizes = new HashMap<>();
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.SETTLED) {
        sizes.merge(file(record), record.bytes(), Math::max);
      }
    }
    Map<Refusal, Tally> refusals = new HashMap<>();
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.PLACED
          && application.equals(record.request().application())) {
        long expected = record.request().sizeKnown() ? record.bytes() : 0;
        Tally tally = Tally.of(sizes.getOrDefault(file(record), expected));
        for (Placement.Refusal refusal : record.placement().refusals()) {
          refusals.merge(new Refusal(refusal.medium(), refusal.reason()), tally, Tally::plus);
        }
      }
    }
    return refusals.entrySet().stream()
        .map(
            one ->
                new Refused(
                    one.getKey().medium(),
                    one.getKey().reason(),
                    one.getKey().reason().text(),
                    one.getValue()))
        .sorted(Comparator.comparingLong(refused -> -refused.tally().files()))
        .toList();
  }

  /**
   * What was demoted, by tiers and cause.
   *
   * @param startMillis when the samples' seconds began
   */
  List<Moved> moved(long startMillis) {
    Map<String, Moved> moved = new TreeMap<>();
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.DEMOTED
          && application.equals(record.request().application())) {
        Placement.Refusal from = record.placement().refusals().get(0);
        String why =
            from.reason() == Reason.DRAINING
                ? "moved down later: its dir was drained"
                : "moved down later: above temptier.demotion.high";
        double at = DemoResult.tenths((record.timeMillis() - startMillis) / 1000.0);
        Medium to = record.placement().dir().medium();
        Moved one = new Moved(from.medium(), to, why, at, at, DemoResult.Tally.of(record.bytes()));
        moved.merge(
            from.medium() + ">" + to + why,
            one,
            (some, more) ->
                new Moved(
                    some.from(),
                    some.to(),
                    why,
                    Math.min(some.fromSeconds(), more.fromSeconds()),
                    Math.max(some.toSeconds(), more.toSeconds()),
                    some.tally().plus(more.tally())));
      }
    }
    return List.copyOf(moved.values());
  }

  private static String file(PlacementRecord record) {
    return record.placement().dir().path() + "/" + record.request().path();
  }

  /** What a file of a task is for, told apart by side. */
  private enum Phase {
    MAP_SPILL("map spills"),
    MAP_MERGE("map merges"),
    MAP_OUTPUT("map outputs"),
    REDUCE_SEGMENT("reduce segments"),
    REDUCE_MERGE("reduce merges"),
    INDEX("indexes");

    private final String label;

    Phase(String label) {
      this.label = label;
    }

    /** The phase of a task's file; null of what the NodeManager places. */
    static @Nullable Phase of(PlacementRecord record) {
      return switch (record.request().kind()) {
        case SPILL -> MAP_SPILL;
        case MAP_OUTPUT -> MAP_OUTPUT;
        case FETCHED_SEGMENT -> REDUCE_SEGMENT;
        case MERGE ->
            record.request().path().matches(".*attempt_\\d+_\\d+_m_.*") ? MAP_MERGE : REDUCE_MERGE;
        case INDEX -> INDEX;
        default -> null;
      };
    }
  }
}
