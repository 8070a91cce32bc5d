// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.Threads;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.room.SharedRoom;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of a node: makes the ways down, chooses among them, counts what becomes of each batch,
 * and waits for those of an application that ends. All ways to one file system place by one {@link
 * Placer}, which knows that file system alone: one that hangs is touched by those only who move to
 * it. Safe for use by many threads.
 */
final class Moves {
  private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

  private static final long LOOK_MILLIS = 10;
  private static final long LOOK_AT_MOVE_MILLIS = 200;
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final Duration LONGEST_MOVE = Duration.ofHours(1);

  /**
   * The way from one dir to one file system. Moves go one at a time, each on a spare thread. When
   * that thread hangs in a disk, nobody waits for it any more, and no other move begins here until
   * it comes back.
   */
  static final class Lane {
    private final List<LocalDir> targets;
    private final Placer placer;

    /** The move that runs here, or hangs; null when none does. */
    private final AtomicReference<@Nullable MoveGate> taken = new AtomicReference<>();

    /** Time when the last move failed, after which the lane is left alone for a while. */
    private @Nullable Long failedNanos;

    Lane(List<LocalDir> targets, Placer placer) {
      this.targets = targets;
      this.placer = placer;
    }
  }

  private final TierSettings settings;
  private final MoveContext context;
  private final Demoter.Host host;
  private final DemotionTally tally;
  private final Function<Candidate, Mover> movers;

  /** Told of an application of which something may be left that could not be taken back. */
  private final Consumer<String> leftovers;

  private final Map<List<LocalDir>, Placer> placers = new ConcurrentHashMap<>();
  private final Set<MoveGate> current = ConcurrentHashMap.newKeySet();

  /** Time that a move may take to its next step before it is left behind. */
  private final Duration stall;

  private final LongSupplier clockNanos;
  private final AtomicInteger turns = new AtomicInteger();
  private volatile boolean closed;

  Moves(
      TierSettings settings,
      MoveContext context,
      Demoter.Host host,
      DemotionTally tally,
      Function<Candidate, Mover> movers,
      Consumer<String> leftovers,
      Duration stall,
      LongSupplier clockNanos) {
    this.settings = settings;
    this.context = context;
    this.host = host;
    this.tally = tally;
    this.movers = movers;
    this.leftovers = leftovers;
    this.stall = stall;
    this.clockNanos = clockNanos;
  }

  /** The ways to the dirs of a tier, for one dir above. */
  List<Lane> lanes(Tier tier) {
    return pools(tier).stream()
        .map(pool -> new Lane(pool, placers.computeIfAbsent(pool, key -> placer(tier, pool))))
        .collect(Immutable.toList());
  }

  /** The dirs of a tier, those that share their room together. */
  private List<List<LocalDir>> pools(Tier tier) {
    Map<LocalDir, Set<Object>> all = new LinkedHashMap<>();
    for (LocalDir dir : tier.dirs()) {
      try {
        all.put(dir, context.look(dir, () -> SharedRoom.keys(dir.path())));
      } catch (IOException e) {
        // It hangs, or is not there.
        all.put(dir, Immutable.setOf());
      }
    }
    return SharedRoom.together(all);
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
    return new MoveGate(application, host, urgent, context.pace, tally);
  }

  /**
   * Moves outputs of one application out of one dir: to the next tier with room, its dirs by turns.
   * Where a move to one fails the others are tried. What a busy disk would take waits for it, and
   * so does what a disk would take that failed a moment ago: that an output sinks further is for
   * want of room alone, or for a disk that hangs.
   *
   * @param ways down, those to the next tier first; used by one thread
   * @param urgent whether the dir is so full that new files pass it by
   * @param batch loses what was moved, and what there is no room for now
   * @param moved told of each that was moved
   */
  MoveResult move(
      List<List<Lane>> ways,
      BooleanSupplier urgent,
      List<Candidate> batch,
      Consumer<Candidate> moved) {
    int turn = turns.incrementAndGet();
    for (List<Lane> lanes : ways) {
      boolean busy = false;
      boolean failed = false;
      for (int i = 0; i < lanes.size(); i++) {
        Lane lane = lanes.get(Math.floorMod(turn + i, lanes.size()));
        if (lane.taken.get() != null) {
          continue;
        }
        MoveResult result = move(batch, lane, urgent, moved);
        if (result == MoveResult.MOVED
            || result == MoveResult.GIVEN_UP
            || result == MoveResult.NOT_YET) {
          return result;
        }
        if (batch.isEmpty()) {
          return MoveResult.MOVED;
        }
        busy |= result == MoveResult.BUSY;
        failed |= result == MoveResult.FAILED;
      }
      if (failed) {
        // Not busy: others are to have their turn before this one is tried again.
        return MoveResult.FAILED;
      }
      if (busy) {
        return MoveResult.BUSY;
      }
    }
    tally.add(DemotionCounter.DEMOTION_NO_ROOM, 1);
    return MoveResult.NO_ROOM;
  }

  private MoveResult move(
      List<Candidate> batch, Lane lane, BooleanSupplier urgent, Consumer<Candidate> moved) {
    MoveGate gate = gate(batch.get(0).id().application(), urgent);
    Long failed = lane.failedNanos;
    boolean rests = failed != null && clockNanos.getAsLong() - failed < REST_NANOS;
    if (rests || gate.yieldsTo(lane.targets.get(0))) {
      return MoveResult.BUSY;
    }
    MoveResult result = runAside(batch, lane, gate, moved);
    lane.failedNanos = result == MoveResult.FAILED ? clockNanos.getAsLong() : null;
    return result;
  }

  /** Moves outputs; those that make no progress count as given up. */
  private MoveResult runAside(
      List<Candidate> batch, Lane lane, MoveGate gate, Consumer<Candidate> moved) {
    Candidate first = batch.get(0);
    // One that is left behind goes on by itself.
    List<Candidate> ownBatch = new ArrayList<>(batch);
    Queue<Candidate> reported = new ConcurrentLinkedQueue<>();
    lane.taken.set(gate);
    FutureTask<MoveResult> result =
        new FutureTask<>(() -> run(ownBatch, lane.placer, gate, reported::add));
    try {
      Threads.run(
          "TempTier demotion, a move",
          () -> {
            // Does nothing if it was cancelled before.
            result.run();
            lane.taken.compareAndSet(gate, null);
          });
    } catch (OutOfMemoryError e) {
      // So the JDK says that there may be no more threads.
      lane.taken.set(null);
      return MoveResult.GIVEN_UP;
    }
    while (true) {
      try {
        MoveResult ended = result.get(LOOK_AT_MOVE_MILLIS, TimeUnit.MILLISECONDS);
        lane.taken.compareAndSet(gate, null);
        reported.forEach(moved);
        batch.retainAll(ownBatch);
        return ended;
      } catch (TimeoutException e) {
        if (gate.stalled(stall.toNanos())) {
          gate.cancel();
          // Nobody waits for its end any more.
          current.remove(gate);
          LOG.warn(
              "Moving {} from {} to {} has come no further for {}: one of the two disks hangs."
                  + " Nothing more is moved from the one to the other until it goes on",
              first.id(),
              first.dir(),
              lane.targets,
              stall);
          return MoveResult.GIVEN_UP;
        }
      } catch (InterruptedException e) {
        gate.cancel();
        Thread.currentThread().interrupt();
        // Waits while a disk hangs.
        result.cancel(true);
        return MoveResult.GIVEN_UP;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Moves outputs as {@link #move} does, to where {@code below} places them. Never throws. */
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

  /** Releases what is claimed; waits for all disks. */
  void release() {
    Threads.together(placers.values().stream().map(placer -> placer::close));
  }
}
