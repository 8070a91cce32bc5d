// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.shuffle.demotion.DemotionOrder;
import io.temptier.tier.DirState;
import io.temptier.tier.FileKind;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.PlacementRequest;
import io.temptier.tier.Reason;
import io.temptier.tier.Tier;
import io.temptier.tier.TierState;
import io.temptier.tier.lang.Immutable;
import java.util.Comparator;
import java.util.Optional;

/**
 * The temporary files of the cluster: placed by production's policy and demoted in production's
 * order, in all sizes of the fast disk at a time, as what a file's size and life are does not hang
 * on where it lies.
 */
final class TempFiles {
  private static final Comparator<TempFile> COLDEST_FIRST =
      DemotionOrder.coldestFirst(file -> file.job.fetched(), file -> file.writtenMillis);

  /** The simulated time. */
  interface Time {
    long nowMillis();

    /** Has something done so much later. */
    void in(long millis, Runnable action);
  }

  /** A temporary file, which lies on the fast disk in some of the sizes that are compared. */
  static final class TempFile {
    private final Node node;
    private final RunningJob job;
    private final long bytes;
    private final long writtenMillis;
    private long fastIn;

    private TempFile(Node node, RunningJob job, long bytes, long writtenMillis) {
      this.node = node;
      this.job = job;
      this.bytes = bytes;
      this.writtenMillis = writtenMillis;
    }

    /** Whether it lies on the fast disk of that size. */
    private boolean fastIn(int size) {
      return (fastIn >>> size & 1) != 0;
    }

    private void placeFast(int size) {
      fastIn |= 1L << size;
    }

    private void leaveFast(int size) {
      fastIn &= ~(1L << size);
    }
  }

  private final ClusterModel model;
  private final PlacementPolicy policy;
  private final Tier fastTier;
  private final TierState slow;
  private final Time time;
  private final long[] placed;
  private final long[] spilled;
  private final long[] demoted;
  private long tickets;

  TempFiles(ClusterModel model, Time time) {
    this.model = model;
    this.policy = model.settings().policy().create();
    this.fastTier = model.fastTier();
    this.slow =
        TierState.of(
            model.slowTier(),
            Immutable.listOf(
                DirState.of(
                    ClusterModel.SLOW, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, Reason.FULL)),
            Long.MAX_VALUE);
    this.time = time;
    int sizes = model.fastSizes().size();
    this.placed = new long[sizes];
    this.spilled = new long[sizes];
    this.demoted = new long[sizes];
  }

  TempFile write(RunningJob job, Node node, FileKind kind, long bytes) {
    TempFile file = new TempFile(node, job, bytes, time.nowMillis());
    String user = job.trace().user();
    PlacementRequest request =
        PlacementRequest.of("", kind, bytes, true, job.trace().id(), tickets++)
            .of(user.isEmpty() ? null : user, model.settings().limits());
    for (int size = 0; size < placed.length; size++) {
      place(file, job, request, size);
    }
    node.addTemp(bytes);
    if (kind == FileKind.MAP_OUTPUT) {
      node.outputs().add(file);
      job.outputs().add(file);
    }
    for (int size = 0; size < placed.length; size++) {
      demote(node, size);
    }
    return file;
  }

  private void place(TempFile file, RunningJob job, PlacementRequest request, int size) {
    Node.FastDisk disk = file.node.fast(size);
    TierState fast = TierState.of(fastTier, Immutable.listOf(disk.state()), Long.MAX_VALUE);
    boolean holds =
        policy
            .choose(request, Immutable.listOf(fast, slow))
            .map(placement -> placement.dir().equals(ClusterModel.FAST))
            .orElse(false);
    if (holds) {
      disk.add(file.bytes);
      file.placeFast(size);
      placed[size] += file.bytes;
    } else {
      job.spilled(size);
      spilled[size] += file.bytes;
    }
  }

  void delete(TempFile file) {
    Node node = file.node;
    for (int size = 0; size < placed.length; size++) {
      if (file.fastIn(size)) {
        node.fast(size).add(-file.bytes);
        file.leaveFast(size);
      }
    }
    node.addTemp(-file.bytes);
    node.outputs().remove(file);
  }

  /** Moves one output after the other until the low mark is reached. */
  private void demote(Node node, int size) {
    Node.FastDisk disk = node.fast(size);
    if (!model.demotion().enabled() || disk.moving() || !disk.drains()) {
      return;
    }
    Optional<TempFile> found =
        node.outputs().stream().filter(file -> file.fastIn(size)).min(COLDEST_FIRST);
    if (!found.isPresent()) {
      return;
    }
    TempFile coldest = found.get();
    disk.setMoving(true);
    time.in(
        1 + coldest.bytes * 1000 / model.demotion().bytesPerSecond(),
        () -> {
          disk.setMoving(false);
          if (coldest.fastIn(size)) {
            coldest.leaveFast(size);
            disk.add(-coldest.bytes);
            demoted[size] += coldest.bytes;
          }
          demote(node, size);
        });
  }

  long placedBytes(int size) {
    return placed[size];
  }

  long spilledBytes(int size) {
    return spilled[size];
  }

  long demotedBytes(int size) {
    return demoted[size];
  }
}
