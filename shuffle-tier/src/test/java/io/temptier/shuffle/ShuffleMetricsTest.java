// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ServerChannel;
import io.temptier.fixtures.Eventually;
import io.temptier.hadoop.metrics.TierCounter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
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
    try (ShuffleServer server = start(new LaneShuffleHandler())) {
      ShuffleJob job = server.startJob("alice", 1);
      List<MapOutputs.Output> fast = write(server, job, 1, 0);
      List<MapOutputs.Output> slow = write(server, job, 2, 1);
      server.assertServes(job, 0, fast);
      server.assertServes(job, 1, fast);
      server.assertServes(job, 3, slow);

      // Counted once the last byte is on its way, which a client may see first.
      Eventually.holds("2 from NVMe", () -> metric("TempTierShuffle-NVME", "SegmentsSent") == 2);
      Eventually.holds("1 from disk", () -> metric("TempTierShuffle-DISK", "SegmentsSent") == 1);
      assertTrue(metric("TempTierShuffle-DISK", "BytesSent") >= 1000);
      // What Prometheus makes names and labels of.
      MetricsRecord disk = record("TempTierShuffle-DISK");
      assertEquals("TempTierShuffle", disk.name());
      assertTrue(
          disk.tags().stream()
              .anyMatch(tag -> tag.name().equals("Tier") && "DISK".equals(tag.value())),
          disk.toString());
      assertEquals("TempTier", record("TempTierDemotion").name());
      assertEquals(1, metric("TempTierShuffle", "Active"));
      for (ShuffleCounter counter : ShuffleCounter.values()) {
        boolean ofTier = counter.definition().scope() == TierCounter.Scope.TIER;
        metric(ofTier ? "TempTierShuffle-DISK" : "TempTierShuffle", counter.attribute());
      }
      assertTrue(text("Media").contains("\"medium\":\"NVME\",\"SegmentsSent\":2"), text("Media"));
      assertTrue(text("Lanes").contains("\"medium\":\"NVME\",\"depth\":32"), text("Lanes"));
      assertTrue(text("Lanes").contains("\"medium\":\"DISK\",\"depth\":2"), text("Lanes"));
    }
    assertFalse(beans().isRegistered(info()));
  }

  /** There is no NodeManager here to tell which applications run. */
  @Test
  void saysWhyNothingIsDemoted() throws Exception {
    try (ShuffleServer server = start(new LaneShuffleHandler())) {
      Eventually.holds(
          "the reason is shown",
          () -> text("Demotion").contains("which applications run is not known"));
      assertEquals(1, metric("TempTierDemotion", "DemotionOff"));
      assertTrue(server.port() > 0);
    }
  }

  /** As a Hadoop version would do that calls it something else. */
  @Test
  void isNotActiveWhereNoMemberOfThePipelineIsCalledShuffle() throws Exception {
    try (Warnings warnings = new Warnings(ShuffleTier.class.getName());
        ShuffleServer server = start(new RenamingHandler())) {
      assertEquals(1, metric("TempTierShuffle", "Active"));
      ShuffleJob job = server.startJob("alice", 1);
      List<MapOutputs.Output> outputs = write(server, job, 1, 0);
      for (int fetches = 0; fetches < 3; fetches++) {
        server.assertServes(job, 0, outputs);
      }
      assertEquals(0, metric("TempTierShuffle", "Active"));
      assertEquals(0, metric("TempTierShuffle-NVME", "SegmentsSent"));
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      assertTrue(
          warnings.lines().get(0).contains("stock Hadoop's shuffle handler does"),
          warnings.lines().get(0));
    }
  }

  private ShuffleServer start(ShuffleHandler handler) throws IOException {
    return ShuffleServer.start(handler, folder, null, Map.of());
  }

  /** Has stock's member of each pipeline under another name before TempTier looks for it. */
  private static final class RenamingHandler extends LaneShuffleHandler {
    @Override
    protected void serviceStart() throws Exception {
      super.serviceStart();
      for (Channel channel : allChannels) {
        if (channel instanceof ServerChannel) {
          ChannelPipeline pipeline = channel.pipeline();
          // Behind what adds TempTier's, so that it comes before that in the connection; on its
          // thread, or it would see connections only a moment later.
          channel
              .eventLoop()
              .submit(() -> pipeline.addAfter(pipeline.firstContext().name(), null, new Renaming()))
              .sync();
        }
      }
    }

    /** Of the server's pipeline, and then of each connection's. */
    @ChannelHandler.Sharable
    private final class Renaming extends ChannelInboundHandlerAdapter {
      @Override
      public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        ((Channel) accepted).pipeline().addFirst(this);
        ctx.fireChannelRead(accepted);
      }

      @Override
      public void channelRegistered(ChannelHandlerContext ctx) {
        ctx.pipeline()
            .replace(
                "shuffle",
                "renamed",
                ShuffleHandlerInternals.member(Objects.requireNonNull(context)));
        ctx.fireChannelRegistered();
        ctx.pipeline().remove(this);
      }
    }
  }

  private static List<MapOutputs.Output> write(
      ShuffleServer server, ShuffleJob job, int map, int dir) throws IOException {
    return List.of(server.outputs().write(job, job.attempt(map), dir, 1000, 1000, 1000, 1000));
  }

  private static MetricsRecord record(String source) {
    MetricsSource shown =
        Objects.requireNonNull(DefaultMetricsSystem.instance().getSource(source), source);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    shown.getMetrics(collector, true);
    return collector.getRecords().get(0);
  }

  private static long metric(String source, String attribute) {
    for (AbstractMetric metric : record(source).metrics()) {
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
