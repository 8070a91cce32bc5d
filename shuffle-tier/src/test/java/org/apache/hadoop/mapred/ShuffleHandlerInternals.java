// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.netty.channel.ChannelHandler;
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

  /** Open connections of a handler, and the one that it listens on. */
  public static int channels(ShuffleHandler handler) {
    return handler.allChannels.size();
  }
}
