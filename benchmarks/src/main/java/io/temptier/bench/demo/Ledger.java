// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.OfPhase;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import io.temptier.tier.Reason;
import io.temptier.tier.journal.PlacementRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up what the journals and the walks over the local dirs tell. The files of tasks are counted
 * by the journals, which know the real size of each however short it lived; container work dirs and
 * localized files, which the NodeManager places as folders, by what was seen in them. Thread safe.
 */
final class Ledger {
  private final List<PlacementRecord> records = new ArrayList<>();
  private final Map<Path, Seen> seen = new HashMap<>();

  private record Seen(Medium medium, String path, long bytes) {}

  private record Refusal(Medium medium, Reason reason) {}

  synchronized void add(PlacementRecord record) {
    records.add(record);
  }

  synchronized void seen(Medium medium, Path dir, String path, long bytes) {
    seen.merge(
        dir.resolve(path),
        new Seen(medium, path, bytes),
        (old, now) -> now.bytes > old.bytes ? now : old);
  }

  /** Where the bytes of an application went, by phase and tier. */
  synchronized List<OfPhase> phases(String application) {
    Map<Phase, Map<Medium, Tally>> phases = new EnumMap<>(Phase.class);
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.SETTLED
          && application.equals(record.application())) {
        Phase phase = Phase.of(record.kind(), record.path());
        if (!countedOnDisk(phase)) {
          add(phases, phase, record.medium(), record.bytes());
        }
      }
    }
    boolean journalled = !phases.isEmpty();
    for (Seen file : seen.values()) {
      Phase phase = Phase.ofFile(file.path);
      if (file.path.contains(application) && (countedOnDisk(phase) || !journalled)) {
        add(phases, phase, file.medium, file.bytes);
      }
    }
    List<OfPhase> rows = new ArrayList<>();
    phases.forEach(
        (phase, media) ->
            media.forEach((medium, tally) -> rows.add(new OfPhase(phase.label(), medium, tally))));
    return rows;
  }

  /**
   * How many files of an application tiers refused, and why, with their real sizes. A file whose
   * size the journals never learnt counts with its known expected size, else with no bytes.
   */
  synchronized List<Refused> refusals(String application) {
    Map<String, Long> sizes = new HashMap<>();
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.SETTLED) {
        sizes.merge(file(record), record.bytes(), Math::max);
      }
    }
    Map<Refusal, Tally> refusals = new HashMap<>();
    for (PlacementRecord record : records) {
      if (record.event() == PlacementRecord.Event.PLACED
          && application.equals(record.application())) {
        long expected = record.sizeKnown() ? record.bytes() : 0;
        Tally tally = Tally.of(sizes.getOrDefault(file(record), expected));
        for (Placement.Refusal refusal : record.refusals()) {
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

  private static String file(PlacementRecord record) {
    return record.dir() + "/" + record.path();
  }

  private static boolean countedOnDisk(Phase phase) {
    return switch (phase) {
      case WORK_DIR, LOCALIZED, DEMOTION, OTHER -> true;
      default -> false;
    };
  }

  private static void add(
      Map<Phase, Map<Medium, Tally>> phases, Phase phase, Medium medium, long bytes) {
    phases
        .computeIfAbsent(phase, p -> new EnumMap<>(Medium.class))
        .merge(medium, Tally.of(bytes), Tally::plus);
  }

  /** What a temporary file is for, told apart by side. */
  enum Phase {
    /** Sorted runs of map tasks. */
    MAP_SPILL("map spills"),
    MAP_MERGE("map merges"),
    MAP_OUTPUT("map outputs"),
    /** Map outputs that reducers fetched to disk. */
    REDUCE_SEGMENT("reduce segments"),
    REDUCE_MERGE("reduce merges"),
    /** Indexes beside spills and map outputs. */
    INDEX("indexes"),
    /**
     * What demotion copies from a fast tier to a slower one, map outputs that are counted above.
     */
    DEMOTION("demotion's copies"),
    LOCALIZED("localized files"),
    WORK_DIR("work dirs"),
    /** Tokens, scripts, pid files, and whatever else there is. */
    OTHER("other");

    /** How demotion calls a copy until it is whole. */
    private static final String DEMOTION_COPY = ".temptier-demotion.";

    private final String label;

    Phase(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    /**
     * The phase of a file.
     *
     * @param path where, absolute or relative to a local dir
     */
    static Phase of(FileKind kind, String path) {
      return switch (kind) {
        case SPILL -> MAP_SPILL;
        case MAP_OUTPUT -> MAP_OUTPUT;
        case FETCHED_SEGMENT -> REDUCE_SEGMENT;
        case MERGE -> path.matches(".*attempt_\\d+_\\d+_m_.*") ? MAP_MERGE : REDUCE_MERGE;
        case INDEX -> INDEX;
        case LOCALIZED_RESOURCE -> LOCALIZED;
        case WORK_DIR -> WORK_DIR;
        case NM_PRIVATE, UPLOAD_BUFFER, CACHED_BLOCK, OTHER -> OTHER;
      };
    }

    /**
     * The phase of a file seen on disk. Below a container's working directory everything is part of
     * it, and below a file cache everything is localized.
     */
    static Phase ofFile(String path) {
      if (path.contains("/" + DEMOTION_COPY)) {
        return DEMOTION;
      }
      if (path.contains("/container_") && !path.startsWith("nmPrivate")) {
        return WORK_DIR;
      }
      if (path.contains("filecache/")) {
        return LOCALIZED;
      }
      return of(FileKind.of(path), path);
    }
  }
}
