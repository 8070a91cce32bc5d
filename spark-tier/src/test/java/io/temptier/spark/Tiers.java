// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.fixtures.Trees;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.placer.Listeners;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;

/** A fast dir with a cap and a slow one, and the block manager that names files in them. */
final class Tiers implements AutoCloseable {
  /** What a file of unknown size is taken to be. */
  static final long UNKNOWN_BYTES = 1 << 20;

  final Path fast;
  final Path slow;
  final TieredDiskBlockManager manager;
  final BlockPlaces places;
  final NodeTiers tiers;

  Tiers(Path temp, long fastCapBytes) throws IOException, ReflectiveOperationException {
    this(temp.resolve("fast"), temp.resolve("slow"), fastCapBytes);
  }

  /** A Spark in this JVM. */
  static SparkConf local(String name) {
    return new SparkConf(false)
        .setMaster("local[1]")
        .setAppName(name)
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  /** The same with a fast local dir and a slow one. */
  static SparkConf local(String name, Path fast, Path slow) {
    return local(name)
        .set("spark.local.dir", slow + "," + fast)
        .set(SparkTiers.DIRS_KEY, "[NVME]" + fast + ",[DISK]" + slow);
  }

  /** The same in dirs of any name. */
  Tiers(Path fast, Path slow, long fastCapBytes) throws IOException, ReflectiveOperationException {
    this.fast = Files.createDirectories(fast);
    this.slow = Files.createDirectories(slow);
    LocalDir nvme = LocalDir.of(fast, Medium.NVME, fastCapBytes, "test");
    LocalDir hdd = LocalDir.of(slow, Medium.DISK, LocalDir.NO_CAP, "test");
    SparkConf conf = new SparkConf(false).set("spark.local.dir", slow + "," + fast);
    manager = new TieredDiskBlockManager(conf, true, true);
    TierSettings settings =
        TierSettings.DEFAULT.toBuilder()
            .unknownSizeBytes(UNKNOWN_BYTES)
            .refresh(Duration.ZERO)
            .claimIdle(Duration.ofMinutes(10))
            .largeSizeBytes(0)
            .build();
    tiers =
        NodeTiers.of(
            TierLayout.of(List.of(nvme, hdd), List.of(Medium.values()), any -> Reserve.DEFAULT),
            settings);
    List<LocalDir> dirOf =
        Stream.of(manager.localDirs())
            .map(home -> home.toPath().startsWith(fast) ? nvme : hdd)
            .toList();
    BlockHomes homes = new BlockHomes(manager, dirOf);
    places = new BlockPlaces(homes, tiers, "application_1_0001", new Listeners(), false);
    manager.placeBy(places, null);
  }

  /** A name, between these two a number, of a block whose home is in a dir. */
  static String nameIn(TieredDiskBlockManager manager, Path dir, String prefix, String suffix) {
    for (int i = 0; ; i++) {
      String name = prefix + i + suffix;
      if (manager.getFile(name).toPath().startsWith(dir)) {
        return name;
      }
    }
  }

  static String nameIn(TieredDiskBlockManager manager, Path dir, String prefix) {
    return nameIn(manager, dir, prefix, "");
  }

  /** A map output whose home is the fast dir. */
  File fastOutput(int map) {
    return manager.getFile(nameIn(manager, fast, "shuffle_0_" + map + "_", ".data"));
  }

  /** The folder of this executor in the fast dir. */
  Path fastParent() {
    LocalDir nvme = tiers.layout().tiers().get(0).dirs().get(0);
    return Objects.requireNonNull(places.homes().parents().get(nvme));
  }

  /** Its blocks, as of an application on YARN. */
  List<ColdBlocks.Blocks> blocks() {
    return List.of(ColdBlocks.Blocks.of("application_1_0001", places.homes().parents(), Set.of()));
  }

  /** The regular files below a dir, no links. */
  static List<Path> files(Path dir) throws IOException {
    return Trees.below(dir).stream()
        .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
        .filter(file -> !file.toString().contains(".temptier"))
        .toList();
  }

  static List<Path> links(Path dir) throws IOException {
    return Trees.below(dir).stream().filter(Files::isSymbolicLink).toList();
  }

  @Override
  public void close() {
    manager.stop();
    places.close();
  }
}
