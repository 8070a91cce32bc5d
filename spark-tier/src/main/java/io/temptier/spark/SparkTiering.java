// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.claim.ClaimsFolder;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.MountGuard;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.os.Threads;
import io.temptier.tier.placer.Listeners;
import io.temptier.tier.room.FileSystemCapacity;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.DiskBlockManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TempTier in one executor or driver: starts it, and ends it. */
final class SparkTiering {
  static final String ENABLED_KEY = "spark.temptier.enabled";
  static final String DEMOTION_KEY = "spark.temptier.demotion";

  /** The names of Spark's own shuffle, in lower case. */
  private static final Set<String> SPARKS_SHUFFLES =
      Immutable.setOf("sort", "tungsten-sort", "org.apache.spark.shuffle.sort.sortshufflemanager");

  private static final Logger LOG = LoggerFactory.getLogger(SparkTiering.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** Period of looking after claims, or whether the NodeManager that does so is switched off. */
  private static final Duration LOOK_PERIOD = Duration.ofSeconds(2);

  /** Time that the end of a JVM waits for files to be settled: a disk may hang. */
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(1);

  private SparkTiering() {}

  /**
   * Makes TempTier place the files of this JVM's block manager, if the tiers are known.
   *
   * @return to be closed when no more files are written; null where Spark places them itself
   * @throws ReflectiveOperationException when this Spark is not built as expected; nothing is
   *     changed then
   */
  static @Nullable AutoCloseable start(PluginContext context) throws ReflectiveOperationException {
    SparkConf conf = context.conf();
    BlockManager blockManager = SparkEnv.get().blockManager();
    DiskBlockManager stock = blockManager.diskBlockManager();
    if (stock instanceof TieredDiskBlockManager) {
      // A driver that is its own executor.
      return null;
    }
    BlockManagerSeam seam = new BlockManagerSeam(blockManager);
    SparkTiers tiers;
    boolean demotes;
    try {
      if (!SparkKeys.flag(conf, ENABLED_KEY, true)) {
        LOG.info("TempTier is switched off for this application by {}=false", ENABLED_KEY);
        return null;
      }
      demotes = SparkKeys.flag(conf, DEMOTION_KEY, true);
      tiers =
          SparkTiers.of(
              conf, Arrays.stream(stock.localDirs()).map(File::toPath).collect(Immutable.toList()));
    } catch (SparkTiers.StockException e) {
      SparkKeys.warn(
          "Spark places the files of executor " + context.executorID() + ": " + e.getMessage());
      return null;
    }
    long began = System.nanoTime();
    BlockHomes homes = new BlockHomes(stock, tiers.dirOf());
    TierLayout layout = tiers.tiers().layout();
    Map<LocalDir, Path> parents = homes.parents();
    Map<LocalDir, MountGuard> guards =
        layout.dirs().stream().collect(Immutable.toMap(dir -> dir, MountGuard::new));
    PlacementJournal journal =
        PlacementJournal.ofApplication(
            layout.dirs().stream().map(parents::get).collect(Immutable.toList()),
            folder -> !layout.dirOf(folder).filter(dir -> lost(guards, dir)).isPresent());
    BlockMetrics metrics = new BlockMetrics(context.metricRegistry());
    Listeners listeners = new Listeners();
    boolean onYarn = SparkTiers.onYarn(conf);
    if (onYarn) {
      // Elsewhere nobody reads it, and a dir may be of other applications and users, too.
      listeners.add(journal);
    }
    listeners.add(metrics);
    // Claims know no dash in it.
    String application = conf.get("spark.app.id", "").replace('-', '_');
    BlockPlaces places =
        new BlockPlaces(homes, tiers.tiers(), application, listeners, othersWrite(conf));
    DemotionSettings demotion = tiers.tiers().demotion();
    boolean goDown = demotion.enabled() && demotes;
    // On YARN the NodeManager does it. Before the exchange: where this fails nothing is changed.
    ColdBlocks cold =
        goDown && !onYarn
            ? new ColdBlocks(
                tiers.tiers(),
                new Pace(demotion.bytesPerSecond()),
                (request, placement) -> metrics.demoted(request.bytes()),
                new FileSystemCapacity())
            : null;
    TieredDiskBlockManager manager = seam.exchange(stock);
    List<PeriodicDaemon> daemons = new ArrayList<>();
    if (onYarn) {
      OffSwitch node = new OffSwitch(tiers.roots(), places::stop);
      daemons.add(new PeriodicDaemon("temptier-off-switch", () -> LOOK_PERIOD, node::look));
    } else {
      Runnable keeper = keeper(guards);
      // Before the first claim.
      keeper.run();
      daemons.add(new PeriodicDaemon("temptier-claims-folder", () -> LOOK_PERIOD, keeper));
      if (conf.getBoolean("spark.shuffle.service.enabled", false)) {
        manager.servedByWorker(conf.getBoolean("spark.shuffle.service.fetch.rdd.enabled", false));
      }
    }
    manager.placeBy(places, stock);
    daemons.add(PeriodicDaemon.withoutRest("temptier-unseen", () -> PERIOD, places.unseen()::look));
    if (cold != null) {
      // A folder may hold homes of other applications and users.
      ColdBlocks.Blocks blocks = ColdBlocks.Blocks.of(application, parents, homes.names());
      cold.reserve(blocks);
      daemons.add(
          PeriodicDaemon.withoutRest(
              "temptier-demotion", () -> PERIOD, () -> cold.round(() -> Immutable.listOf(blocks))));
    }
    AtomicBoolean closed = new AtomicBoolean();
    Runnable end =
        () -> {
          if (closed.compareAndSet(false, true)) {
            end(places, cold, daemons, journal);
          }
        };
    manager.closeAtEnd(end);
    daemons.forEach(PeriodicDaemon::start);
    List<LocalDir> fast = new ArrayList<>(layout.tiers().get(0).dirs());
    fast.removeIf(dir -> lost(guards, dir));
    if (goDown && onYarn) {
      List<Path> folders = fast.stream().map(parents::get).collect(Immutable.toList());
      Threads.run("temptier-demotion", () -> ColdBlocks.share(folders));
    }
    LOG.info(
        "TempTier places the files of executor {} over {}; {} of {} homes are on the fast tier ({}"
            + " ms)",
        context.executorID(),
        layout,
        tiers.dirOf().stream().filter(fast::contains).count(),
        tiers.dirOf().size(),
        (System.nanoTime() - began) / 1_000_000);
    return end::run;
  }

  /**
   * Tells the driver's log, which is the one that users see, what is set and has no effect.
   *
   * @return whether the driver's files are placed, too
   */
  static boolean inDriver(SparkConf conf) {
    SparkKeys.idle(conf).forEach(SparkKeys::warn);
    try {
      return SparkKeys.flag(conf, TierPlugin.DRIVER_KEY, false);
    } catch (SparkTiers.StockException e) {
      SparkKeys.warn(e.getMessage() + " It counts as false.");
      return false;
    }
  }

  /** True if the application brings a shuffle of its own, as native engines do. */
  private static boolean othersWrite(SparkConf conf) {
    String shuffle = conf.get("spark.shuffle.manager", "sort").toLowerCase(Locale.ROOT);
    return !SPARKS_SHUFFLES.contains(shuffle);
  }

  private static boolean lost(Map<LocalDir, MountGuard> guards, LocalDir dir) {
    return Objects.requireNonNull(guards.get(dir)).lost();
  }

  /** Keeps folders of claims, so that a node's executors count each other without a NodeManager. */
  private static Runnable keeper(Map<LocalDir, MountGuard> guards) {
    Map<LocalDir, ClaimsFolder> folders = new HashMap<>();
    for (LocalDir dir : guards.keySet()) {
      folders.put(dir, new ClaimsFolder(dir.path(), System::currentTimeMillis));
    }
    return () ->
        folders.forEach(
            (dir, folder) -> {
              if (!lost(guards, dir)) {
                folder.keep();
              }
            });
  }

  /** Settles what is being written, and writes down the last placements. */
  private static void end(
      BlockPlaces places,
      @Nullable ColdBlocks cold,
      List<PeriodicDaemon> daemons,
      PlacementJournal journal) {
    Threads.endWithin(
        LONGEST_SETTLING,
        "temptier-placement",
        () -> {
          Threads.together(daemons.stream().map(daemon -> daemon::close));
          if (cold != null) {
            cold.close();
          }
          places.close();
        });
    journal.close();
  }

  /**
   * Notices that a NodeManager was started again with TempTier off while an executor ran on. An
   * executor that was switched off stays so. For a thread of its own, since a dir may hang.
   */
  static final class OffSwitch {
    private final List<Path> roots;
    private final Runnable stop;
    private boolean off;

    /** Runs {@code stop} once, when a look at the node's local dirs finds TempTier off. */
    OffSwitch(List<Path> roots, Runnable stop) {
      this.roots = roots;
      this.stop = stop;
    }

    /**
     * Looks once. A NodeManager that is down says nothing, and one that did not reach all of its
     * dirs left its marker in some.
     */
    void look() {
      if (off) {
        return;
      }
      Optional<String> why =
          roots.stream()
              .flatMap(root -> NodeMarker.whyOff(root).map(Stream::of).orElseGet(Stream::empty))
              .findFirst();
      if (!why.isPresent() || roots.stream().anyMatch(root -> NodeMarker.read(root).isPresent())) {
        return;
      }
      off = true;
      stop.run();
      LOG.info(
          "TempTier is off in the NodeManager of this node ({}): Spark places what this executor"
              + " writes from now on",
          why.get());
    }
  }
}
