// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountPin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The tiers of one node, fastest first. */
@AutoValue
public abstract class TierLayout {
  public abstract List<Tier> tiers();

  public static TierLayout of(List<Tier> tiers) {
    tiers = Immutable.copyOf(tiers);
    return new AutoValue_TierLayout(tiers);
  }

  /**
   * Groups dirs into tiers, in each of which they keep their order. Media that {@code order},
   * fastest first, leaves out come last, in {@link Medium} order.
   */
  public static TierLayout of(
      Collection<LocalDir> dirs, List<Medium> order, Function<Medium, Reserve> reserve) {
    Map<Medium, List<LocalDir>> byMedium = new EnumMap<>(Medium.class);
    dirs.forEach(dir -> byMedium.computeIfAbsent(dir.medium(), m -> new ArrayList<>()).add(dir));
    Set<Medium> fastestFirst = new LinkedHashSet<>(order);
    Collections.addAll(fastestFirst, Medium.values());
    List<Tier> tiers = new ArrayList<>();
    for (Medium medium : fastestFirst) {
      List<LocalDir> members = byMedium.get(medium);
      if (members != null) {
        tiers.add(Tier.of(medium, members, reserve.apply(medium)));
      }
    }
    return TierLayout.of(tiers);
  }

  public List<LocalDir> dirs() {
    List<LocalDir> dirs = new ArrayList<>();
    for (Tier tier : tiers()) {
      dirs.addAll(tier.dirs());
    }
    return Immutable.copyOf(dirs);
  }

  public boolean isSlowest(LocalDir dir) {
    return tiers().get(tiers().size() - 1).dirs().contains(dir);
  }

  public List<Path> paths() {
    List<Path> paths = new ArrayList<>();
    for (LocalDir dir : dirs()) {
      paths.add(dir.path());
    }
    return Immutable.copyOf(paths);
  }

  /** The dir that holds {@code path}, the deepest where roots nest. */
  public Optional<LocalDir> dirOf(Path path) {
    LocalDir deepest = null;
    for (LocalDir dir : dirs()) {
      if (path.startsWith(dir.path())
          && (deepest == null || dir.path().getNameCount() > deepest.path().getNameCount())) {
        deepest = dir;
      }
    }
    return Optional.ofNullable(deepest);
  }

  /** Returns this layout without dirs that {@code keep} refuses, and without empty tiers. */
  public TierLayout restrictedTo(Predicate<LocalDir> keep) {
    List<Tier> kept = new ArrayList<>();
    for (Tier tier : tiers()) {
      List<LocalDir> members = new ArrayList<>(tier.dirs());
      members.removeIf(keep.negate());
      if (!members.isEmpty()) {
        kept.add(Tier.of(tier.medium(), members, tier.reserve()));
      }
    }
    return TierLayout.of(kept);
  }

  /** Returns the layout of dirs that are pinned to what {@code pin} tells of their paths. */
  public TierLayout pinned(Function<Path, Optional<MountPin>> pin) {
    List<Tier> pinned = new ArrayList<>();
    for (Tier tier : tiers()) {
      List<LocalDir> members = new ArrayList<>(tier.dirs());
      members.replaceAll(dir -> dir.pinned(pin.apply(dir.path()).orElse(null)));
      pinned.add(Tier.of(tier.medium(), members, tier.reserve()));
    }
    return TierLayout.of(pinned);
  }

  @Override
  public final String toString() {
    return tiers().stream().map(Tier::toString).collect(Collectors.joining(" over "));
  }
}
