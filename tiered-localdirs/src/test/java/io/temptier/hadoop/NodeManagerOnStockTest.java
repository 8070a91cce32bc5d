// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.hadoop.conf.JarCheck;
import io.temptier.hadoop.node.NodeService;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A NodeManager where TempTier cannot work, or must not, places files as stock Hadoop does. */
class NodeManagerOnStockTest extends NodeManagerContract {

  private void assertStock() throws Exception {
    assertFalse(NodeManagerBed.allocatorContext() instanceof LocalDirSeam);
    assertEquals("STOCK", node.info("Mode"));
    assertTrue(node.handler.getLocalPathForWrite("nmPrivate/x").toString().endsWith("nmPrivate/x"));
  }

  @Test
  void runsOnStockWhereTheConfigurationIsWrongAndWithdrawsOldMarkers() throws Exception {
    node.start();
    node.handler.stop();
    assertTrue(NodeMarker.read(nvme).isPresent(), "running tasks may still look at it");

    LocalDirsHandlerService second = new LocalDirsHandlerService();
    node.conf.set("temptier.local-dirs", "[FLOPPY]" + nvme);
    started(
        second,
        LocalDirSeam::put,
        () -> {
          assertEquals("STOCK", node.info("Mode"));
          node.says("ModeReason", "FLOPPY");
          node.says("Findings", "\"severity\":\"ERROR\"");
          assertEquals("[]", node.info("Tiers"));
          assertEquals(0L, node.attribute("TempTier", "Active"));
          node.says("Node", "\"StockFallbacks\":1,");
          assertTrue(NodeMarker.read(nvme).isEmpty());
          assertTrue(second.getLocalPathForWrite("nmPrivate/x").toString().endsWith("nmPrivate/x"));
        });
  }

  private interface Check {
    void run() throws Exception;
  }

  /** Checks a NodeManager with these local dirs that started just now, and ends it. */
  private void started(LocalDirsHandlerService service, NodeService.Seams seams, Check check)
      throws Exception {
    service.init(node.conf);
    NodeService started = NodeService.enter(NodeService.Door.LISTENER, node.conf);
    started.place(node.context(service), DefaultMetricsSystem.instance(), seams);
    try {
      check.run();
    } finally {
      started.leave(NodeService.Door.LISTENER);
      service.stop();
    }
  }

  private void startedAgain(Check check) throws Exception {
    started(new LocalDirsHandlerService(), LocalDirSeam::put, check);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        NoSuchFieldException.class,
        NoClassDefFoundError.class,
        IllegalAccessError.class,
        OutOfMemoryError.class
      })
  void runsOnStockWhereHadoopIsBuiltInAnotherWay(Class<? extends Throwable> refusal)
      throws Exception {
    started(
        node.handler,
        (key, validator, chooser) -> refuse(refusal),
        () -> {
          assertStock();
          node.says("ModeReason", "contexts");
          node.says("Node", "\"StockFallbacks\":1,");
          assertTrue(NodeMarker.read(nvme).isEmpty());
        });
  }

  /** A class loader that finds these, too. */
  private static URLClassLoader with(Path folder, String file, String text) throws IOException {
    Path found = folder.resolve(file);
    Files.createDirectories(found.resolveSibling("."));
    Files.writeString(found, text);
    URL[] first = {folder.toUri().toURL()};
    return new URLClassLoader(first, NodeService.class.getClassLoader()) {
      @Override
      public URL getResource(String name) {
        return Optional.ofNullable(findResource(name)).orElseGet(() -> super.getResource(name));
      }
    };
  }

  @ParameterizedTest
  @CsvSource({
    "common-version-info.properties, Hadoop 4.0.0 is not known, HADOOP_UNKNOWN",
    "io/temptier/hadoop/NodeManagerTiering.class, more than once, START_FAILED"
  })
  void runsOnStockWhereTheJarsDoNotFit(
      String file, String reason, String cause, @TempDir Path folder) throws Exception {
    try (URLClassLoader loader = with(folder, file, "version=4.0.0")) {
      NodeService.Seams seams =
          new NodeService.Seams() {
            @Override
            public LocalDirSeam put(
                String key, DiskValidator validator, LocalDirSeam.Chooser chooser) {
              throw new AssertionError("nothing is let in");
            }

            @Override
            public JarCheck jars() {
              return JarCheck.of(loader);
            }
          };
      started(
          node.handler,
          seams,
          () -> {
            assertStock();
            node.says("ModeReason", reason);
            assertEquals(cause, node.attribute("TempTier", "tag.ModeCause"));
            assertTrue(NodeMarker.read(nvme).isEmpty());
          });
    }
  }

  private static LocalDirSeam refuse(Class<? extends Throwable> refusal)
      throws ReflectiveOperationException {
    Throwable thrown = refusal.getConstructor(String.class).newInstance("contexts");
    if (thrown instanceof Error e) {
      throw e;
    }
    throw (ReflectiveOperationException) thrown;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:", "file://"})
  void switchingOffWithdrawsTheMarkersHoweverTheDirsAreWritten(String scheme) throws Exception {
    node.conf.set("yarn.nodemanager.local-dirs", scheme + nvme + "," + scheme + disk);
    node.start();
    assertEquals("ACTIVE", node.info("Mode"));
    node.handler.stop();
    assertTrue(NodeMarker.read(nvme).isPresent() && NodeMarker.read(disk).isPresent());
    assertEquals(Optional.empty(), NodeMarker.whyOff(nvme));

    node.conf.setBoolean("temptier.enabled", false);
    startedAgain(
        () -> {
          assertEquals("STOCK", node.info("Mode"));
          assertTrue(NodeMarker.read(nvme).isEmpty() && NodeMarker.read(disk).isEmpty());
          Texts.has(NodeMarker.whyOff(nvme).orElseThrow(), "temptier.enabled=false");
        });
    node.conf.setBoolean("temptier.enabled", true);
    startedAgain(
        () -> {
          assertTrue(NodeMarker.read(nvme).isPresent());
          assertEquals(Optional.empty(), NodeMarker.whyOff(nvme));
        });
  }

  @Test
  void nothingThatGoesWrongReachesTheNodeManager() {
    Context broken =
        NodeManagerBed.proxy(
            Context.class,
            method -> {
              throw new NoClassDefFoundError("made up: " + method);
            });
    assertDoesNotThrow(() -> node.listener.init(broken));
    Context empty = NodeManagerBed.proxy(Context.class, method -> null);
    assertDoesNotThrow(() -> new NodeManagerTiering().init(empty));
  }
}
