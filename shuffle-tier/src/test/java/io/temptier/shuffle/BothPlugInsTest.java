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
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own NodeManager with the listener and the shuffle handler, which share one service. */
class BothPlugInsTest {
  private static final Logger LOGGER = Logger.getLogger("io.temptier");

  private static final class Warnings extends AppenderSkeleton {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void append(LoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
        lines.add(event.getRenderedMessage());
      }
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    @Override
    public void close() {}
  }

  @TempDir Path temp;

  private final LonelyNodeManager nodeManager = new LonelyNodeManager();
  private final Warnings warnings = new Warnings();
  private YarnConfiguration conf = new YarnConfiguration();

  @BeforeEach
  void configure() throws Exception {
    LOGGER.addAppender(warnings);
    conf =
        LonelyNodeManager.conf(
            temp.resolve("logs"),
            List.of(
                Files.createDirectory(temp.resolve("fast")),
                Files.createDirectory(temp.resolve("slow"))));
  }

  @AfterEach
  void stop() {
    LOGGER.removeAppender(warnings);
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
        warnings.lines.stream().filter(line -> line.contains("FLOPPY")).count(),
        warnings.lines::toString);
  }
}
