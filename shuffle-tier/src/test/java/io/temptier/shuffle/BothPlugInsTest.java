// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.hadoop.node.NodeService;
import io.temptier.tier.kernel.KernelClassifier;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own NodeManager with the listener and the shuffle handler, which share one service. */
class BothPlugInsTest {
  @TempDir Path temp;

  private final LonelyNodeManager nodeManager = new LonelyNodeManager();
  private final Warnings warnings = new Warnings("io.temptier");
  private YarnConfiguration conf = new YarnConfiguration();

  @BeforeEach
  void configure() throws Exception {
    conf =
        LonelyNodeManager.conf(
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
    Eventually.holds(
        "demotion is on",
        () -> attribute("TempTierShuffleInfo", "Demotion").contains("\"off\":null"));
    nodeManager.stop();
    NodeService next = NodeService.enter(NodeService.Door.SHUFFLE, conf, new KernelClassifier());
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
}
