// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.Down;
import io.temptier.bench.demo.DemoResult.OfPhase;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the journals of placements tell of the files of tasks: they know the real size of
 * each, however short it lived.
 *
 * @param records of any applications
 * @param application whose are added up
 */
record JournalSummary(List<PlacementRecord> records, String application) {
  private record Cause(Medium medium, String why, boolean later) {}

  /** Where the bytes of its tasks went, by phase and tier. */
  List<OfPhase> phases() {
    Map<Phase, Map<Medium, Tally>> phases = new EnumMap<>(Phase.class);
    for (PlacementRecord record : records) {
      Phase phase = Phase.of(record);
      if (phase != null
          && record.event() == PlacementRecord.Event.SETTLED
          && application.equals(record.application())) {
        phases
            .computeIfAbsent(phase, any -> new EnumMap<>(Medium.class))
            .merge(record.medium(), Tally.of(record.bytes()), Tally::plus);
      }
    }
    List<OfPhase> rows = new ArrayList<>();
    phases.forEach(
        (phase, media) ->
            media.forEach((medium, tally) -> rows.add(new OfPhase(phase.label, medium, tally))));
    return rows;
  }

  /**
   * How many of its files a tier refused or gave up later, and why, with their real sizes. A file
   * whose size the journals never learnt counts with its known expected size, else with no bytes.
   */
  List<Down> downs() {
    Map<String, Long> sizes = new HashMap<>();
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.SETTLED) {
        sizes.merge(file(record), record.bytes(), Math::max);
      }
    }
    Map<Cause, Tally> downs = new LinkedHashMap<>();
    for (PlacementRecord record : records) {
      boolean later = record.event() == PlacementRecord.Event.DEMOTED;
      if ((later || record.event() == PlacementRecord.Event.PLACED)
          && application.equals(record.application())) {
        long known = later || record.sizeKnown() ? record.bytes() : 0;
        Tally tally = Tally.of(later ? known : sizes.getOrDefault(file(record), known));
        for (Placement.Refusal refusal : record.refusals()) {
          downs.merge(cause(refusal, later), tally, Tally::plus);
        }
      }
    }
    List<Down> rows = new ArrayList<>();
    downs.forEach(
        (cause, tally) -> rows.add(new Down(cause.medium, cause.why, cause.later, tally)));
    return rows;
  }

  private static Cause cause(Placement.Refusal refusal, boolean later) {
    String why =
        !later
            ? refusal.reason().text()
            : refusal.reason() == Reason.DRAINING
                ? "moved down later: its dir was drained"
                : "moved down later: above temptier.demotion.high";
    return new Cause(refusal.medium(), why, later);
  }

  private static String file(PlacementRecord record) {
    return record.dir() + "/" + record.path();
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
      return switch (record.kind()) {
        case SPILL -> MAP_SPILL;
        case MAP_OUTPUT -> MAP_OUTPUT;
        case FETCHED_SEGMENT -> REDUCE_SEGMENT;
        case MERGE -> record.path().matches(".*attempt_\\d+_\\d+_m_.*") ? MAP_MERGE : REDUCE_MERGE;
        case INDEX -> INDEX;
        default -> null;
      };
    }
  }
}
