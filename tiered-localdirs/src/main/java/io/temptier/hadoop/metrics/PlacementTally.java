// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Adds up what was placed on this node: by the NodeManager, as a listener, and by tasks, from the
 * records of their journals. Safe for use by many threads.
 */
public final class PlacementTally implements PlacementListener {
  private final long pid = ProcessTable.ownPid();
  private final Map<Medium, Map<TierCounter, LongAdder>> byTier = new EnumMap<>(Medium.class);
  private final Map<TierCounter, LongAdder> ofNode = adders(TierCounter.Scope.NODE);
  private final Map<Path, LongAdder> expectedByDir = new ConcurrentHashMap<>();
  private volatile Consumer<PlacementRecord> other = record -> {};

  public PlacementTally() {
    for (Medium medium : Medium.values()) {
      byTier.put(medium, adders(TierCounter.Scope.TIER));
    }
  }

  private static Map<TierCounter, LongAdder> adders(TierCounter.Scope scope) {
    Map<TierCounter, LongAdder> adders = new EnumMap<>(TierCounter.class);
    for (TierCounter counter : TierCounter.of(scope)) {
      if (counter.definition().type() == TierCounter.Type.COUNTER) {
        adders.put(counter, new LongAdder());
      }
    }
    return adders;
  }

  public void also(Consumer<PlacementRecord> another) {
    other = another;
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    record(PlacementRecord.Event.PLACED, request, placement, request.bytes());
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    record(PlacementRecord.Event.SETTLED, request, placement, bytes);
  }

  @Override
  public void dirFailed(LocalDir dir, String error) {
    add(TierCounter.DIR_ERRORS, dir.medium(), 1);
  }

  private void record(
      PlacementRecord.Event event, PlacementRequest request, Placement placement, long bytes) {
    PlacementRecord record =
        PlacementRecord.of(System.currentTimeMillis(), pid, event, request, placement, bytes);
    accept(record);
    other.accept(record);
  }

  /** Counts an event, whoever it was recorded by. */
  public void accept(PlacementRecord record) {
    Placement placement = record.placement();
    Medium medium = placement.dir().medium();
    switch (record.event()) {
      case PLACED:
        add(TierCounter.FILES_PLACED, medium, 1);
        expectedByDir
            .computeIfAbsent(placement.dir().path(), key -> new LongAdder())
            .add(record.bytes());
        if (placement.reason() == Reason.OVER_RESERVE) {
          add(TierCounter.FILES_OVER_RESERVE, medium, 1);
        }
        if (placement.spilledDown()) {
          add(TierCounter.FILES_SPILLED_HERE, medium, 1);
          add(TierCounter.FILES_SPILLED_DOWN, 1);
        }
        for (Placement.Refusal refusal : placement.refusals()) {
          TierCounter.refusedFor(refusal.reason())
              .ifPresent(counter -> add(counter, refusal.medium(), 1));
        }
        break;
      case SETTLED:
        add(TierCounter.BYTES_PLACED, medium, record.bytes());
        if (placement.spilledDown()) {
          add(TierCounter.BYTES_SPILLED_HERE, medium, record.bytes());
          add(TierCounter.BYTES_SPILLED_DOWN, record.bytes());
        }
        break;
      case DEMOTED:
        demoted(record.bytes());
        break;
    }
  }

  /** Counts a file that was moved to a slower tier. */
  public void demoted(long bytes) {
    add(TierCounter.BLOCKS_DEMOTED, 1);
    add(TierCounter.BLOCK_BYTES_DEMOTED, bytes);
  }

  /** Expected sizes of the files that went to {@code dir}. */
  public long expectedBytes(LocalDir dir) {
    LongAdder bytes = expectedByDir.get(dir.path());
    return bytes == null ? 0 : bytes.sum();
  }

  public void add(TierCounter counter, Medium medium, long n) {
    adder(byTier.getOrDefault(medium, Immutable.mapOf()), counter).add(n);
  }

  public void add(TierCounter counter, long n) {
    adder(ofNode, counter).add(n);
  }

  public long get(TierCounter counter, Medium medium) {
    return adder(byTier.getOrDefault(medium, Immutable.mapOf()), counter).sum();
  }

  public long get(TierCounter counter) {
    return adder(ofNode, counter).sum();
  }

  private static LongAdder adder(Map<TierCounter, LongAdder> adders, TierCounter counter) {
    LongAdder adder = adders.get(counter);
    if (adder == null) {
      throw new IllegalArgumentException(counter + " is not counted up in this scope");
    }
    return adder;
  }
}
