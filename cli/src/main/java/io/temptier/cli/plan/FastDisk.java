// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.demotion.DemotionOrder;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.PlacementPolicy;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.policy.TierState;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.TierSettings;
import io.temptier.tier.settings.Watermarks;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The fast disk of one node in one of the sizes that are compared: production's policy and
 * watermarks, above a slow disk that takes everything.
 */
final class FastDisk {
  private static final LocalDir FAST = dir("/fast", Medium.NVME);
  private static final LocalDir SLOW = dir("/slow", Medium.DISK);
  private static final TierState SLOW_TIER =
      TierState.of(
          Tier.of(Medium.DISK, Immutable.listOf(SLOW), Reserve.ofBytes(0)),
          Immutable.listOf(DirState.of(SLOW, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, Reason.FULL)),
          Long.MAX_VALUE);
  private static final PlacementPolicy POLICY = PlacementPolicy.Named.FAST_FIRST.create();
  private static final Comparator<TempFile> COLDEST_FIRST =
      DemotionOrder.coldestFirst(
          file -> file.job.fetchedShare(), file -> Long.valueOf(file.writtenMillis));

  /** What an operator may configure. */
  @AutoValue
  abstract static class Rules {
    abstract Reserve reserve();

    abstract TierSettings settings();

    abstract DemotionSettings demotion();

    static Rules of(Reserve reserve, TierSettings settings, DemotionSettings demotion) {
      return new AutoValue_FastDisk_Rules(reserve, settings, demotion);
    }
  }

  private final long totalBytes;
  private final long reserveBytes;
  private final Tier tier;
  private final boolean demotes;
  private final Watermarks marks;
  private final Set<TempFile> files = new LinkedHashSet<>();
  private long usedBytes;
  private boolean draining;
  private boolean moving;

  FastDisk(Rules rules, long totalBytes) {
    this.totalBytes = totalBytes;
    this.reserveBytes = rules.reserve().bytesOf(totalBytes);
    this.tier = Tier.of(Medium.NVME, Immutable.listOf(FAST), rules.reserve());
    this.demotes = rules.demotion().enabled();
    this.marks =
        rules
            .demotion()
            .marksOf(Medium.NVME)
            .at(1 - Math.min(1, (double) reserveBytes / totalBytes));
  }

  private static LocalDir dir(String path, Medium medium) {
    return LocalDir.of(Paths.get(path), medium, LocalDir.NO_CAP, "simulated");
  }

  /** Writes a file here if the policy chooses so; it counts with all its bytes from then on. */
  boolean place(TempFile file, PlacementRequest request) {
    long room = totalBytes - usedBytes - reserveBytes;
    DirState state = DirState.of(FAST, room, totalBytes - usedBytes, Reason.FULL, totalBytes, 0);
    TierState fast = TierState.of(tier, Immutable.listOf(state), Long.MAX_VALUE);
    boolean here =
        POLICY
            .choose(request, Immutable.listOf(fast, SLOW_TIER))
            .filter(placement -> placement.dir().equals(FAST))
            .isPresent();
    if (here) {
      files.add(file);
      usedBytes += file.bytes;
    }
    return here;
  }

  /** Deletes a file; false when it is not here. */
  boolean remove(TempFile file) {
    boolean here = files.remove(file);
    usedBytes -= here ? file.bytes : 0;
    return here;
  }

  /**
   * The output to move down now: one at a time, the coldest first, from the high mark on until the
   * low one is reached.
   */
  Optional<TempFile> beginMove() {
    double fill = (double) usedBytes / totalBytes;
    draining = fill >= marks.high() || (draining && fill > marks.low());
    if (!demotes || moving || !draining) {
      return Optional.empty();
    }
    Optional<TempFile> coldest =
        files.stream().filter(file -> file.kind == FileKind.MAP_OUTPUT).min(COLDEST_FIRST);
    moving = coldest.isPresent();
    return coldest;
  }

  /** Ends the move that was begun; false when the file was deleted meanwhile. */
  boolean endMove(TempFile file) {
    moving = false;
    return remove(file);
  }
}
