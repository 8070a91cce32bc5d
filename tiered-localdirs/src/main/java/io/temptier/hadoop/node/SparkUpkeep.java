// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.UserBlocks;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FileSystemCapacity;
import java.io.IOException;
import java.nio.file.Path;
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
 * What a NodeManager does for Spark's blocks, one thing after the other on one thread: demotes
 * them, and sweeps up orphans. Follows no link; other users' blocks are moved by a process of the
 * user, and their orphans stay until the application ends.
 */
final class SparkUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SparkUpkeep.class);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** What Spark's shuffle service leaves behind is there for an application's life otherwise. */
  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);

  private final NodeService node;
  private final NodeTiers tiers;
  private final NodeApplications applications;
  private final int ownUid;
  private final BlockOrphans orphans;
  private final PeriodicDaemon rounds;
  private final @Nullable ColdBlocks demotion;
  private final UserBlocks others;
  private long sweptNanos = System.nanoTime();
  private volatile boolean closed;

  SparkUpkeep(
      NodeService node,
      NodeTiers tiers,
      NodeApplications applications,
      BiConsumer<PlacementRequest, Placement> moved,
      PlacementTally tally) {
    this.node = node;
    this.tiers = tiers;
    this.applications = applications;
    ownUid = new ProcessTable().selfUid();
    orphans =
        new BlockOrphans(
            tiers.layout(),
            applications::running,
            ownUid,
            System::currentTimeMillis,
            () -> tally.add(TierCounter.ORPHANS_DELETED, 1));
    BiConsumer<PlacementRequest, Placement> counted =
        (request, placement) -> {
          tally.demoted(request.bytes());
          moved.accept(request, placement);
        };
    demotion =
        tiers.demotion().enabled() && tiers.layout().tiers().size() > 1
            ? new ColdBlocks(tiers, node.pace(), counted, new FileSystemCapacity())
            : null;
    others = new UserBlocks(node.batches(), Control::new, counted);
    rounds = PeriodicDaemon.withoutRest("TempTier blocks of Spark", () -> PERIOD, this::round);
  }

  private void round() {
    if (demotion != null) {
      demotion.round(
          () ->
              blocks(
                  tiers.layout(),
                  applications.running(),
                  ownUid,
                  node.runsAsUsers() ? others : null));
    }
    long now = System.nanoTime();
    if (now - sweptNanos > SWEEP_PERIOD.toNanos()) {
      sweptNanos = now;
      orphans.round();
    }
  }

  /** Lets a batch go on while its application runs and this does. */
  private final class Control implements MoveControl {
    private final String application;

    Control(String application) {
      this.application = application;
    }

    @Override
    public void check() throws MoveStoppedException {
      if (closed || ended()) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, application + " is not to go on");
      }
    }

    @Override
    public void pass(LocalDir target, long bytes) throws MoveStoppedException {
      node.pace().await(bytes);
      check();
    }

    @Override
    public boolean ended() {
      return !applications.running().containsKey(application);
    }
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
            visit.of(application, LocalDir.application(user, application));
          } catch (IOException e) {
            // Also where folders are another user's.
            LOG.debug("{} is looked at again", application, e);
          }
        });
  }

  /**
   * The blocks of applications whose executors left a file that says that they may be moved; other
   * users' only where somebody moves {@code others}.
   */
  static List<ColdBlocks.Blocks> blocks(
      TierLayout layout,
      Map<String, String> users,
      int ownUid,
      ColdBlocks.@Nullable AsUser others) {
    List<ColdBlocks.Blocks> all = new ArrayList<>();
    each(
        users,
        (application, relative) -> {
          Map<LocalDir, Path> folders = new HashMap<>();
          boolean shared = false;
          int uid = ownUid;
          for (LocalDir dir : layout.dirs()) {
            if (others != null) {
              int owner = ProcessTable.uidOf(dir.path().resolve(relative.subpath(0, 2)));
              uid = owner > 0 ? owner : uid;
            }
            try (@Nullable OwnFolder folder =
                OwnFolder.open(dir.path(), relative, uid).orElse(null)) {
              if (folder != null) {
                folders.put(dir, folder.path());
                shared |= folder.names("").contains(ColdBlocks.SHARED);
              }
            }
          }
          if (shared) {
            all.add(
                others == null || uid == ownUid
                    ? ColdBlocks.Blocks.of(application, folders, Immutable.setOf())
                    : ColdBlocks.Blocks.ofOther(application, folders, others));
          }
        });
    return all;
  }

  void start() {
    if (demotion != null) {
      demotion.reserveForAll();
    }
    rounds.start();
  }

  @Override
  public void close() {
    closed = true;
    rounds.close();
    if (demotion != null) {
      demotion.close();
    }
  }
}
