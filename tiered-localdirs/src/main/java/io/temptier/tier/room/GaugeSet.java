// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.policy.TierState;
import io.temptier.tier.policy.TierStates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The gauges of every dir of a layout, by tier. Safe for use by many threads. */
public final class GaugeSet {
  private final List<List<DirGauge>> byTier = new ArrayList<>();
  private final List<DirGauge> all = new ArrayList<>();
  private final Map<LocalDir, DirGauge> byDir = new HashMap<>();
  private final DeviceNotices notices;

  /** Makes gauges for the NodeManager, which asks nobody how its dirs answer. */
  public static GaugeSet ofNode(NodeTiers tiers) {
    return new GaugeSet(
        tiers,
        new FileSystemCapacity(),
        System::currentTimeMillis,
        System::nanoTime,
        Immutable.listOf());
  }

  /** Gauges of dirs that are not touched yet; {@code newsDirs}, fastest first, may tell of all. */
  public GaugeSet(
      NodeTiers tiers,
      Capacity.Probe probe,
      LongSupplier clockMillis,
      LongSupplier clockNanos,
      List<Path> newsDirs) {
    this.notices = new DeviceNotices(newsDirs, clockMillis);
    for (Tier tier : tiers.layout().tiers()) {
      List<DirGauge> ofTier = new ArrayList<>();
      for (LocalDir dir : tier.dirs()) {
        Claims claims = Claims.ofProcess(NodeMarker.claims(dir.path()), clockMillis);
        DirGauge gauge =
            new DirGauge(dir, tier, tiers.settings(), probe, claims, clockMillis, clockNanos);
        ofTier.add(gauge);
        byDir.put(dir, gauge);
      }
      byTier.add(Immutable.copyOf(ofTier));
      all.addAll(ofTier);
    }
    new SharedRoom.Arrangement(all, this::hangs);
  }

  /** Every gauge, fastest tier first. */
  public List<DirGauge> all() {
    return all;
  }

  /** Every dir that can be read, as it is now, fastest first. */
  public List<DirView> view() {
    List<DirView> views = new ArrayList<>();
    for (DirGauge gauge : all) {
      DirReading reading = gauge.backoff().waiting() || hangs(gauge) ? null : gauge.recent();
      if (reading != null) {
        views.add(
            DirView.of(
                gauge.dir(),
                reading.capacity(),
                reading.reserveBytes(),
                reading.outstanding(),
                reading.headroomBytes(),
                gauge.draining(),
                gauge.backoff().total()));
      }
    }
    return Immutable.copyOf(views);
  }

  public DirGauge of(LocalDir dir) {
    DirGauge gauge = byDir.get(dir);
    if (gauge == null) {
      throw new IllegalArgumentException(dir + " is not in " + byDir.keySet());
    }
    return gauge;
  }

  /**
   * Returns the tiers for a policy. Each is read when the policy first asks for it: a hung remote
   * mount does not delay a file that a faster tier takes.
   *
   * @param fresh whether readings must be new enough to refuse the file by
   * @param avoidSlow whether slow dirs are not to take this file
   * @param out dirs that are not to take this file, and why
   */
  public TierStates states(boolean fresh, boolean avoidSlow, Map<DirGauge, Reason> out) {
    return new TierStates(
        byTier.size(),
        index -> {
          List<DirGauge> members = byTier.get(index);
          List<DirState> dirs = new ArrayList<>(members.size());
          for (DirGauge gauge : members) {
            PublishedDevices.Device device = notices.of(gauge.dir());
            DirState dir = state(gauge, device.health(), fresh, avoidSlow, out.get(gauge));
            // Where there is something to choose.
            dirs.add(members.size() > 1 ? dir.busierBy(device.busyBytes()) : dir);
          }
          return TierState.of(members.get(0).tier(), dirs);
        });
  }

  private static DirState state(
      DirGauge gauge, DirHealth health, boolean fresh, boolean avoidSlow, @Nullable Reason out) {
    if (out != null) {
      return gauge.without(out);
    }
    if (health == DirHealth.HUNG) {
      // Not even read: who reads it hangs with it.
      return gauge.without(Reason.SET_ASIDE);
    }
    DirState dir = gauge.state(fresh);
    if (dir.refusal() == Reason.SET_ASIDE) {
      return dir;
    }
    if (gauge.draining()) {
      return gauge.without(Reason.DRAINING);
    }
    return avoidSlow && health == DirHealth.SLOW ? gauge.without(Reason.SLOW) : dir;
  }

  public DirHealth health(DirGauge gauge) {
    return notices.of(gauge.dir()).health();
  }

  private boolean hangs(DirGauge gauge) {
    return health(gauge) == DirHealth.HUNG;
  }

  public boolean anySlow() {
    return all.stream().anyMatch(gauge -> health(gauge) == DirHealth.SLOW);
  }

  /** Returns the refusals of the tiers faster than that of {@code dir}, fastest first. */
  public List<Placement.Refusal> refusalsBefore(LocalDir dir, TierStates states) {
    List<Placement.Refusal> refusals = new ArrayList<>();
    for (int i = 0; !states.get(i).tier().dirs().contains(dir); i++) {
      TierState state = states.get(i);
      DirState roomiest = state.roomiest();
      refusals.add(
          Placement.Refusal.of(
              state.tier().medium(), roomiest.refusal(), Math.max(0, roomiest.headroomBytes())));
    }
    return refusals;
  }

  /**
   * Groups the dirs to write to when nothing has room: dirs that are being emptied come last, dirs
   * that do not answer or whose cap is 0 nowhere.
   *
   * @param bySpeed slowest tier first; else all tiers are one group
   * @return groups that the caller may change
   */
  public List<List<DirGauge>> whenFull(boolean bySpeed) {
    List<List<DirGauge>> groups = new ArrayList<>(bySpeed ? byTier : Immutable.listOf(all));
    Collections.reverse(groups);
    groups.replaceAll(group -> takers(group, false));
    groups.add(takers(all, true));
    return groups;
  }

  private List<DirGauge> takers(List<DirGauge> group, boolean draining) {
    List<DirGauge> takers = new ArrayList<>(group);
    takers.removeIf(
        gauge -> gauge.draining() != draining || gauge.dir().capBytes() == 0 || hangs(gauge));
    return takers;
  }
}
