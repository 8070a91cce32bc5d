// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.netty.channel.Channel;

/**
 * Hadoop's shuffle connection, open to a subclass elsewhere: it lives in Hadoop's package because
 * the constructor, the idle timer and the counters are package-private.
 */
@SegmentChannelHandler.NullMarked
public abstract class SegmentChannelHandler extends ShuffleChannelHandler {
  /** Stands for JSpecify's annotation, whose target MODULE Java 8's javac does not know. */
  @interface NullMarked {}

  private final ShuffleHandler.ShuffleMetrics metrics;

  protected SegmentChannelHandler(ShuffleChannelHandlerContext context) {
    super(context);
    this.metrics = context.metrics;
  }

  /** Closes the connection after a while of nothing written, or no more. */
  protected static void setIdleTimeout(Channel channel, boolean enabled) {
    ShuffleHandler.TimeoutHandler timer =
        (ShuffleHandler.TimeoutHandler) channel.pipeline().get(ShuffleHandler.TIMEOUT_HANDLER);
    if (timer != null) {
      timer.setEnabledTimeout(enabled);
    }
  }

  protected void countBegun() {
    metrics.shuffleConnections.incr();
  }

  protected void countBytes(long bytes) {
    metrics.shuffleOutputBytes.incr(bytes);
  }

  protected void countSent() {
    metrics.shuffleOutputsOK.incr();
    metrics.shuffleConnections.decr();
  }

  protected void countFailed() {
    metrics.shuffleOutputsFailed.incr();
    metrics.shuffleConnections.decr();
  }
}
