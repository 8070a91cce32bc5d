// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jmh;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.FastFirst;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.policy.TierState;
import io.temptier.tier.policy.TierStates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The decision alone, without any I/O: one NVMe dir and the rest HDDs. Stock Hadoop has it in one
 * method with its I/O.
 */
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class PolicyBenchmark extends TierBenchmark {
  private static final long FILE_BYTES = 64L << 20;
  private static final long ROOM_BYTES = 1L << 40;

  /** Local dirs: as in the source document, and as in a dense node. */
  @Param({"12", "24"})
  public int localDirs;

  @Param({"true", "false"})
  public boolean fastHasRoom;

  private TierStates tiers;
  private long tickets;

  @Setup
  public void makeTiers() {
    List<DirState> slow = new ArrayList<>();
    IntStream.range(1, localDirs).forEach(i -> slow.add(dir(i, Medium.DISK, ROOM_BYTES)));
    tiers =
        TierStates.of(
            List.of(
                tier(Medium.NVME, List.of(dir(0, Medium.NVME, fastHasRoom ? ROOM_BYTES : 0))),
                tier(Medium.DISK, slow)));
  }

  private static DirState dir(int number, Medium medium, long roomBytes) {
    LocalDir dir = LocalDir.of(Path.of("/disk" + number), medium, LocalDir.NO_CAP, "benchmark");
    return DirState.of(dir, roomBytes, Reason.FULL);
  }

  private static TierState tier(Medium medium, List<DirState> dirs) {
    List<LocalDir> members = dirs.stream().map(DirState::dir).toList();
    return TierState.of(Tier.of(medium, members, Reserve.DEFAULT), dirs);
  }

  @Benchmark
  public Optional<Placement> choose() {
    PlacementRequest request =
        PlacementRequest.of("spill0.out", FileKind.SPILL, FILE_BYTES, true, null, tickets++);
    return FastFirst.choose(request, tiers);
  }
}
