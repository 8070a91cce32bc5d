// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.temptier.hadoop.conf.ShuffleSettings;
import io.temptier.hadoop.node.NodeService;
import io.temptier.shuffle.demotion.Demoter;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.Lanes;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.FetchTracker;
import io.temptier.shuffle.output.HandlerContext;
import io.temptier.shuffle.output.MapOutputCache;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.OutputLocator;
import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FileSystemCapacity;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleChannelHandler;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything TempTier adds to a running shuffle handler. Stock Hadoop accepts the connections and
 * sets them up; then the one member of their pipeline that reads disks is exchanged for ours.
 */
final class ShuffleTier implements Demoter.Host, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleTier.class);

  /** Name of stock Hadoop's member of the pipeline. */
  private static final String STOCK = "shuffle";

  private static final int DEFAULT_INDEX_CACHE_MB = 10;

  /** Time to wait for the loop that accepts connections, which has nothing else to do. */
  private static final Duration ADOPTION = Duration.ofSeconds(30);

  private final NodeService node;
  final HandlerContext handler;
  private final Demoter demoter;
  private final ShuffleReport report;
  private final PeriodicDaemon relief;

  /** Sets everything up; nothing is done yet. */
  ShuffleTier(
      NodeService node,
      Configuration conf,
      ShuffleChannelHandlerContext context,
      OutputLocator.StockLookUp stock,
      MetricsSystem metricsSystem) {
    this.node = node;
    NodeTiers tiers = node.tiers().get();
    ShuffleSettings settings = ShuffleSettings.of(conf);
    Lanes lanes = new Lanes(tiers.layout(), node.kernel(), settings::laneDepth);
    MapOutputCache cache =
        new MapOutputCache(
            new OutputLocator(lanes, stock),
            cacheBytes(conf),
            Duration.ofMinutes(
                conf.getInt(
                    ShuffleHandler.EXPIRE_AFTER_ACCESS_MINUTES,
                    ShuffleHandler.DEFAULT_EXPIRE_AFTER_ACCESS_MINUTES)));
    handler =
        HandlerContext.of(
            context,
            cache,
            new FetchTracker(
                // A job has the number of its application.
                application ->
                    context.userRsrc.containsKey(application.replace("application", "job"))),
            new SegmentMemory(settings.memoryBytes() / 2),
            new SegmentMemory(settings.memoryBytes() / 2),
            lanes);
    demoter =
        new Demoter(
            tiers, node.pace(), node.batches(), this, new FileSystemCapacity(), Demoter.STALL);
    relief =
        PeriodicDaemon.withoutRest(
            "TempTier shuffle lanes", () -> Duration.ofSeconds(1), handler::everySecond);
    report = new ShuffleReport(handler, demoter, metricsSystem);
  }

  @Override
  public Optional<Map<String, String>> running() {
    return node.running();
  }

  @Override
  public boolean runsAsUsers() {
    return node.runsAsUsers();
  }

  @Override
  public boolean busy(LocalDir dir) {
    return handler.lanes().of(dir).map(DeviceLane::busy).orElse(false);
  }

  @Override
  public double fetched(MapOutputId id) {
    return handler.tracker().fraction(id);
  }

  @Override
  public long idleNanos(MapOutputId id) {
    return handler.tracker().idleNanos(id);
  }

  @Override
  public void moved(MapOutputId id) {
    handler.cache().forget(id);
  }

  @Override
  public void demoted(PlacementRequest output, Placement below) {
    node.demoted(output, below);
  }

  /** Stock has a cache for paths and one for indexes, each with its bound; ours is both. */
  private static long cacheBytes(Configuration conf) {
    long paths = conf.getInt(ShuffleHandler.MAX_WEIGHT, ShuffleHandler.DEFAULT_MAX_WEIGHT);
    long indexes = conf.getInt(MRJobConfig.SHUFFLE_INDEX_CACHE, DEFAULT_INDEX_CACHE_MB);
    return paths + (indexes << 20);
  }

  /** Begins, and serves what comes in through a handler's channels from now on. */
  void adopt(Iterable<Channel> channels) {
    demoter.start();
    relief.start();
    for (Channel channel : channels) {
      if (channel instanceof ServerChannel) {
        // Added from elsewhere, it would see connections only a moment later.
        channel
            .eventLoop()
            .submit(() -> channel.pipeline().addFirst(new Exchanging()))
            .awaitUninterruptibly(ADOPTION.toMillis());
      }
    }
    for (Channel channel : channels) {
      if (!(channel instanceof ServerChannel)) {
        // Accepted between the start of stock's handler and this.
        channel.eventLoop().execute(() -> exchange(channel));
      }
    }
  }

  private void exchange(Channel channel) {
    ChannelHandler member = channel.pipeline().get(STOCK);
    if (member instanceof TieredChannelHandler) {
      return;
    }
    if (member instanceof ShuffleChannelHandler) {
      channel.pipeline().replace(member, STOCK, new TieredChannelHandler(handler));
    } else if (handler.stockServes().compareAndSet(false, true)) {
      LOG.warn(
          "TempTier does not serve map outputs, stock Hadoop's shuffle handler does: a connection"
              + " has {} and none of them is the \"{}\" that TempTier stands in for. Check that"
              + " TempTier names this Hadoop version, and report this",
          channel.pipeline().names(),
          STOCK);
    }
  }

  /**
   * Sees each accepted connection before stock's acceptor does, and then waits in its pipeline
   * until stock has set it up.
   */
  @ChannelHandler.Sharable
  private final class Exchanging extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
      if (accepted instanceof Channel) {
        ((Channel) accepted).pipeline().addFirst(this);
      }
      ctx.fireChannelRead(accepted);
    }

    @Override
    public void channelRegistered(ChannelHandlerContext ctx) {
      exchange(ctx.channel());
      ctx.fireChannelRegistered();
      ctx.pipeline().remove(this);
    }
  }

  void applicationEnded(String application) {
    demoter.applicationEnded(application);
    handler.cache().forgetApplication(application);
    handler.tracker().forgetApplication(application);
  }

  @Override
  public void close() {
    demoter.close();
    report.close();
    relief.close();
    handler.close();
  }
}
