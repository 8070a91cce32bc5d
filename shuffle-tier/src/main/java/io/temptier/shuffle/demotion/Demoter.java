// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.shuffle.demotion.asuser.UserProcesses;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.NodeRate;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.thread.PeriodicDaemon;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.room.capacity.FileSystemCapacity;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
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
  /** What a user is called whose id nobody could tell. */
  private static final ThreadFactory THREADS = Threads.daemons("TempTier demotion, a move");

  private static final int UNKNOWN_UID = -1;

  private static final Logger LOG = LoggerFactory.getLogger(Demoter.class);

  /** A look costs a few system calls a dir; a fast disk takes a gigabyte meanwhile. */
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** Without applications there is nothing to move. */
  private static final Duration IDLE_PERIOD = Duration.ofSeconds(3);

  /** How long the end of an application waits for a move of its output to be taken back. */
  private static final Duration END_WAIT = Duration.ofSeconds(5);

  /** A step that takes longer, on the slowest disk, is one that hangs. */
  private static final Duration STALL = Duration.ofSeconds(60);

  /** How long the end of the NodeManager waits for moves to be taken back. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(3);

  private final NodeTiers tiers;
  private final DemotionSettings settings;
  private final MoveListener listener;
  private final LiveApplications running;
  private final CapacityProbe probe;
  private final int ownUid;
  private final DemotionTally tally = new DemotionTally();
  private final OffSwitch offSwitch = new OffSwitch(tally);
  private final ErrorLog errors = new ErrorLog(tally);
  private final EndedFolders endedFolders = new EndedFolders(System::nanoTime);
  private final Pace pace;
  private final OutputScanner scanner;
  private final CompleteOutput complete;
  private final LeftoverSweep leftovers;
  private final Moves moves;
  private final ForeignOutputs foreign;
  private final MoveLanes lanes;
  private final List<PeriodicDaemon> daemons = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool(THREADS);
  private volatile boolean closed;

  /**
   * Demotion that does nothing before {@link #start}.
   *
   * @param tiers the node's
   * @param rate at which to move; the caller's to close
   * @param fetched how far outputs were fetched
   * @param listener told when an output was moved
   * @param load whether shuffle reads need a device
   * @param running which applications run
   * @param demoted told the application and bytes of each output that went to a slower tier
   * @param asUsers runs processes as users, whose outputs are moved so where they are not this
   *     process's; empty where that is not possible
   */
  public Demoter(
      NodeTiers tiers,
      NodeRate rate,
      FetchedShare fetched,
      MoveListener listener,
      DeviceLoad load,
      RunningApplications running,
      ObjLongConsumer<String> demoted,
      Supplier<Optional<UserProcesses>> asUsers) {
    this(
        tiers,
        rate,
        fetched,
        listener,
        load,
        running,
        demoted,
        asUsers,
        new FileSystemCapacity(),
        step -> {},
        STALL);
  }

  Demoter(
      NodeTiers tiers,
      NodeRate rate,
      FetchedShare fetched,
      MoveListener listener,
      DeviceLoad load,
      RunningApplications running,
      ObjLongConsumer<String> demoted,
      Supplier<Optional<UserProcesses>> asUsers,
      CapacityProbe probe,
      MoveStep.Observer observer,
      Duration stall) {
    this.tiers = tiers;
    this.settings = tiers.demotion();
    this.listener = listener;
    this.running = new LiveApplications(running);
    this.probe = probe;
    this.ownUid = new ProcessTable(Paths.get("/proc")).selfUid();
    this.pace = rate.pace();
    OtherDirs others = OtherDirs.within(stall);
    this.foreign =
        new ForeignOutputs(
            asUsers,
            this.running,
            ownUid,
            tiers.layout().dirs(),
            others,
            pace,
            settings.bytesPerSecond(),
            HelperNumbers.of(tally, this::moved));
    this.scanner = new OutputScanner(fetched, foreign.owners());
    this.complete = new CompleteOutput(tiers.layout(), others);
    OutputUse use = new OutputUse();
    this.leftovers =
        new LeftoverSweep(
            tiers.layout().dirs(),
            new Leftovers(tiers.layout(), complete, others, ownUid, use, this::moved),
            foreign,
            tally,
            pace::nanos);
    OutputMover mover =
        new OutputMover(
            ownUid,
            tiers.layout().dirs(),
            others,
            leftovers::unanswered,
            pace,
            endedFolders,
            observer);
    Mover either =
        (candidate, below, gate) ->
            (candidate.stamp().uid() == ownUid ? mover : foreign).move(candidate, below, gate);
    this.moves =
        new Moves(
            either,
            use,
            this.running,
            load,
            pace,
            tally,
            errors,
            demoted,
            this::moved,
            leftovers::again);
    this.lanes = new MoveLanes(tiers.settings(), moves, threads, stall);
    for (LocalDir dir : tiers.layout().dirs()) {
      DirRounds rounds = new DirRounds(dir);
      daemons.add(
          PeriodicDaemon.withoutRest(
              "TempTier demotion " + dir, () -> rounds.idle ? IDLE_PERIOD : PERIOD, rounds::run));
    }
  }

  /**
   * Begins. Also where nothing is to be demoted, what a killed NodeManager left of a move is
   * removed.
   */
  public void start() {
    if (!settings.enabled()) {
      offSwitch.offForGood(TierKey.DEMOTION_ENABLED + " is false");
    } else if (tiers.layout().tiers().size() < 2) {
      offSwitch.offForGood("there is one tier only, " + tiers.layout());
    } else if (ownUid == UNKNOWN_UID) {
      offSwitch.offForGood("/proc does not tell which user this is");
    } else {
      LOG.info(
          "Map outputs are demoted along {}, at most {} bytes a second",
          tiers.layout(),
          settings.bytesPerSecond());
    }
    daemons.forEach(PeriodicDaemon::start);
  }

  /** Asks for a look at the fills soon. Never blocks. */
  public void wake() {
    daemons.forEach(PeriodicDaemon::wake);
  }

  /** A number. Does no I/O. */
  public long get(DemotionCounter counter) {
    return counter == DemotionCounter.USERS_SET_ASIDE
        ? foreign.usersSetAside()
        : tally.get(counter);
  }

  /** Why nothing is demoted; empty while it is on. */
  public Optional<String> offReason() {
    return offSwitch.reason();
  }

  /**
   * An application ended. A move of its output is stopped, and waited for until nothing is left of
   * it, for a few seconds at most.
   */
  public void applicationEnded(String application) {
    running.ended(application);
    foreign.applicationEnded(application);
    moves.applicationEnded(application, END_WAIT);
  }

  /** What is done with one dir, again and again, on a thread of its own. */
  private final class DirRounds {
    private final LocalDir dir;
    private @Nullable DirDrain drain;

    /** No application runs, and nothing is left of one that ended. */
    private volatile boolean idle;

    DirRounds(LocalDir dir) {
      this.dir = dir;
    }

    void run() {
      endedFolders.sweep(dir);
      Optional<Map<String, String>> users = running.users();
      idle = endedFolders.none() && users.isPresent() && users.get().isEmpty();
      if (!users.isPresent()) {
        offSwitch.off(
            "which applications run is not known, since TempTier is not active in this NodeManager;"
                + " its log says why");
        return;
      }
      leftovers.round(dir, users.get(), () -> closed);
      LinkReserve reserve = LinkReserve.ofNode(dir.path());
      if (!offSwitch.on() || isSlowest(dir)) {
        reserve.drop();
        return;
      }
      reserve.hold();
      DirDrain current = drain == null ? drainOf(dir) : drain;
      drain = current;
      try {
        current.round(users.get()).stream().findFirst().ifPresent(offSwitch::cannotMove);
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          current.failed();
          errors.failed(dir, e);
        }
      }
    }
  }

  private boolean isSlowest(LocalDir dir) {
    List<Tier> all = tiers.layout().tiers();
    return all.get(all.size() - 1).dirs().contains(dir);
  }

  private DirDrain drainOf(LocalDir dir) {
    List<Tier> all = tiers.layout().tiers();
    int own = 0;
    while (all.get(own).medium() != dir.medium()) {
      own++;
    }
    List<List<MoveLane>> below =
        all.subList(own + 1, all.size()).stream().map(lanes::to).collect(Immutable.toList());
    return new DirDrain(
        dir,
        new FillGauge(dir, all.get(own), tiers.settings(), probe),
        settings.marksOf(dir.medium()),
        new MoveRouter(below, moves, tally),
        scanner,
        complete,
        pace,
        System::currentTimeMillis);
  }

  private void moved(MapOutputId id) {
    try {
      listener.moved(id);
    } catch (RuntimeException e) {
      LOG.warn("A listener of moves failed", e);
    }
  }

  /** Stops moves under way, taking them back, and ends; waits a moment for both. */
  @Override
  public void close() {
    closed = true;
    moves.close();
    ExecutorService closing = Executors.newCachedThreadPool(THREADS);
    // Helpers are told so in files, which may lie on a disk that hangs.
    closing.execute(foreign::close);
    // To interrupt a thread that hangs in a file waits until it does not, under the pool's lock.
    closing.execute(threads::shutdownNow);
    daemons.forEach(daemon -> closing.execute(daemon::close));
    try {
      moves.awaitOver(CLOSE_WAIT);
      // A claim that cannot be released is this process's, and counts nothing once that is gone.
      lanes.close(closing);
      closing.shutdown();
      closing.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
