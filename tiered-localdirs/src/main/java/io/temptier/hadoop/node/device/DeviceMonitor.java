// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.DiskLoad;
import io.temptier.tier.kernel.DiskStats;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.os.Threads;
import io.temptier.tier.room.PublishedDevices;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the disks below all local dirs of the node, and tells all who place files on it how each
 * dir answers and how much its disk has to do. Its own thread reads procfs alone, which no disk can
 * hold up; what may hang is done by a {@link DirWatch} for each dir.
 *
 * <p><b>Hung</b> is a dir whose watch has not come back for {@link #DEADLINE_TICKS} ticks, or whose
 * device has had I/Os under way for as long and ended none. A tick is a second that this JVM ran:
 * time in which it was stopped says nothing of a disk. Ten are more than a sound disk takes at its
 * worst, a server drive's own recovery of a sector (7 s) or the kernel's patience with a write that
 * others overtake (5 s), and less than the 30 s after which the kernel makes an error of it. A dir
 * is taken back when it answers: one that hangs again and again is slow as well.
 *
 * <p><b>Slow</b> is what {@link SlowDisks} says.
 *
 * <p>The news are written to the fastest dir that answers, each second while they change, else
 * every {@link #QUIET_TICKS}. Where none takes them, processes find out for themselves. What was
 * found is safe to read from many threads.
 */
public final class DeviceMonitor implements AutoCloseable {
  static final Duration TICK = Duration.ofSeconds(1);
  static final int DEADLINE_TICKS = 10;

  /** Readers believe what is more than twice as old. */
  private static final int QUIET_TICKS = 3;

  /**
   * Longer than a round's period: the next dir has the news then, before this one counts as hung.
   */
  private static final int LATE_TICKS = 3;

  private static final Logger LOG = LoggerFactory.getLogger(DeviceMonitor.class);
  private static final DiskStats NOTHING = DiskStats.of(Immutable.mapOf());
  final List<DirWatch> watches;

  private final KernelClassifier kernel;
  private final PlacementTally tally;
  private final LongSupplier clockNanos;
  private final boolean shiftWhenSlow;
  private final SlowDisks slowDisks;
  private final RecentTraffic traffic = new RecentTraffic();
  private final PeriodicDaemon daemon;

  private final Map<LocalDir, DirHealth> health = new ConcurrentHashMap<>();
  private final Map<LocalDir, Long> givenBefore = new HashMap<>();
  private Map<String, Integer> stuck = Immutable.mapOf();
  private DiskStats before = NOTHING;
  private DiskStats windowBegan = NOTHING;
  private long beforeNanos;
  private long ticks;
  private long publishedTick;
  private @Nullable DirWatch publisher;
  private boolean quiet;
  private boolean untold;

  public DeviceMonitor(
      TierLayout layout,
      boolean shiftWhenSlow,
      KernelClassifier kernel,
      PlacementTally tally,
      LongSupplier clockNanos) {
    this.watches =
        layout.dirs().stream().map(dir -> new DirWatch(dir, kernel)).collect(Immutable.toList());
    this.shiftWhenSlow = shiftWhenSlow;
    this.kernel = kernel;
    this.tally = tally;
    this.clockNanos = clockNanos;
    this.beforeNanos = clockNanos.getAsLong();
    this.slowDisks = new SlowDisks(layout);
    this.daemon = PeriodicDaemon.withoutRest("TempTier device monitor", () -> TICK, this::tick);
  }

  public void start() {
    watches.forEach(DirWatch::start);
    daemon.start();
  }

  public DirHealth health(LocalDir dir) {
    return health.getOrDefault(dir, DirHealth.SOUND);
  }

  /** Looks at all devices. Reads a file of procfs; for one thread. */
  void tick() {
    DiskStats now = kernel.diskStats().orElse(NOTHING);
    Map<String, DiskLoad> done = now.since(before);
    Map<String, Integer> still = new HashMap<>();
    done.forEach(
        (device, load) -> {
          if (load.inFlight() > 0 && load.ios() == 0) {
            still.put(device, stuck.getOrDefault(device, 0) + 1);
          }
        });
    stuck = still;
    if (shiftWhenSlow && ticks % SlowDisks.WINDOW_SECONDS == 0) {
      if (ticks > 0) {
        slowDisks.window(names(DirWatch::disks), now.since(windowBegan));
      }
      windowBegan = now;
    }
    watches.forEach(this::judge);
    publish(busy(done));
    before = now;
    ticks++;
  }

  private void judge(DirWatch watch) {
    watch.tick();
    int late = watch.ticksLate();
    Optional<String> stands =
        Stream.concat(watch.devices().stream(), watch.disks().stream())
            .filter(name -> stuck.getOrDefault(name, 0) >= DEADLINE_TICKS)
            .findFirst();
    boolean hung = late >= DEADLINE_TICKS || stands.isPresent();
    LocalDir dir = watch.dir();
    DirHealth state =
        hung ? DirHealth.HUNG : slowDisks.slow(dir) ? DirHealth.SLOW : DirHealth.SOUND;
    DirHealth was = health.put(dir, state);
    if (hung && was != DirHealth.HUNG) {
      LOG.error(
          "Local dir {} does not answer: {}. Files go to the others, and nobody is to wait for it;"
              + " it is used again when it answers. Look at dmesg and at the disk's health.",
          dir,
          stands
              .map(name -> name + " has ended no request for " + DEADLINE_TICKS + " s")
              .orElse("a write of one block has not come back for " + late + " s"));
    } else if (!hung && was == DirHealth.HUNG) {
      LOG.info("Local dir {} answers again", dir);
    }
  }

  private Map<LocalDir, Set<String>> names(Function<DirWatch, Set<String>> part) {
    Map<LocalDir, Set<String>> names = new HashMap<>();
    watches.forEach(watch -> names.put(watch.dir(), part.apply(watch)));
    return names;
  }

  private Map<LocalDir, Long> busy(Map<String, DiskLoad> done) {
    Map<LocalDir, Long> given = new HashMap<>();
    for (DirWatch watch : watches) {
      long bytes = tally.expectedBytes(watch.dir());
      Long earlier = givenBefore.put(watch.dir(), bytes);
      given.put(watch.dir(), bytes - (earlier == null ? 0 : earlier));
    }
    long now = clockNanos.getAsLong();
    double seconds = (now - beforeNanos) / 1e9;
    beforeNanos = now;
    return traffic.after(seconds, names(DirWatch::devices), done, given);
  }

  private void publish(Map<LocalDir, Long> busy) {
    Map<String, PublishedDevices.Device> devices = new HashMap<>();
    for (DirWatch watch : watches) {
      LocalDir dir = watch.dir();
      PublishedDevices.Device published =
          PublishedDevices.Device.of(health(dir), busy.getOrDefault(dir, 0L));
      if (!published.equals(PublishedDevices.Device.IDLE)) {
        devices.put(dir.path().toString(), published);
      }
    }
    DirWatch next =
        watches.stream()
            .filter(watch -> watch.takesNews() && watch.ticksLate() <= LATE_TICKS)
            .findFirst()
            .orElse(null);
    boolean news = !devices.isEmpty() || !quiet || next != publisher;
    if (next != null && (news || ticks - publishedTick >= QUIET_TICKS)) {
      next.publish(PublishedDevices.of(System.currentTimeMillis(), devices));
      quiet = devices.isEmpty();
      publishedTick = ticks;
    }
    publisher = next;
    if (next != null) {
      untold = false;
    } else if (!untold && ticks > DEADLINE_TICKS) {
      untold = true;
      LOG.warn(
          "No local dir takes the news of which disks hang, are slow or busy: tasks find out for"
              + " themselves. Are the dirs full or read-only? Not logged again until it works.");
    }
  }

  @Override
  public void close() {
    daemon.close();
    Threads.together(watches.stream().map(watch -> watch::close));
  }
}
