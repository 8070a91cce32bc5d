// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.yarn.server.records.Version;
import org.jspecify.annotations.NullMarked;

/** What Hadoop shows of its handler to its own package only. */
@NullMarked
public final class ShuffleHandlerInternals {
  private ShuffleHandlerInternals() {}

  /** Hadoop's member of a connection's pipeline that reads disks. */
  public static ChannelHandler member(ShuffleChannelHandlerContext context) {
    return new ShuffleChannelHandler(context);
  }

  /**
   * Hadoop's counters.
   *
   * @param bytes of segments
   * @param succeeded requests
   * @param failed requests
   * @param current requests being answered
   */
  public record Counts(long bytes, int succeeded, int failed, int current) {}

  /** The counters of a handler. */
  public static Counts counts(ShuffleHandler handler) {
    ShuffleHandler.ShuffleMetrics metrics = handler.metrics;
    return new Counts(
        metrics.shuffleOutputBytes.value(),
        metrics.shuffleOutputsOK.value(),
        metrics.shuffleOutputsFailed.value(),
        metrics.shuffleConnections.value());
  }

  /** Of each open connection, whether the system probes it when it is idle. */
  public static List<Boolean> connectionsWithSocketKeepAlive(ShuffleHandler handler) {
    return handler.allChannels.stream()
        .filter(SocketChannel.class::isInstance)
        .map(channel -> channel.config().getOption(ChannelOption.SO_KEEPALIVE))
        .toList();
  }

  /** Open connections of a handler, and the one that it listens on. */
  public static int channels(ShuffleHandler handler) {
    return handler.allChannels.size();
  }

  /** The schema version in the state of a handler that recovers. */
  public static Version schema(ShuffleHandler handler) throws IOException {
    return handler.loadVersion();
  }

  /** Changes it. */
  public static void schema(ShuffleHandler handler, Version version) throws IOException {
    handler.storeVersion(version);
  }
}
