// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.NodeRate;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.thread.PeriodicDaemon;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.capacity.FileSystemCapacity;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upkeep of Spark's blocks in a NodeManager: it sweeps up orphans, and demotes for executors that
 * are gone. Only in folders of this process's user, which nobody else can exchange; under the Linux
 * container executor they are their users', and stay until the application ends.
 */
final class SparkUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SparkUpkeep.class);

  /**
   * Period of sweeping: otherwise files that Spark's shuffle service leaves behind stay for an
   * application's life.
   */
  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);

  private final PeriodicDaemon sweeping;
  private final @Nullable ColdBlocks demotion;

  /** Demotes at once, and sweeps once it is started. */
  SparkUpkeep(
      NodeTiers tiers,
      NodeRate rate,
      NodeApplications applications,
      BiConsumer<PlacementRequest, Placement> moved,
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
    if (!tiers.demotion().enabled() || tiers.layout().tiers().size() < 2) {
      demotion = null;
      return;
    }
    demotion =
        new ColdBlocks(
            tiers,
            rate,
            ColdBlocks::replace,
            (request, placement) -> {
              tally.add(TierCounter.BLOCKS_DEMOTED, 1);
              tally.add(TierCounter.BLOCK_BYTES_DEMOTED, request.bytes());
              moved.accept(request, placement);
            },
            new FileSystemCapacity());
    demotion.start(() -> ofEndedExecutors(tiers.layout(), applications.withoutTasks(), ownUid));
  }

  /** Visits an application's folder, given by its path in a local dir. */
  @FunctionalInterface
  interface Visit {
    void of(String application, Path folder) throws IOException;
  }

  /** Visits each application; what cannot be looked at now is looked at another time. */
  static void each(Map<String, String> users, Visit visit) {
    users.forEach(
        (application, user) -> {
          try {
            visit.of(application, Paths.get("usercache", user, "appcache", application));
          } catch (IOException e) {
            // Also where folders are another user's.
            LOG.debug("{} is looked at again", application, e);
          }
        });
  }

  /**
   * The blocks of applications that have no executor left on this node, but a shuffle service that
   * serves what those wrote. Executors left a file that says that blocks may be moved.
   *
   * @param users by application, of those that may have ended executors
   */
  static List<ColdBlocks.Blocks> ofEndedExecutors(
      TierLayout layout, Map<String, String> users, int ownUid) {
    List<ColdBlocks.Blocks> all = new ArrayList<>();
    each(
        users,
        (application, relative) -> {
          Map<LocalDir, Path> folders = new HashMap<>();
          boolean shared = false;
          for (LocalDir dir : layout.dirs()) {
            try (@Nullable OwnFolder folder =
                OwnFolder.open(dir.path(), relative, ownUid).orElse(null)) {
              if (folder != null) {
                folders.put(dir, folder.path());
                shared |= folder.names("").contains(ColdBlocks.LOCK);
              }
            }
          }
          if (shared) {
            all.add(ColdBlocks.Blocks.of(application, folders, Immutable.setOf()));
          }
        });
    return all;
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
