// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.MemoryFolder;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.TestbedHome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The disks that blocks wait on: emulated ones, or a folder of the machine's own. */
final class UploadDisks implements Closeable {
  private static final long MARGIN_BYTES = 64L << 20;

  private final Opened opened = new Opened();
  private Path fast = Path.of("");
  private List<Path> slow = List.of();
  private String description = "";

  private UploadDisks() {}

  /**
   * Opens them.
   *
   * @param home an existing folder of the run
   * @param bytes that one must hold
   */
  static UploadDisks open(Path home, long bytes, DiskSpeed speed) throws IOException {
    UploadDisks disks = new UploadDisks();
    String hindrance = EmulatedDisk.hindrance().orElse(null);
    if (hindrance != null) {
      disks.fast = Files.createDirectories(home.resolve("fast"));
      disks.description = "no slow disk: " + hindrance + ". The other is " + disks.fast;
      return disks;
    }
    return Opened.ready(disks, made -> made.emulate(home, bytes + MARGIN_BYTES, speed));
  }

  /** A dir on the fast disk. */
  Path fast() {
    return fast;
  }

  /** A dir on the slow disk, or none. */
  List<Path> slow() {
    return slow;
  }

  /** What they are, for people. */
  String description() {
    return description;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  private void emulate(Path home, long bytes, DiskSpeed speed) throws IOException {
    TestbedHome testbed =
        opened.push(TestbedHome.create(MemoryFolder.ifRoomFor(2 * bytes, 2 * bytes, home)));
    EmulatedDisk fastDisk = opened.push(EmulatedDisk.create(testbed, "fast", bytes));
    EmulatedDisk slowDisk = opened.push(EmulatedDisk.create(testbed, "slow", bytes));
    fast = Files.createDirectories(fastDisk.mount().resolve("s3a"));
    if (slowDisk.slowForAll()) {
      slowDisk.limit(speed);
      slow = List.of(Files.createDirectories(slowDisk.mount().resolve("s3a")));
      description = "slow disk: " + speed + ", " + slowDisk.description();
    } else {
      description = "no slow disk: writeback is not slowed down by " + slowDisk.description();
    }
  }
}
