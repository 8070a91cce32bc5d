// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.hadoop.NodeManagerTiering;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdaterImpl;
import org.apache.hadoop.yarn.server.nodemanager.health.NodeHealthCheckerService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own NodeManager with many disks: threads are for what is done, not for each disk. */
class NodeThreadsTest {
  private static final int DISKS = 13;
  private static final int MOST = 20;
  private static final long DISK_BYTES = 32L << 20;

  @TempDir Path temp;

  private final NodeManager nodeManager = new LonelyNodeManager();

  /** Does not register with a ResourceManager. */
  private static final class LonelyNodeManager extends NodeManager {
    @Override
    protected NodeStatusUpdater createNodeStatusUpdater(
        Context context, Dispatcher dispatcher, NodeHealthCheckerService healthChecker) {
      return new NodeStatusUpdaterImpl(context, dispatcher, healthChecker, metrics) {
        @Override
        protected void serviceStart() {}
      };
    }
  }

  @Test
  @NeedsLoopDisk
  void aNodeOfThirteenDisksRestsWithFewThreads() throws Exception {
    List<LoopDisk> disks = new ArrayList<>();
    try {
      for (int i = 0; i < DISKS; i++) {
        disks.add(LoopDisk.create(Files.createDirectory(temp.resolve("disk" + i)), DISK_BYTES));
      }
      nodeManager.init(conf(disks.stream().map(LoopDisk::path).toList()));
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

  private YarnConfiguration conf(List<Path> dirs) {
    YarnConfiguration conf = new YarnConfiguration();
    String tagged = "[NVME]" + dirs.stream().map(Path::toString).collect(joining(",[DISK]"));
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS, dirs.stream().map(Path::toString).collect(joining(",")));
    conf.set("temptier.local-dirs", tagged);
    conf.set("temptier.reserve", "1m");
    conf.set(YarnConfiguration.NM_LOG_DIRS, temp.resolve("logs").toString());
    conf.set(YarnConfiguration.NM_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, "100");
    conf.set("mapreduce.shuffle.port", "0");
    conf.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle");
    conf.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        TieredShuffleHandler.class.getName());
    conf.set(
        YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
        NodeManagerTiering.class.getName());
    return conf;
  }
}
