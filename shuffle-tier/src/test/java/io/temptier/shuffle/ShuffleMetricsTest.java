/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.TierKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running handler shows of itself. */
class ShuffleMetricsTest {
  @TempDir Path folder;

  @Test
  void showsWhatWasServedFromWhere() throws Exception {
    assertFalse(beans().isRegistered(info()), "of a handler that was not stopped");
    List<Path> dirs = ShuffleServer.localDirs(folder, 2);
    Map<String, String> tiers =
        Map.of(TierKey.LOCAL_DIRS.key(), "[NVME]" + dirs.get(0) + ",[DISK]" + dirs.get(1));
    try (ShuffleServer server = ShuffleServer.start(TieredHandler.TIERED, dirs, null, tiers)) {
      ShuffleJob job = server.startJob("alice", 1);
      List<MapOutputs.Output> fast = write(server, job, 1, 0);
      List<MapOutputs.Output> slow = write(server, job, 2, 1);
      fetch(server, job, 0, fast);
      fetch(server, job, 1, fast);
      fetch(server, job, 3, slow);

      // Counted once the last byte is on its way, which a client may see first.
      Eventually.holds("2 from NVMe", () -> metric("TempTierShuffle-NVME", "SegmentsSent") == 2);
      Eventually.holds("1 from disk", () -> metric("TempTierShuffle-DISK", "SegmentsSent") == 1);
      Eventually.holds("both are in " + text("Outputs"), () -> text("Outputs").contains("0.5"));
      Eventually.holds("both are in " + text("Outputs"), () -> text("Outputs").contains("0.25"));
      assertTrue(metric("TempTierShuffle-DISK", "BytesSent") >= 1000);
      assertEquals(1, metric("TempTierShuffle", "Active"));
      assertEquals(2, metric("TempTierShuffle", "OutputsFetchedFrom"));
      assertEquals(0, metric("TempTierShuffle", "OutputsFetchedWholly"));
      assertEquals(
          "[{\"attempt\":\"%s\",\"fetched\":0.25},{\"attempt\":\"%s\",\"fetched\":0.5}]"
              .formatted(slow.get(0).attempt(), fast.get(0).attempt()),
          text("Outputs"));
      assertTrue(text("Media").contains("\"medium\":\"NVME\",\"SegmentsSent\":2"), text("Media"));
      assertTrue(text("Lanes").contains("\"medium\":\"NVME\",\"depth\":32"), text("Lanes"));
      assertTrue(text("Lanes").contains("\"medium\":\"DISK\",\"depth\":2"), text("Lanes"));

      server.endJob(job);
      assertEquals("[]", text("Outputs"));
      assertEquals(0, metric("TempTierShuffle", "OutputsFetchedFrom"));
    }
    assertFalse(beans().isRegistered(info()));
  }

  /** There is no NodeManager here to tell which applications run. */
  @Test
  void saysWhyNothingIsDemoted() throws Exception {
    List<Path> dirs = ShuffleServer.localDirs(folder, 2);
    Map<String, String> tiers =
        Map.of(TierKey.LOCAL_DIRS.key(), "[NVME]" + dirs.get(0) + ",[DISK]" + dirs.get(1));
    try (ShuffleServer server = ShuffleServer.start(TieredHandler.TIERED, dirs, null, tiers)) {
      Eventually.holds(
          "the reason is shown",
          () -> text("Demotion").contains("which applications run is not known"));
      assertEquals(1, metric("TempTierDemotion", "DemotionOff"));
      assertTrue(server.port() > 0);
    }
  }

  private static List<MapOutputs.Output> write(
      ShuffleServer server, ShuffleJob job, int map, int dir) throws IOException {
    return List.of(server.outputs().write(job, job.attempt(map), dir, 1000, 1000, 1000, 1000));
  }

  private static void fetch(
      ShuffleServer server, ShuffleJob job, int reduce, List<MapOutputs.Output> outputs)
      throws IOException {
    assertEquals(
        outputs.stream().map(output -> output.segment(reduce)).toList(),
        server.fetch(job, reduce, List.of(outputs.get(0).attempt())).segments());
  }

  private static long metric(String source, String attribute) {
    MetricsSource shown =
        Objects.requireNonNull(DefaultMetricsSystem.instance().getSource(source), source);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    shown.getMetrics(collector, true);
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      if (metric.name().equals(attribute)) {
        return metric.value().longValue();
      }
    }
    throw new AssertionError("no " + attribute + " in " + source);
  }

  private static String text(String attribute) throws Exception {
    return String.valueOf(beans().getAttribute(info(), attribute));
  }

  private static ObjectName info() throws Exception {
    return new ObjectName("Hadoop:service=NodeManager,name=TempTierShuffleInfo");
  }

  private static MBeanServer beans() {
    return ManagementFactory.getPlatformMBeanServer();
  }
}
