// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parts of answers are sent at once, without a trip to the lane of their disk. */
class WarmServingTest {
  @TempDir private Path folder;

  private final ShuffleJob job = new ShuffleJob("alice", 1);
  private final RecentFiles files = new RecentFiles();
  private TestLanes lanes;
  private SegmentReader reader;
  private Output output;

  @BeforeEach
  void start() throws IOException {
    lanes = new TestLanes(folder, Medium.NVME);
    reader = new SegmentReader();
    output = new MapOutputs(lanes.dirs()).write(job, job.attempt(0), 0, 5000, 5000);
  }

  @AfterEach
  void stop() {
    lanes.close();
    files.close();
    reader.close();
  }

  @Test
  void whatWasReadAMomentAgoNeedsNoLane() throws Exception {
    HandlerContext handler = handler(false);
    Eventually.holds("sent at once", () -> secondNeedsNoLane(handler, false));
  }

  @Test
  void whatWasReadAMomentAgoNeedsNoLaneOverTls() throws Exception {
    HandlerContext handler = handler(false);
    Eventually.holds("sent at once", () -> secondNeedsNoLane(handler, true));
  }

  @Test
  void whatWasDroppedFromThePageCacheNeedsOne() throws Exception {
    HandlerContext handler = handler(true);
    assertFalse(secondNeedsNoLane(handler, false));
    assertFalse(secondNeedsNoLane(handler, true));
  }

  /** Fetches a partition twice, the second time while the lane does nothing. */
  private boolean secondNeedsNoLane(HandlerContext handler, boolean tls)
      throws NoSuchAlgorithmException {
    fetch(handler, tls).await();
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    Fetch second = fetch(handler, tls);
    boolean atOnce = second.complete;
    hanging.countDown();
    second.await();
    return atOnce;
  }

  private Fetch fetch(HandlerContext handler, boolean tls) throws NoSuchAlgorithmException {
    EmbeddedChannel channel = tls ? new EmbeddedChannel(new InTheClear()) : new EmbeddedChannel();
    MapOutputId id = MapOutputId.of(job.user(), job.application().toString(), output.attempt());
    Fetch fetch = new Fetch(channel);
    new FetchResponse(handler, channel, fetch, List.of(id), 0).start();
    return fetch;
  }

  private HandlerContext handler(boolean drops) {
    return lanes.handler(files, reader, new SegmentMemory(1 << 20), drops);
  }

  /** One answer; told on the lane's thread too, as an embedded channel has no loop of its own. */
  private static final class Fetch implements FetchResponse.Connection {
    private final EmbeddedChannel channel;
    private volatile boolean complete;
    private volatile @Nullable Throwable failure;

    Fetch(EmbeddedChannel channel) {
      this.channel = channel;
    }

    void await() {
      Eventually.holds("it is answered", () -> complete || failure != null);
      if (failure != null) {
        throw new AssertionError(failure);
      }
      channel.releaseOutbound();
    }

    @Override
    public void begin(long segmentBytes, List<Segment> segments) {}

    @Override
    public void complete() {
      complete = true;
    }

    @Override
    public void refuse(Throwable cause) {
      failure = cause;
    }

    @Override
    public void breakOff(Throwable cause) {
      failure = cause;
    }
  }

  /** Stands where TLS does, and passes everything on as it is. */
  private static final class InTheClear extends SslHandler {
    InTheClear() throws NoSuchAlgorithmException {
      super(SSLContext.getDefault().createSSLEngine());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {}

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.fireChannelActive();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ChannelFuture unused = ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
      ctx.flush();
    }
  }
}
