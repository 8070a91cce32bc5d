// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.Mover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.room.capacity.StorageIdentity;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of a node: makes the ways down, counts what becomes of each batch, and waits for those
 * of an application that ends. All ways to one file system place by one {@link Placer}, which knows
 * that file system alone: one that hangs is touched by those only who move to it. Safe for use by
 * many threads.
 */
final class Moves {
  private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

  private static final long LOOK_MILLIS = 10;

  private static final Duration LONGEST_MOVE = Duration.ofHours(1);

  private final TierSettings settings;
  private final MoveContext context;
  private final DemotionHost host;
  private final DemotionTally tally;
  private final Function<Candidate, Mover> movers;
  private final Consumer<String> leftovers;
  private final Map<List<LocalDir>, Placer> placers = new ConcurrentHashMap<>();
  private final Set<MoveGate> current = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * No moves yet.
   *
   * @param movers who moves an output
   * @param leftovers told of an application of which something may be left that could not be taken
   *     back
   */
  Moves(
      TierSettings settings,
      MoveContext context,
      DemotionHost host,
      DemotionTally tally,
      Function<Candidate, Mover> movers,
      Consumer<String> leftovers) {
    this.settings = settings;
    this.context = context;
    this.host = host;
    this.tally = tally;
    this.movers = movers;
    this.leftovers = leftovers;
  }

  /** The ways to the dirs of a tier, for one dir above. */
  List<MoveRouter.Lane> lanes(Tier tier) {
    return pools(tier).stream()
        .map(
            pool ->
                new MoveRouter.Lane(pool, placers.computeIfAbsent(pool, key -> placer(tier, pool))))
        .collect(Immutable.toList());
  }

  /** The dirs of a tier, those that share their room together. */
  private List<List<LocalDir>> pools(Tier tier) {
    List<Map.Entry<LocalDir, StorageIdentity>> identities = new ArrayList<>();
    for (LocalDir dir : tier.dirs()) {
      StorageIdentity identity;
      try {
        identity = context.look(dir, () -> StorageIdentity.of(dir.path()));
      } catch (IOException e) {
        // It hangs, or is not there.
        identity = StorageIdentity.UNKNOWN;
      }
      identities.add(Immutable.entry(dir, identity));
    }
    return StorageIdentity.together(identities);
  }

  private Placer placer(Tier tier, List<LocalDir> pool) {
    TierSettings fastFirst =
        settings.toBuilder()
            .largeSizeBytes(TierSettings.DEFAULT.largeSizeBytes())
            .limits(FillLimits.NONE)
            // A claim ends with its move, however long that takes.
            .claimIdle(LONGEST_MOVE)
            .build();
    TierLayout alone =
        TierLayout.of(Immutable.listOf(Tier.of(tier.medium(), pool, tier.reserve())));
    return new Placer(NodeTiers.of(alone, fastFirst), new PlacementListener() {});
  }

  /** The gate of a move; an {@code urgent} one waits no part long for shuffle reads. */
  MoveGate gate(String application, BooleanSupplier urgent) {
    return new MoveGate(application, host, urgent, context.pace(), tally);
  }

  /**
   * Moves outputs of one application out of one dir to where {@code below} places them. Never
   * throws.
   *
   * @param batch loses what was moved, and what there is no room for now
   * @param moved told of each that was moved
   */
  MoveResult run(List<Candidate> batch, Placer below, MoveGate gate, Consumer<Candidate> moved) {
    Candidate first = batch.get(0);
    List<Candidate> taken =
        batch.stream()
            .filter(candidate -> context.take(candidate.id()))
            .collect(Collectors.toList());
    if (taken.isEmpty()) {
      // They hang in another move, or are cleaned up after.
      return MoveResult.GIVEN_UP;
    }
    List<Candidate> tried = new ArrayList<>(taken);
    current.add(gate);
    tally.add(DemotionCounter.DEMOTION_RUNNING, 1);
    try {
      if (closed) {
        gate.cancel();
      }
      movers
          .apply(first)
          .move(
              tried,
              below,
              gate,
              (candidate, target) -> {
                moved(candidate, target);
                batch.remove(candidate);
                moved.accept(candidate);
              });
      batch.retainAll(tried);
      tally.add(DemotionCounter.DEMOTIONS_GIVEN_UP, batch.size());
      return batch.isEmpty() || tried.size() > batch.size()
          ? MoveResult.MOVED
          : MoveResult.GIVEN_UP;
    } catch (MoveStoppedException e) {
      LOG.debug("Not demoted: {}", batch, e);
      if (e.result() == MoveResult.GIVEN_UP) {
        tally.add(DemotionCounter.DEMOTIONS_GIVEN_UP, 1);
      }
      return e.result();
    } catch (IOException | RuntimeException e) {
      if (closed) {
        // Interrupted.
        return MoveResult.GIVEN_UP;
      }
      tally.failed(first.dir(), e);
      gate.left();
      return MoveResult.FAILED;
    } finally {
      tally.add(DemotionCounter.DEMOTION_RUNNING, -1);
      current.remove(gate);
      taken.forEach(candidate -> context.release(candidate.id()));
      if (gate.leftAny()) {
        leftovers.accept(first.id().application());
      }
    }
  }

  private void moved(Candidate candidate, LocalDir target) {
    tally.add(DemotionCounter.FILES_DEMOTED, 1);
    tally.add(DemotionCounter.BYTES_DEMOTED, candidate.stamp().bytes());
    tally.worked(candidate.dir());
    LOG.debug("Demoted {} to {}", candidate, target);
    host.demoted(
        PlacementRequest.of(
            candidate.id().relativePath() + "/" + MapOutputId.DATA,
            FileKind.MAP_OUTPUT,
            candidate.stamp().bytes(),
            true,
            candidate.id().application(),
            0),
        FillGauge.demotion(candidate.dir(), target));
    host.moved(candidate.id());
  }

  /** Waits for the end of the chosen moves; false when one is still under way after that time. */
  boolean awaitOver(Predicate<MoveGate> chosen, Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    try {
      while (current.stream().anyMatch(chosen)) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  /** Stops all, also those that are yet to begin. */
  void close() {
    closed = true;
    current.forEach(MoveGate::cancel);
  }

  /** Releases what is claimed, on threads of {@code closing}: a disk that hangs keeps its own. */
  void release(Executor closing) {
    placers.values().forEach(placer -> closing.execute(placer::close));
  }
}
