// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.plan.Replay.TempFile;
import io.temptier.shuffle.demotion.DemotionOrder;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.FastFirst;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.policy.TierState;
import io.temptier.tier.policy.TierStates;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The fast disks of all nodes in one of the sizes that are compared, and what became of the
 * temporary files: production's policy and watermarks, above slow disks that take everything.
 */
final class FastSize {
  private static final LocalDir FAST = dir("/fast", Medium.NVME);
  private static final LocalDir SLOW = dir("/slow", Medium.DISK);
  private static final TierState SLOW_TIER =
      TierState.of(
          Tier.of(Medium.DISK, Immutable.listOf(SLOW), Reserve.ofBytes(0)),
          Immutable.listOf(DirState.of(SLOW, Long.MAX_VALUE / 2, Reason.FULL)));
  private static final Comparator<TempFile> COLDEST_FIRST =
      DemotionOrder.coldestFirst(
          file -> file.job.fetchedShare(), file -> Long.valueOf(file.writtenMillis));

  /** The share of bytes that a size with room enough may spill. */
  private static final double SPILL_ALLOWED = 0.01;

  private static final class Disk {
    final Set<TempFile> files = new LinkedHashSet<>();
    long usedBytes;
    boolean draining;
    boolean moving;
  }

  /** Bytes of each fast disk. */
  final long fastBytes;

  private final long reserveBytes;
  private final Tier tier;
  private final boolean demotes;
  private final DemotionSettings.Marks marks;
  private final long coldAfterNanos;
  private final Map<String, Disk> disks = new HashMap<>();

  long placedBytes;

  /** Written to the slow ones, as the fast ones had no room. */
  long spilledBytes;

  long demotedBytes;

  FastSize(long fastBytes, Reserve reserve, DemotionSettings demotion) {
    this.fastBytes = fastBytes;
    this.reserveBytes = reserve.bytesOf(fastBytes);
    this.tier = Tier.of(Medium.NVME, Immutable.listOf(FAST), reserve);
    this.demotes = demotion.enabled();
    this.coldAfterNanos = demotion.coldAfter().toNanos();
    this.marks = demotion.marks().at(1 - Math.min(1, (double) reserveBytes / fastBytes));
  }

  private static LocalDir dir(String path, Medium medium) {
    return LocalDir.of(Paths.get(path), medium, LocalDir.NO_CAP, "simulated");
  }

  private Disk disk(String host) {
    return disks.computeIfAbsent(host, key -> new Disk());
  }

  /** Writes a file where the policy chooses; it counts with all its bytes from then on. */
  void write(TempFile file, PlacementRequest request) {
    Disk disk = disk(file.host);
    long free = fastBytes - disk.usedBytes;
    DirState state = DirState.of(FAST, free - reserveBytes, Reason.FULL, fastBytes, fastBytes, 0);
    TierState fast = TierState.of(tier, Immutable.listOf(state));
    boolean here =
        FastFirst.choose(request, TierStates.of(Immutable.listOf(fast, SLOW_TIER)))
            .filter(placement -> placement.dir().equals(FAST))
            .isPresent();
    if (here) {
      disk.files.add(file);
      disk.usedBytes += file.bytes;
      placedBytes += file.bytes;
    } else {
      spilledBytes += file.bytes;
    }
  }

  /** Deletes a file from the fast disk; false when it is not there. */
  boolean delete(TempFile file) {
    Disk disk = disk(file.host);
    boolean here = disk.files.remove(file);
    disk.usedBytes -= here ? file.bytes : 0;
    return here;
  }

  /**
   * The output of a node to move down now: one at a time, the coldest first, from the high mark on
   * until the low one is reached.
   */
  Optional<TempFile> beginMove(String host, long nowMillis) {
    Disk disk = disk(host);
    double fill = (double) disk.usedBytes / fastBytes;
    disk.draining = fill >= marks.high() || (disk.draining && fill > marks.low());
    if (!demotes || disk.moving || !disk.draining) {
      return Optional.empty();
    }
    Optional<TempFile> coldest =
        disk.files.stream()
            .filter(file -> file.kind == FileKind.MAP_OUTPUT && cold(file, nowMillis))
            .min(COLDEST_FIRST);
    disk.moving = coldest.isPresent();
    return coldest;
  }

  private boolean cold(TempFile file, long nowMillis) {
    long touchedMillis = Math.max(file.writtenMillis, file.job.fetchedMillis);
    return DemotionOrder.cold(
        file.job.fetchedShare(),
        TimeUnit.MILLISECONDS.toNanos(nowMillis - touchedMillis),
        coldAfterNanos);
  }

  /** Ends the move that was begun; the file may have been deleted meanwhile. */
  void endMove(TempFile file) {
    disk(file.host).moving = false;
    demotedBytes += delete(file) ? file.bytes : 0;
  }

  /** The share of all bytes that were written to the fast disks, 0 to 1. */
  double hitShare() {
    long all = placedBytes + spilledBytes;
    return all == 0 ? 1 : (double) placedBytes / all;
  }

  boolean hasRoom() {
    return 1 - hitShare() <= SPILL_ALLOWED;
  }

  /** Bytes a day that a node's fast disk takes, on average. */
  double bytesPerDay(double days) {
    return placedBytes / days / Math.max(1, disks.size());
  }

  /** Returns how often a day the disk is written over, the unit in which endurance is rated. */
  double driveWritesPerDay(double days) {
    return bytesPerDay(days) / fastBytes;
  }
}
