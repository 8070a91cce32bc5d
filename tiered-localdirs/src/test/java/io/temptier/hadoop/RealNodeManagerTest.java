// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.PrometheusPage;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdaterImpl;
import org.apache.hadoop.yarn.server.nodemanager.health.NodeHealthCheckerService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own NodeManager with the listener in its configuration; only its talk to the
 * ResourceManager is left out.
 */
class RealNodeManagerTest {
  private static final Map<String, String> WRONG =
      Map.of(
          "temptier.tier-order", "TAPE",
          "temptier.reserve", "150%",
          "temptier.reserve.nvme", "much",
          "temptier.demotion.rate", "BEST\0",
          "temptier.unknown-size", "-",
          "temptier.demotion.cold-after", "soon",
          "temptier.shuffle.memory", "never",
          "temptier.localdirs", "typo");

  @TempDir Path temp;

  private final NodeManager nodeManager = new LonelyNodeManager();
  private final YarnConfiguration conf = new YarnConfiguration();

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

  @BeforeEach
  void configure() throws Exception {
    // A name that Hadoop's sink writes as it is.
    Path odd = temp.resolve("fa\"st\\x\u00e9");
    NodeManagerBed.configure(conf, temp, "[NVME]" + odd, "[DISK]" + temp.resolve("slow"));
    conf.set(YarnConfiguration.NM_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS, "127.0.0.1:0");
    conf.set(
        YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
        NodeManagerTiering.class.getName());
  }

  @AfterEach
  void stop() {
    nodeManager.stop();
    DefaultMetricsSystem.shutdown();
  }

  private static String info(String attribute) throws Exception {
    ObjectName bean = new ObjectName("Hadoop:service=NodeManager,name=TempTierInfo");
    return String.valueOf(ManagementFactory.getPlatformMBeanServer().getAttribute(bean, attribute));
  }

  private String get(String query) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + nodeManager.getNMContext().getHttpPort() + query);
    try (InputStream in = uri.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Values that quote the configuration: Hadoop's own sink writes them as they are, and Prometheus
   * takes nothing of a page with one wrong line. However wrong it is, the NodeManager works.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[FLOPPY\"\\\n\u2028]/a\"b\\c\nd\u00e9",
        "[FLOPPY:-1]/a,[NVME]relative,[NVME:1z]/fast,,]][/nowhere\0"
      })
  void prometheusTakesItsPageWhateverTheConfigurationSays(String hostile) throws Exception {
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_PROMETHEUS_ENABLED, true);
    if (!hostile.isEmpty()) {
      conf.set("temptier.local-dirs", hostile);
      WRONG.forEach(conf::set);
    }
    nodeManager.init(conf);
    nodeManager.start();
    assertTrue(nodeManager.isInState(Service.STATE.STARTED));
    assertEquals(hostile.isEmpty() ? "ACTIVE" : "STOCK", info("Mode"));
    assertEquals(!hostile.isEmpty(), info("Findings").contains("temptier.localdirs"));
    nodeManager.getNMContext().getLocalDirsHandler().getLocalPathForWrite("nmPrivate/x");
    // On a busy machine Hadoop's sink has what is published a moment later.
    Eventually.holds("the page has our numbers", () -> get("/prom").contains("temp_tier_active{"));
    String page = get("/prom");
    assertEquals(
        hostile.isEmpty(),
        page.lines().anyMatch(line -> line.matches("temp_tier_files_placed\\{.*tier=\"NVME\".*")),
        page);
    assertEquals(List.of(), PrometheusPage.wrongLines(page));
    assertTrue(page.contains(hostile.isEmpty() ? "\"CONFIGURED\"" : "\"CONFIG_ERROR\""), page);
    String jmx = get("/jmx?qry=Hadoop:service=NodeManager,name=TempTier*");
    for (String bean : List.of("TempTier-NVME", "TempTier", "TempTierInfo", "TempTierHistory")) {
      boolean shown = jmx.contains("Hadoop:service=NodeManager,name=" + bean + "\"");
      assertTrue(shown || !hostile.isEmpty(), bean + ": " + jmx);
    }
    for (String line : page.lines().filter(line -> line.startsWith("temp_tier")).toList()) {
      assertFalse(line.contains("FLOPPY") || line.contains("fa_st"), line);
    }
  }

  /** What a NodeManager does whose class path has no TempTier, though its configuration has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class"
      })
  void doesNotStartWithoutTheJarsThatItsConfigurationNames(String key) {
    conf.unset(YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS);
    conf.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle");
    conf.set(key, "io.temptier.missing.ClassOfAJarThatIsNotThere");
    Throwable refusal = assertThrows(RuntimeException.class, () -> nodeManager.init(conf));
    while (refusal.getCause() != null && refusal.getCause() != refusal) {
      refusal = refusal.getCause();
    }
    assertTrue(refusal instanceof ClassNotFoundException, refusal.toString());
    assertFalse(nodeManager.isInState(Service.STATE.INITED));
  }
}
