// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.thread.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of a node: one for each physical device below its local dirs. Immutable. */
final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  /** Dirs of one tier that share a lane. */
  @AutoValue
  abstract static class Stop {
    /** The lane. */
    abstract DeviceLane lane();

    /** Its dirs in the tier, in their order. */
    abstract List<Path> dirs();

    static Stop of(DeviceLane lane, List<Path> dirs) {
      return new AutoValue_Lanes_Stop(lane, dirs);
    }
  }

  private final TierLayout layout;
  private final Map<LocalDir, DeviceLane> laneOf;
  private final List<List<Stop>> tiers;
  private final ScheduledExecutorService relief;

  private Lanes(TierLayout layout, Map<LocalDir, DeviceLane> laneOf) {
    this.layout = layout;
    this.laneOf = laneOf;
    this.tiers = layout.tiers().stream().map(this::stops).collect(Immutable.toList());
    this.relief =
        Executors.newSingleThreadScheduledExecutor(Threads.daemons("TempTier shuffle lanes"));
  }

  /**
   * Lanes for the dirs of a layout.
   *
   * @param kernel tells which dirs share a disk; those it cannot tell get a lane of their own
   * @param depth jobs at a time on a device of a medium
   */
  static Lanes of(TierLayout layout, KernelClassifier kernel, ToIntFunction<Medium> depth) {
    Map<String, DeviceLane> lanes = new LinkedHashMap<>();
    Map<LocalDir, DeviceLane> laneOf = new LinkedHashMap<>();
    for (LocalDir dir : layout.dirs()) {
      String device = device(kernel.classify(dir.path()), dir.path());
      // What the operator tagged differently never shares a lane: slow must not delay fast.
      DeviceLane lane =
          lanes.computeIfAbsent(
              dir.medium() + " " + device,
              any -> new DeviceLane(device, dir.medium(), depth.applyAsInt(dir.medium())));
      laneOf.put(dir, lane);
    }
    return new Lanes(layout, laneOf);
  }

  private static String device(Classification found, Path dir) {
    if (!found.disks().isEmpty()) {
      return String.join("+", new TreeSet<>(found.disks()));
    }
    return found.sharesFileSystem(found) ? found.device() : dir.toString();
  }

  private List<Stop> stops(Tier tier) {
    Map<DeviceLane, List<Path>> byLane = new LinkedHashMap<>();
    for (LocalDir dir : tier.dirs()) {
      byLane
          .computeIfAbsent(Objects.requireNonNull(laneOf.get(dir)), any -> new ArrayList<>())
          .add(dir.path());
    }
    List<Stop> stops = new ArrayList<>();
    byLane.forEach((lane, dirs) -> stops.add(Stop.of(lane, Immutable.copyOf(dirs))));
    return Immutable.copyOf(stops);
  }

  /** Gives lanes another thread for each that does not come back. */
  void relieve() {
    laneOf.values().forEach(DeviceLane::relieve);
  }

  /** Has something done that takes no time, until the lanes are closed. */
  void everySecond(Runnable work) {
    Runnable again =
        () -> {
          try {
            work.run();
          } catch (RuntimeException | OutOfMemoryError e) {
            LOG.debug("Done again in a second", e);
          }
        };
    ScheduledFuture<?> unused = relief.scheduleWithFixedDelay(again, 1, 1, TimeUnit.SECONDS);
  }

  /** The lanes tier by tier, fastest first. */
  List<List<Stop>> tiers() {
    return tiers;
  }

  /** Every lane. */
  Collection<DeviceLane> all() {
    return new LinkedHashSet<>(laneOf.values());
  }

  /** The lane of a dir of the layout. */
  Optional<DeviceLane> of(LocalDir dir) {
    return Optional.ofNullable(laneOf.get(dir));
  }

  /** The lane of a file below one of the dirs; the slowest tier's first for a file elsewhere. */
  DeviceLane of(Path file) {
    return layout.dirOf(file).flatMap(this::of).orElseGet(this::slowest);
  }

  /** A lane of the slowest tier. */
  DeviceLane slowest() {
    return tiers.get(tiers.size() - 1).get(0).lane();
  }

  /** Whether the layout has this very dir. */
  boolean has(Path dir) {
    return laneOf.keySet().stream().anyMatch(local -> local.path().equals(dir));
  }

  @Override
  public void close() {
    relief.shutdownNow();
    all().forEach(DeviceLane::close);
  }
}
