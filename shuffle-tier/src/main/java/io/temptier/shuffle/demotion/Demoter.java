// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.Threads;
import io.temptier.tier.os.TimedCalls.LateException;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Demotion on a node: a daemon for each dir that has a slower tier below it keeps it under its high
 * mark, by moving map outputs down, one at a time. Nothing that goes wrong here is seen by anybody
 * but the log and the numbers: outputs then stay where they are, and placement alone protects the
 * fast tiers.
 *
 * <p>Safe for use by many threads. A dir that hangs stops what goes out of it and into it until it
 * answers, and nothing else.
 */
public final class Demoter implements AutoCloseable {
  /**
   * The NodeManager and its shuffle handler, as demotion knows them. Safe for use by many threads.
   * Nothing of it may block for long: some is asked before each part that is copied.
   */
  public interface Host {
    /**
     * The applications of which nothing is deleted before this says that they run no more.
     *
     * @return users by application id; empty when nobody can tell, and then nothing is demoted
     */
    Optional<Map<String, String>> running();

    /** True if processes can be run as users, who move outputs that are not this process's. */
    boolean runsAsUsers();

    /** True if shuffle reads run or wait on the device of a dir now. */
    boolean busy(LocalDir dir);

    /**
     * The share of an output's partitions that were fetched to their last byte, 0 to 1; 0 when not
     * known.
     */
    double fetched(MapOutputId id);

    /** Nanoseconds since the last fetch from an output; {@link Long#MAX_VALUE} if none is known. */
    long idleNanos(MapOutputId id);

    /**
     * An output lies on a slower device behind the path it was found at; or of two equal copies,
     * which a crash had left, one was removed.
     */
    void moved(MapOutputId id);

    /** An output went to a slower tier; the placement says where to, and why it had to leave. */
    void demoted(PlacementRequest output, Placement below);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Demoter.class);

  /** A look costs a few system calls a dir; a fast disk takes a gigabyte meanwhile. */
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** Period where there is no application, and so nothing to move. */
  private static final Duration IDLE_PERIOD = Duration.ofSeconds(3);

  /** Time that the end of an application waits for a move of its output to be taken back. */
  private static final Duration END_WAIT = Duration.ofSeconds(5);

  /** A step that takes longer, on the slowest disk, is one that hangs. */
  public static final Duration STALL = Duration.ofSeconds(60);

  /**
   * Time after which what could not be removed is tried again: a dir hangs for minutes at least.
   */
  private static final long AGAIN_NANOS = Duration.ofMinutes(5).toNanos();

  private static final long NEVER = Long.MAX_VALUE;

  /** Time that the end of the NodeManager waits for moves to be taken back. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(3);

  private final NodeTiers tiers;
  private final DemotionSettings settings;
  private final Host host;
  private final Capacity.Probe probe;
  private final int ownUid;
  private final DemotionTally tally = new DemotionTally();
  private final OutputMover outputMover;
  private final OutputScanner scanner;
  private final Leftovers leftovers;
  private final UserMover foreign;
  private final Moves moves;
  private final UserBatches batches;
  private final List<DirRounds> rounds = new ArrayList<>();
  private volatile boolean closed;

  /** Does nothing before {@link #start}. A disk whose step takes {@code stall} hangs. */
  public Demoter(
      NodeTiers tiers,
      Pace pace,
      UserBatches batches,
      Host host,
      Capacity.Probe probe,
      Duration stall) {
    this.tiers = tiers;
    this.settings = tiers.demotion();
    this.host = host;
    this.probe = probe;
    this.ownUid = new ProcessTable().selfUid();
    MoveContext context =
        new MoveContext(
            ownUid,
            host::runsAsUsers,
            tiers.layout().dirs(),
            stall.compareTo(MoveContext.PATIENCE) < 0 ? stall : MoveContext.PATIENCE,
            pace);
    this.outputMover = new OutputMover(context);
    this.batches = batches;
    this.foreign = new UserMover(batches, MoveBatch.LAUNCH, context);
    this.scanner = new OutputScanner(host, context, tally);
    this.leftovers = new Leftovers(context, host::moved);
    this.moves =
        new Moves(
            tiers.settings(),
            context,
            host,
            tally,
            candidate -> candidate.stamp().uid() == ownUid ? outputMover : foreign,
            application -> rounds.forEach(each -> each.dueNanos.remove(application)),
            stall,
            System::nanoTime);
    context.dirs.forEach(dir -> rounds.add(new DirRounds(dir)));
  }

  /**
   * Begins. Also where nothing is to be demoted, what a killed NodeManager left of a move is
   * removed.
   */
  public void start() {
    if (!settings.enabled()) {
      tally.offForGood(TierKey.DEMOTION_ENABLED + " is false");
    } else if (tiers.layout().tiers().size() < 2) {
      tally.offForGood("there is one tier only, " + tiers.layout());
    } else if (ownUid < 0) {
      tally.offForGood("/proc does not tell which user this is");
    } else {
      LOG.info(
          "Map outputs are demoted along {}, at most {} bytes a second",
          tiers.layout(),
          settings.bytesPerSecond());
    }
    rounds.forEach(each -> each.daemon.start());
  }

  /** Asks for a look at the fills soon. Never blocks. */
  public void wake() {
    rounds.forEach(each -> each.daemon.wake());
  }

  /** A number. Does no I/O. */
  public long get(DemotionCounter counter) {
    switch (counter) {
      case HELPER_STARTS:
        return batches.started();
      case HELPER_FAILURES:
        return batches.failures();
      default:
        return tally.get(counter);
    }
  }

  /** Tells why nothing is demoted; empty while it is on. */
  public Optional<String> offReason() {
    return tally.offReason();
  }

  /**
   * An application ended, and runs no more by what {@link Host#running} says. A move of its output
   * stops by that, and is waited for until nothing is left of it, for a few seconds at most.
   */
  public void applicationEnded(String application) {
    if (!moves.awaitOver(gate -> gate.application.equals(application), END_WAIT)) {
      LOG.info("A move of {} goes on to be taken back: a disk is slow", application);
    }
  }

  /** Rounds over one dir, on a thread of their own. */
  private final class DirRounds {
    private final LocalDir dir;
    private final PeriodicDaemon daemon;
    private @Nullable DirDrain drain;

    /** Times when the applications that were looked through for leftovers are so again. */
    private final Map<String, Long> dueNanos = new ConcurrentHashMap<>();

    /** No application runs, and nothing is left of one that ended. */
    private volatile boolean idle;

    DirRounds(LocalDir dir) {
      this.dir = dir;
      this.daemon =
          PeriodicDaemon.withoutRest(
              "TempTier demotion " + dir, () -> idle ? IDLE_PERIOD : PERIOD, this::run);
    }

    void run() {
      outputMover.sweepEnded(dir);
      Optional<Map<String, String>> users = host.running();
      idle = outputMover.swept() && users.isPresent() && users.get().isEmpty();
      if (!users.isPresent()) {
        tally.off(
            "which applications run is not known, since TempTier is not active in this NodeManager;"
                + " its log says why");
        return;
      }
      dueNanos.keySet().retainAll(users.get().keySet());
      users.get().forEach(this::removeLeftovers);
      LinkReserve reserve = LinkReserve.ofNode(dir.path());
      if (!tally.on() || tiers.layout().isSlowest(dir)) {
        reserve.drop();
        return;
      }
      reserve.hold();
      DirDrain current = drain == null ? drainOf(dir) : drain;
      drain = current;
      try {
        current.round(users.get());
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          current.failed();
          tally.failed(dir, e);
        }
      }
    }

    /** Looks the dir through once for each application, and again where something is left. */
    private void removeLeftovers(String application, String user) {
      Long due = dueNanos.get(application);
      if (closed || (due != null && (due == NEVER || System.nanoTime() - due < 0))) {
        return;
      }
      dueNanos.put(application, NEVER);
      try {
        tally.add(DemotionCounter.LEFTOVERS_REMOVED, leftovers.remove(dir, user, application));
        int others = foreign.clean(dir, user, application, moves.gate(application, () -> false));
        tally.add(DemotionCounter.LEFTOVERS_REMOVED, Math.max(0, others));
        if (others >= 0) {
          return;
        }
      } catch (LateException | AccessDeniedException e) {
        LOG.debug("{} is looked through again in {}", application, dir, e);
      } catch (IOException | RuntimeException e) {
        tally.unread(e);
      }
      dueNanos.put(application, System.nanoTime() + AGAIN_NANOS);
    }
  }

  private DirDrain drainOf(LocalDir dir) {
    List<Tier> all = tiers.layout().tiers();
    int index = 0;
    while (all.get(index).medium() != dir.medium()) {
      index++;
    }
    List<List<Moves.Lane>> below =
        all.subList(index + 1, all.size()).stream().map(moves::lanes).collect(Immutable.toList());
    FillGauge gauge = new FillGauge(dir, all.get(index), tiers.settings(), probe);
    return new DirDrain(
        dir,
        gauge,
        settings.marks(),
        (batch, moved) -> moves.move(below, gauge::spilling, batch, moved),
        ownUid,
        scanner,
        this::cold);
  }

  private boolean cold(Candidate output) {
    // A time to come is as old: the clock was set back, or the user set the time.
    long writtenMillis =
        Math.abs(System.currentTimeMillis() - output.stamp().modified().toMillis());
    long idleNanos =
        Math.min(TimeUnit.MILLISECONDS.toNanos(writtenMillis), host.idleNanos(output.id()));
    return DemotionOrder.cold(output.fetched(), idleNanos, settings.coldAfter().toNanos());
  }

  /** Stops moves under way, taking them back, and ends; waits a moment for both. */
  @Override
  public void close() {
    closed = true;
    moves.close();
    Threads.together(rounds.stream().map(each -> each.daemon::close));
    moves.awaitOver(gate -> true, CLOSE_WAIT);
    // A claim that cannot be released is this process's, and counts nothing once that is gone.
    Threads.endWithin(CLOSE_WAIT, "TempTier demotion", moves::release);
  }
}
