// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.hadoop.NodeManagerTiering;
import io.temptier.hadoop.node.NodeService;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdaterImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.AuxServices;
import org.apache.hadoop.yarn.server.nodemanager.health.NodeHealthCheckerService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own NodeManager with the listener and the shuffle handler, which share one service. */
class BothPlugInsTest {
  private static final int DISKS = 13;
  private static final int MOST_THREADS = 20;
  private static final long DISK_BYTES = 32L << 20;

  @TempDir Path temp;

  private final LonelyNodeManager nodeManager = new LonelyNodeManager();
  private final Warnings warnings = new Warnings("io.temptier", AuxServices.class.getName());
  private YarnConfiguration conf = new YarnConfiguration();

  @BeforeEach
  void configure() throws Exception {
    conf =
        conf(
            temp.resolve("logs"),
            List.of(
                Files.createDirectory(temp.resolve("fast")),
                Files.createDirectory(temp.resolve("slow"))));
  }

  @AfterEach
  void stop() {
    warnings.close();
    nodeManager.stop();
    DefaultMetricsSystem.shutdown();
  }

  /** Hadoop's own NodeManager, but for its talk to the ResourceManager. */
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

  /** One with both of TempTier's plug-ins; the first of the dirs is faster than the others. */
  private static YarnConfiguration conf(Path logs, List<Path> dirs) {
    YarnConfiguration conf = new YarnConfiguration();
    String tagged = "[NVME]" + dirs.stream().map(Path::toString).collect(joining(",[DISK]"));
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS, dirs.stream().map(Path::toString).collect(joining(",")));
    conf.set("temptier.local-dirs", tagged);
    conf.set("temptier.reserve", "1m");
    conf.set(YarnConfiguration.NM_LOG_DIRS, logs.toString());
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

  private static String attribute(String bean, String attribute) throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(new ObjectName("Hadoop:service=NodeManager,name=" + bean), attribute);
  }

  @Test
  void theShuffleHandlerKnowsWhatTheListenerKnows() throws Exception {
    nodeManager.init(conf);
    nodeManager.start();
    assertEquals("ACTIVE", attribute("TempTierInfo", "Mode"));
    String said = warnings.lines().toString();
    assertFalse(said.contains("Auxiliary Service named"), said);
    Eventually.holds(
        "demotion is on",
        () -> attribute("TempTierShuffleInfo", "Demotion").contains("\"off\":null"));
    nodeManager.stop();
    NodeService next = NodeService.enter(NodeService.Door.SHUFFLE, conf);
    assertEquals(Optional.<Map<String, String>>empty(), next.running());
    next.leave(NodeService.Door.SHUFFLE);
  }

  @Test
  void aWrongConfigurationLeavesBothOnStockAndIsSaidOnce() throws Exception {
    conf.set("temptier.local-dirs", "[FLOPPY]" + temp.resolve("fast"));
    nodeManager.init(conf);
    nodeManager.start();
    assertTrue(nodeManager.isInState(Service.STATE.STARTED));
    assertEquals("STOCK", attribute("TempTierInfo", "Mode"));
    assertEquals(
        1,
        warnings.lines().stream().filter(line -> line.contains("FLOPPY")).count(),
        warnings.lines()::toString);
  }

  /** Threads are for what is done, not for each disk. */
  @Test
  @NeedsLoopDisk
  void aNodeOfThirteenDisksRestsWithFewThreads() throws Exception {
    List<LoopDisk> disks = new ArrayList<>();
    try {
      for (int i = 0; i < DISKS; i++) {
        disks.add(LoopDisk.create(Files.createDirectory(temp.resolve("disk" + i)), DISK_BYTES));
      }
      nodeManager.init(conf(temp.resolve("logs"), disks.stream().map(LoopDisk::path).toList()));
      nodeManager.start();
      placeOn(disks.size());
      Eventually.holds(
          "no more than " + MOST_THREADS + " threads are left",
          () -> threads().count() <= MOST_THREADS);
    } finally {
      nodeManager.stop();
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
