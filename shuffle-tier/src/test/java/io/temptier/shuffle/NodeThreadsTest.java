// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own NodeManager with many disks: threads are for what is done, not for each disk. */
class NodeThreadsTest {
  private static final int DISKS = 13;
  private static final int MOST = 20;
  private static final long DISK_BYTES = 32L << 20;

  @TempDir Path temp;

  private final NodeManager nodeManager = new LonelyNodeManager();

  @Test
  @NeedsLoopDisk
  void aNodeOfThirteenDisksRestsWithFewThreads() throws Exception {
    List<LoopDisk> disks = new ArrayList<>();
    try {
      for (int i = 0; i < DISKS; i++) {
        disks.add(LoopDisk.create(Files.createDirectory(temp.resolve("disk" + i)), DISK_BYTES));
      }
      nodeManager.init(
          LonelyNodeManager.conf(
              temp.resolve("logs"), disks.stream().map(LoopDisk::path).toList()));
      nodeManager.start();
      placeOn(disks.size());
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (threads().count() > MOST && System.nanoTime() < deadline) {
        Thread.sleep(200);
      }
      List<String> resting = threads().sorted().toList();
      assertTrue(resting.size() <= MOST, resting::toString);
    } finally {
      nodeManager.stop();
      DefaultMetricsSystem.shutdown();
      for (LoopDisk disk : disks) {
        disk.close();
      }
    }
  }

  private void placeOn(int files) throws Exception {
    for (int i = 0; i < files; i++) {
      nodeManager.getNMContext().getLocalDirsHandler().getLocalPathForWrite("nmPrivate/" + i);
    }
  }

  private static Stream<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.toLowerCase(Locale.ROOT).startsWith("temptier"));
  }
}
