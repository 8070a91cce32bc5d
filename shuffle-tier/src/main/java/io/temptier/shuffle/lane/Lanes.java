// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import io.temptier.tier.lang.Immutable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** The lanes of a node: one for each physical device below its local dirs. Immutable. */
public final class Lanes implements AutoCloseable {
  private final TierLayout layout;
  private final Map<LocalDir, DeviceLane> laneOf = new LinkedHashMap<>();
  private final Map<Medium, MediumStats> stats = new EnumMap<>(Medium.class);
  private final List<Map<DeviceLane, List<Path>>> tiers;

  /**
   * Lanes for the dirs of a layout.
   *
   * @param kernel tells which dirs share a disk; those it cannot tell get a lane of their own
   * @param depth jobs at a time on a device of a medium
   */
  public Lanes(TierLayout layout, KernelClassifier kernel, ToIntFunction<Medium> depth) {
    this.layout = layout;
    Map<String, DeviceLane> lanes = new HashMap<>();
    for (LocalDir dir : layout.dirs()) {
      Medium medium = dir.medium();
      String device = device(kernel.classify(dir.path()), dir.path());
      MediumStats served = stats.computeIfAbsent(medium, key -> new MediumStats(System::nanoTime));
      // What the operator tagged differently never shares a lane: slow must not delay fast.
      DeviceLane lane =
          lanes.computeIfAbsent(
              medium + " " + device,
              name -> new DeviceLane(device, medium, served, depth.applyAsInt(medium)));
      laneOf.put(dir, lane);
    }
    this.tiers = layout.tiers().stream().map(this::dirsByLane).collect(Immutable.toList());
  }

  private static String device(Classification found, Path dir) {
    if (!found.disks().isEmpty()) {
      return String.join("+", new TreeSet<>(found.disks()));
    }
    return found.sharesFileSystem(found) ? found.device() : dir.toString();
  }

  private Map<DeviceLane, List<Path>> dirsByLane(Tier tier) {
    Map<DeviceLane, List<Path>> dirs = new LinkedHashMap<>();
    for (LocalDir dir : tier.dirs()) {
      dirs.computeIfAbsent(Objects.requireNonNull(laneOf.get(dir)), key -> new ArrayList<>())
          .add(dir.path());
    }
    return dirs;
  }

  /** Gives lanes another thread for each that does not come back. Called every second or so. */
  public void relieve() {
    laneOf.values().forEach(DeviceLane::relieve);
  }

  /** The lanes tier by tier, fastest first, each with its dirs there. */
  public List<Map<DeviceLane, List<Path>>> tiers() {
    return tiers;
  }

  /** The media that are served from, fastest first. */
  public Set<Medium> media() {
    return stats.keySet();
  }

  public MediumStats stats(Medium medium) {
    return Objects.requireNonNull(stats.get(medium));
  }

  public Collection<DeviceLane> all() {
    return new LinkedHashSet<>(laneOf.values());
  }

  public Optional<DeviceLane> of(LocalDir dir) {
    return Optional.ofNullable(laneOf.get(dir));
  }

  /** The lane of a file below one of the dirs; the slowest tier's first for a file elsewhere. */
  public DeviceLane of(Path file) {
    return layout.dirOf(file).flatMap(this::of).orElseGet(this::slowest);
  }

  public DeviceLane slowest() {
    return tiers.get(tiers.size() - 1).keySet().iterator().next();
  }

  public boolean has(Path dir) {
    return laneOf.keySet().stream().anyMatch(local -> local.path().equals(dir));
  }

  @Override
  public void close() {
    all().forEach(DeviceLane::close);
  }
}
