// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.hadoop.node.history.NodeHistory;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.NodeRate;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.thread.PeriodicDaemon;
import io.temptier.tier.settings.NodeTiers;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a NodeManager does for Spark's blocks: sweeps up orphans, and demotes for who is gone. */
final class SparkUpkeep implements AutoCloseable {
  /** What Spark's shuffle service leaves behind is there for an application's life otherwise. */
  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);

  private final PeriodicDaemon sweeping;
  private final @Nullable ColdBlocks demotion;

  /** Demotes at once, and sweeps once it is started. */
  SparkUpkeep(
      NodeTiers tiers,
      NodeRate rate,
      NodeApplications applications,
      NodeHistory history,
      PlacementTally tally) {
    int ownUid = new ProcessTable(Paths.get("/proc")).selfUid();
    BlockOrphans orphans =
        new BlockOrphans(
            tiers.layout(),
            applications::running,
            ownUid,
            System::currentTimeMillis,
            files -> tally.add(TierCounter.ORPHANS_DELETED, files));
    sweeping =
        new PeriodicDaemon(
            "TempTier orphans of Spark",
            () -> SWEEP_PERIOD,
            () -> {
              orphans.round();
              NodeRate.sweep(tiers.layout().paths(), System.currentTimeMillis());
            });
    demotion =
        tiers.demotion().enabled() && tiers.layout().tiers().size() > 1
            ? cold(tiers, rate, history, tally)
            : null;
    if (demotion != null) {
      demotion.start(
          new EndedExecutors(tiers.layout(), applications::withoutTasks, ownUid)::blocks);
    }
  }

  private static ColdBlocks cold(
      NodeTiers tiers, NodeRate rate, NodeHistory history, PlacementTally tally) {
    return new ColdBlocks(
        tiers,
        rate,
        ColdBlocks::replace,
        (request, placement) -> {
          tally.add(TierCounter.BLOCKS_DEMOTED, 1);
          tally.add(TierCounter.BLOCK_BYTES_DEMOTED, request.bytes());
          history.demoted(Objects.requireNonNull(request.application()), request.bytes());
        });
  }

  void start() {
    sweeping.start();
  }

  @Override
  public void close() {
    sweeping.close();
    if (demotion != null) {
      demotion.close();
    }
  }
}
