/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.hadoop.PeriodicDaemon;
import io.temptier.hadoop.TierKey;
import io.temptier.shuffle.MapOutputId;
import io.temptier.tier.CapacityProbe;
import io.temptier.tier.DemotionSettings;
import io.temptier.tier.FileSystemCapacity;
import io.temptier.tier.FillGauge;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.Placer;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Demotion on a node: a daemon that keeps every dir which has a slower tier below it under its high
 * mark, by moving map outputs down, one at a time. Nothing that goes wrong here is seen by anybody
 * but the log and the numbers: outputs then stay where they are, and placement alone protects the
 * fast tiers.
 *
 * <p>Safe for use by many threads. A dir that hangs stops demotion on the whole node until it
 * answers, and nothing else.
 */
public final class Demoter implements AutoCloseable {
  /** What a user is called whose id nobody could tell. */
  private static final int UNKNOWN_UID = -1;

  private static final Logger LOG = LoggerFactory.getLogger(Demoter.class);

  /** A look costs a few system calls a dir; a fast disk takes a gigabyte meanwhile. */
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** How long the end of an application waits for a move of its output to be taken back. */
  private static final Duration END_WAIT = Duration.ofSeconds(5);

  private final NodeTiers tiers;
  private final DemotionSettings settings;
  private final FetchedShare fetched;
  private final MoveListener listener;
  private final DeviceLoad load;
  private final LiveApplications running;
  private final CapacityProbe probe;
  private final int ownUid;
  private final DemotionTally tally = new DemotionTally();
  private final OffSwitch offSwitch = new OffSwitch(tally);
  private final ErrorLog errors = new ErrorLog(tally);
  private final EndedFolders endedFolders = new EndedFolders(System::nanoTime);
  private final Pace pace;
  private final CompleteOutput complete;
  private final Leftovers leftovers;
  private final OutputMover mover;
  private final PeriodicDaemon daemon;
  private volatile @Nullable MoveGate current;
  private volatile boolean closed;

  // Of the daemon's thread.
  private final List<Placer> placers = new ArrayList<>();
  private final List<DirDrain> drains = new ArrayList<>();
  private final Set<String> lookedThrough = new HashSet<>();

  /**
   * Demotion that does nothing before {@link #start}.
   *
   * @param tiers the node's
   * @param settings watermarks and rate
   * @param fetched how far outputs were fetched
   * @param listener told when an output was moved
   * @param load whether shuffle reads need a device
   * @param running which applications run
   */
  public Demoter(
      NodeTiers tiers,
      DemotionSettings settings,
      FetchedShare fetched,
      MoveListener listener,
      DeviceLoad load,
      RunningApplications running) {
    this(tiers, settings, fetched, listener, load, running, new FileSystemCapacity(), step -> {});
  }

  Demoter(
      NodeTiers tiers,
      DemotionSettings settings,
      FetchedShare fetched,
      MoveListener listener,
      DeviceLoad load,
      RunningApplications running,
      CapacityProbe probe,
      MoveStep.Observer observer) {
    this.tiers = tiers;
    this.settings = settings;
    this.fetched = fetched;
    this.listener = listener;
    this.load = load;
    this.running = new LiveApplications(running);
    this.probe = probe;
    this.ownUid = ownUid();
    this.pace = new Pace(settings.bytesPerSecond());
    this.complete = new CompleteOutput(tiers.layout());
    this.leftovers = new Leftovers(tiers.layout(), complete, ownUid, this::moved);
    this.mover = new OutputMover(ownUid, tiers.layout().dirs(), pace, endedFolders, observer);
    this.daemon = PeriodicDaemon.withoutRest("TempTier demotion", PERIOD, this::round);
  }

  /** The user this process runs as; {@link #UNKNOWN_UID} where there is no {@code /proc}. */
  private static int ownUid() {
    try {
      return (Integer)
          Objects.requireNonNull(
              Files.getAttribute(Path.of("/proc/self"), "unix:uid", NOFOLLOW_LINKS));
    } catch (IOException | RuntimeException e) {
      return UNKNOWN_UID;
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
      offSwitch.offForGood("/proc/self does not tell which user this is");
    } else {
      LOG.info(
          "Map outputs are demoted along {}, at most {} bytes a second",
          tiers.layout(),
          settings.bytesPerSecond());
    }
    daemon.start();
  }

  /** Asks for a look at the fills soon. Never blocks. */
  public void wake() {
    daemon.wake();
  }

  /** A number. Does no I/O. */
  public long get(DemotionCounter counter) {
    return tally.get(counter);
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
    MoveGate gate = current;
    if (gate == null || !gate.application().equals(application)) {
      return;
    }
    gate.applicationEnded();
    try {
      if (!gate.awaitOver(END_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("A move of {} goes on to be taken back: a disk is slow", application);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    tiers.layout().dirs().forEach(endedFolders::sweep);
    Optional<Map<String, String>> users = running.users();
    if (users.isEmpty()) {
      offSwitch.off(
          "which applications run is not known, since TempTier is not active in this NodeManager; "
              + "its log says why");
      return;
    }
    lookThrough(users.get());
    if (!offSwitch.on()) {
      return;
    }
    if (drains.isEmpty()) {
      makeDrains();
    }
    for (DirDrain drain : drains) {
      if (closed) {
        return;
      }
      try {
        drain.round(users.get(), this::move).stream().findFirst().ifPresent(this::foreign);
      } catch (IOException | RuntimeException e) {
        drain.failed();
        errors.failed(drain.dir(), e);
      }
    }
  }

  /** The slowest first: it makes room for what comes from above. */
  private void makeDrains() {
    TierLayout layout = tiers.layout();
    TierSettings all = tiers.settings();
    TierSettings fastFirst =
        new TierSettings(
            PlacementPolicy.Named.FAST_FIRST,
            all.unknownSizeBytes(),
            all.appShare(),
            all.hysteresis(),
            all.refresh(),
            all.claimIdle());
    OutputScanner scanner = new OutputScanner(fetched, ownUid);
    for (int i = layout.tiers().size() - 2; i >= 0; i--) {
      Tier tier = layout.tiers().get(i);
      TierLayout slower = new TierLayout(layout.tiers().subList(i + 1, layout.tiers().size()));
      Placer below = new Placer(new NodeTiers(slower, fastFirst), new PlacementListener() {});
      placers.add(below);
      for (LocalDir dir : tier.dirs()) {
        drains.add(
            new DirDrain(
                dir,
                new FillGauge(dir, tier, all, probe),
                settings.marksOf(tier.medium()),
                below,
                scanner,
                complete,
                pace));
      }
    }
  }

  /** What an earlier process left is in applications that were there before; each is seen once. */
  private void lookThrough(Map<String, String> users) {
    lookedThrough.retainAll(users.keySet());
    users.forEach(
        (application, user) -> {
          if (!closed && lookedThrough.add(application)) {
            try {
              for (LocalDir dir : tiers.layout().dirs()) {
                tally.add(
                    DemotionCounter.LEFTOVERS_REMOVED,
                    leftovers.remove(dir, user, application, id -> false));
              }
            } catch (IOException | RuntimeException e) {
              tally.add(DemotionCounter.DEMOTION_FAILURES, 1);
              LOG.warn(
                  "Cannot remove all that demotion left of {}; it goes with the application",
                  application,
                  e);
            }
          }
        });
  }

  private void foreign(Path folder) {
    offSwitch.offForGood(
        folder
            + " belongs to another user than this NodeManager's, so that it may not replace files"
            + " there: with yarn.nodemanager.container-executor.class=LinuxContainerExecutor tasks"
            + " run as the users who submit them. Files go to the next tier once a dir is full;"
            + " set "
            + TierKey.DEMOTION_ENABLED
            + "=false to say so");
  }

  private MoveResult move(Candidate candidate, Placer below, FillGauge gauge) {
    String application = candidate.id().application();
    MoveGate gate = new MoveGate(application, running, load, () -> spilling(gauge), pace, tally);
    current = gate;
    tally.set(DemotionCounter.DEMOTION_RUNNING, true);
    try {
      if (closed) {
        gate.cancel();
      }
      LocalDir target = mover.move(candidate, below, gate);
      tally.add(DemotionCounter.FILES_DEMOTED, 1);
      tally.add(DemotionCounter.BYTES_DEMOTED, candidate.stamp().bytes());
      errors.worked(candidate.dir());
      LOG.debug("Demoted {} to {}", candidate, target);
      moved(candidate.id());
      return MoveResult.MOVED;
    } catch (MoveStoppedException e) {
      LOG.debug("Not demoted: {}", candidate, e);
      count(e.result());
      return e.result();
    } catch (IOException | RuntimeException e) {
      if (closed) {
        // Interrupted.
        return MoveResult.GIVEN_UP;
      }
      errors.failed(candidate.dir(), e);
      // What could not be taken back is looked for again.
      lookedThrough.remove(application);
      return MoveResult.FAILED;
    } finally {
      tally.set(DemotionCounter.DEMOTION_RUNNING, false);
      current = null;
      gate.over();
    }
  }

  private void count(MoveResult result) {
    if (result == MoveResult.NO_ROOM) {
      tally.add(DemotionCounter.DEMOTION_NO_ROOM, 1);
    } else if (result == MoveResult.GIVEN_UP) {
      tally.add(DemotionCounter.DEMOTIONS_GIVEN_UP, 1);
    }
  }

  private static boolean spilling(FillGauge gauge) {
    try {
      return gauge.read().spilling();
    } catch (IOException e) {
      return false;
    }
  }

  private void moved(MapOutputId id) {
    try {
      listener.moved(id);
    } catch (RuntimeException e) {
      LOG.warn("A listener of moves failed", e);
    }
  }

  /** Stops a move under way, taking it back, and ends; waits a moment for both. */
  @Override
  public void close() {
    closed = true;
    MoveGate gate = current;
    if (gate != null) {
      gate.cancel();
    }
    daemon.close();
    if (!daemon.isAlive()) {
      placers.forEach(Placer::close);
    }
  }
}
