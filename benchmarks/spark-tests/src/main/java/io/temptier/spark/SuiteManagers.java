// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.placer.Listeners;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.DiskStore;

/**
 * Makes TempTier's managers and stores where Spark's tests ask for Spark's. The first of their
 * local dirs is fast and has room for next to nothing, so that most blocks lie behind a link.
 */
public final class SuiteManagers {
  private static final boolean STOCK =
      "stock".equals(System.getProperty("temptier.suites.manager"));

  private static final long FAST_BYTES = 256 << 10;

  private static final long UNKNOWN_BYTES = 4 << 10;

  private SuiteManagers() {}

  /** As the constructor of the same parameters. */
  public static DiskBlockManager diskBlockManager(
      SparkConf conf, boolean deleteFilesOnStop, boolean isDriver) {
    if (STOCK) {
      return new DiskBlockManager(conf, deleteFilesOnStop, isDriver);
    }
    try {
      return tiered(conf, deleteFilesOnStop, isDriver, FAST_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As the constructor of the same parameters. */
  public static DiskStore diskStore(
      SparkConf conf, DiskBlockManager manager, SecurityManager security) {
    return manager instanceof TieredDiskBlockManager tiered
        ? new TieredDiskStore(conf, tiered, security)
        : new DiskStore(conf, manager, security);
  }

  /**
   * One whose first dir is fast.
   *
   * @param fastBytes what may lie there
   */
  private static TieredDiskBlockManager tiered(
      SparkConf conf, boolean deleteFilesOnStop, boolean isDriver, long fastBytes)
      throws IOException, ReflectiveOperationException {
    String dirs = conf.get("spark.local.dir", System.getProperty("java.io.tmpdir"));
    SparkConf own = conf;
    if (!dirs.contains(",")) {
      Path slow = Path.of(System.getProperty("java.io.tmpdir"), "slow");
      Files.createDirectories(slow);
      own = conf.clone().set("spark.local.dir", dirs + "," + slow);
    }
    TieredDiskBlockManager manager = new TieredDiskBlockManager(own, deleteFilesOnStop, isDriver);
    List<LocalDir> dirOf = new ArrayList<>();
    for (File home : manager.localDirs()) {
      Path dir = Objects.requireNonNull(home.toPath().getParent());
      dirOf.add(
          dirOf.isEmpty()
              ? LocalDir.of(dir, Medium.NVME, fastBytes, "suite")
              : LocalDir.of(dir, Medium.DISK, LocalDir.NO_CAP, "suite"));
    }
    TierSettings settings =
        TierSettings.DEFAULT.toBuilder()
            .unknownSizeBytes(UNKNOWN_BYTES)
            .refresh(Duration.ZERO)
            .claimIdle(Duration.ofMinutes(10))
            .largeSizeBytes(0)
            .build();
    NodeTiers tiers =
        NodeTiers.of(
            TierLayout.of(dirOf, List.of(Medium.values()), any -> Reserve.DEFAULT), settings);
    BlockHomes homes = new BlockHomes(manager, dirOf);
    BlockPlaces places =
        new BlockPlaces(homes, tiers, conf.get("spark.app.id", "suite"), new Listeners(), false);
    manager.placeBy(places, null);
    return manager;
  }
}
