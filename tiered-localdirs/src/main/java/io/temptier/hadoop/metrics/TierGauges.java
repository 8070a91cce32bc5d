// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.room.DirView;
import io.temptier.tier.text.Sizes;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Sums of a tier over its dirs. A device that several dirs share counts once. */
public final class TierGauges {
  private final Map<TierCounter, Long> values = new EnumMap<>(TierCounter.class);

  private TierGauges() {}

  /**
   * The gauges of {@code tier}.
   *
   * @param viewsByDevice the dirs that can be read, of any tier, grouped by device
   * @param health how each dir answers
   */
  public static TierGauges of(
      Tier tier, List<List<DirView>> viewsByDevice, Function<LocalDir, DirHealth> health) {
    TierGauges gauges = new TierGauges();
    long read = 0;
    for (List<DirView> device : viewsByDevice) {
      List<DirView> members =
          device.stream()
              .filter(view -> tier.dirs().contains(view.dir()))
              .collect(Immutable.toList());
      if (!members.isEmpty()) {
        read += members.size();
        gauges.addDevice(members);
      }
    }
    gauges.add(TierCounter.DIRS, tier.dirs().size());
    gauges.add(TierCounter.DIRS_FAILED, tier.dirs().size() - read);
    for (LocalDir dir : tier.dirs()) {
      gauges.add(TierCounter.DIRS_SLOW, health.apply(dir) == DirHealth.SLOW ? 1 : 0);
      gauges.add(TierCounter.DIRS_HUNG, health.apply(dir) == DirHealth.HUNG ? 1 : 0);
    }
    return gauges;
  }

  /** The gauges of one dir, as of a tier that has no other; without those that count dirs. */
  public static TierGauges of(DirView view) {
    TierGauges gauges = new TierGauges();
    gauges.addDevice(Immutable.listOf(view));
    return gauges;
  }

  private void addDevice(List<DirView> members) {
    DirView member = members.get(0);
    long caps = 0;
    long headroom = 0;
    long left = 0;
    for (DirView view : members) {
      LocalDir dir = view.dir();
      caps = Sizes.sum(caps, dir.capBytes());
      headroom = Math.max(headroom, view.headroomBytes());
      left = Sizes.sum(left, leftWithinCap(view));
      add(TierCounter.DIRS_DRAINING, view.draining() ? 1 : 0);
      add(TierCounter.CLAIMED_BYTES, view.claims().bytes());
      add(TierCounter.CLAIMS, view.claims().count());
      add(TierCounter.CLAIMS_IGNORED, view.claims().ignored());
    }
    boolean capped = caps < member.capacity().totalBytes();
    add(TierCounter.CAPACITY_BYTES, Math.min(member.capacity().totalBytes(), caps));
    add(TierCounter.FREE_BYTES, capped ? Math.min(left, caps) : member.capacity().usableBytes());
    add(TierCounter.RESERVE_BYTES, capped ? 0 : member.reserveBytes());
    add(TierCounter.HEADROOM_BYTES, headroom);
  }

  /** Returns the bytes, promised ones included, that a capped dir may still take. */
  private static long leftWithinCap(DirView view) {
    long left = Sizes.sum(Math.max(0, view.headroomBytes()), view.claims().bytes());
    long aboveReserve = Math.max(0, view.capacity().usableBytes() - view.reserveBytes());
    return Math.min(left, aboveReserve);
  }

  private void add(TierCounter counter, long n) {
    values.merge(counter, n, Sizes::sum);
  }

  /** The value; 0 when no dir of the tier can be read. */
  public long value(TierCounter counter) {
    return values.getOrDefault(counter, 0L);
  }
}
