// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.ceph.CephCluster;
import io.temptier.bench.ceph.CephPrograms;
import io.temptier.bench.ceph.CephSpec;
import io.temptier.bench.ceph.S3Account;
import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.MemoryFolder;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.TestbedHome;
import io.temptier.cli.CommandFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/** The store of a run: a Ceph of its own, or one that is there. */
final class Store implements Closeable {
  private static final String BUCKET = "bench";
  private static final long OSD_BYTES = 24L << 30;

  /** What lies on a slow disk is allocated at once, in memory where there is room. */
  private static final long SLOW_OSD_BYTES = 6L << 30;

  private static final long BESIDE_OSD_BYTES = 1L << 30;

  private final Opened opened = new Opened();
  private final TestbedHome home;
  private Map<String, String> reach = Map.of();
  private String folder = "";
  private String description = "";

  private Store(TestbedHome home) {
    this.home = opened.push(home);
  }

  /**
   * Starts a Ceph.
   *
   * @param work where to make its folder
   * @param slow the speed of the emulated disk that it lies on; empty for the machine's own
   * @throws CommandFailure when it is not installed, or there can be no slow disk
   */
  static Store ceph(Path work, Optional<DiskSpeed> slow, Consumer<String> progress)
      throws IOException {
    CephPrograms.hindrance()
        .ifPresent(
            why -> {
              throw new CommandFailure(
                  why + " Or name a store that is there with --conf-dir and --bucket.");
            });
    return Opened.ready(
        new Store(TestbedHome.create(work)), store -> store.startCeph(slow, progress));
  }

  private void startCeph(Optional<DiskSpeed> slow, Consumer<String> progress) throws IOException {
    Optional<EmulatedDisk> disk = slow.isPresent() ? Optional.of(disk()) : Optional.empty();
    CephCluster ceph =
        opened.push(
            CephCluster.start(
                disk.map(EmulatedDisk::mount).orElse(home.path()),
                new CephSpec(1, 1, disk.isPresent() ? SLOW_OSD_BYTES : OSD_BYTES),
                what -> progress.accept("starting Ceph: " + what)));
    S3Account account = ceph.newAccount("bench");
    ceph.makeBucket(account, BUCKET);
    reach = Setups.reach(ceph.s3aProperties(account));
    folder = "s3a://" + BUCKET + "/bench";
    description = "a Ceph on this machine: 1 OSD, 1 gateway";
    if (disk.isPresent()) {
      disk.get().limit(slow.get());
      description += ", on a disk of " + slow.get();
    }
  }

  /**
   * Uses one that is there, in a folder of a new name.
   *
   * @param confDir where its {@code core-site.xml} is
   * @param bucket its URI, with a folder or without
   */
  static Store at(Path work, Path confDir, String bucket) throws IOException {
    Path site = confDir.resolve("core-site.xml");
    if (!Files.isReadable(site)) {
      throw new CommandFailure("there is no " + site + " to read");
    }
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    Map<String, String> set = new LinkedHashMap<>();
    for (Map.Entry<String, String> property : conf) {
      if (property.getKey().startsWith("fs.s3a.")
          || property.getKey().startsWith("hadoop.security.")) {
        set.put(property.getKey(), property.getValue());
      }
    }
    Store store = new Store(TestbedHome.create(work));
    store.reach = Setups.reach(set);
    store.folder = bucket.replaceFirst("/+$", "") + "/temptier-bench-" + UUID.randomUUID();
    store.description = bucket + " as in " + site;
    return store;
  }

  /** A disk for all of Ceph's files, not slow yet. */
  private EmulatedDisk disk() throws IOException {
    CommandFailure.ifAny(EmulatedDisk.hindrance());
    long bytes = SLOW_OSD_BYTES + BESIDE_OSD_BYTES;
    TestbedHome folder =
        opened.push(TestbedHome.create(MemoryFolder.ifRoomFor(bytes, bytes, home.path())));
    EmulatedDisk disk = opened.push(EmulatedDisk.create(folder, "store", bytes));
    if (!disk.slowForAll()) {
      throw new CommandFailure(
          "the store cannot lie on a slow disk: Ceph's writes are not slowed down by "
              + disk.description());
    }
    return disk;
  }

  /** A folder on this machine for the run's files. */
  Path home() {
    return home.path();
  }

  /** What every client needs to be set to reach it. */
  Map<String, String> reach() {
    return reach;
  }

  /** The URI of the folder that the run may write to, and removes. */
  String folder() {
    return folder;
  }

  /** What it is, for people. */
  String description() {
    return description;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
