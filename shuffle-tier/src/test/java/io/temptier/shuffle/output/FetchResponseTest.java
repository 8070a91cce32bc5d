// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.ReferenceCountUtil;
import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.ShuffleJob;
import io.temptier.shuffle.WireSegment;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.lane.SegmentMemory.DeviceRead;
import io.temptier.tier.Medium;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How answers are sent while disks hang and outputs move, and what becomes of their memory. */
class FetchResponseTest {
  private static final int NVME = 0;
  private static final int DISK = 1;
  private static final int REMOTE = 2;

  @TempDir private Path folder;

  private final ShuffleJob job = new ShuffleJob("alice", 1);
  private final DefaultEventLoopGroup loop = new DefaultEventLoopGroup(1);
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private TestLanes lanes;
  private MapOutputs outputs;
  private SegmentMemory slowMemory;
  private HandlerContext handler;

  @BeforeEach
  void start() throws IOException {
    lanes = new TestLanes(folder, Medium.NVME, Medium.DISK, Medium.REMOTE);
    outputs = new MapOutputs(lanes.dirs());
    serveWith(1 << 20, true);
  }

  @AfterEach
  void stop() {
    lanes.close();
    handler.close();
    loop.shutdownGracefully(0, 5, TimeUnit.MINUTES).syncUninterruptibly();
  }

  private void serveWith(long slowBytes, boolean transferTo) {
    slowMemory = new SegmentMemory(slowBytes);
    handler = lanes.handler(slowMemory, transferTo);
  }

  private Segment find(Output output) throws Exception {
    MapOutput found = handler.cache().find(job.idOf(output)).get(5, TimeUnit.MINUTES);
    return new Segment(handler, found, 0);
  }

  private Response response(Output... asked) throws Exception {
    Response response = new Response(connect());
    List<MapOutputId> ids = Stream.of(asked).map(job::idOf).toList();
    response.awaitOnLoop(() -> response.start(ids, 0));
    return response;
  }

  @Test
  void whatIsNotBegunKeepsNoMemoryOnceTheClientIsGone() throws Exception {
    Output output = outputs.write(job, job.attempt(0), DISK, 100_000);
    Segment segment = find(output);
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    Response response = response(output);
    assertNotEquals(0, slowMemory.usedBytes());
    response.awaitOnLoop(response::abort);
    assertEquals(0, slowMemory.usedBytes(), "the disk hangs still");
    hanging.countDown();
    Eventually.holds("the lane has seen it", () -> !segment.lane().busy());
    response.awaitOnLoop(() -> {});
    assertEquals(0, slowMemory.usedBytes());
    response(output).sent.get(5, TimeUnit.MINUTES);
    Eventually.holds("it is given back", () -> slowMemory.usedBytes() == 0);
  }

  @Test
  void whatIsBeingReadKeepsItsMemoryUntilThatEnds() throws Exception {
    Segment segment = find(outputs.write(job, job.attempt(0), DISK, 100));
    SegmentPart part = part(segment);
    DeviceRead read = segment.read();
    slowMemory.acquire(read, 100, 100, bytes -> part.granted(slowMemory, read));
    assertTrue(part.begin());
    part.drop();
    assertEquals(100, slowMemory.usedBytes());
    part.releaseMemory();
    part.releaseMemory();
    assertEquals(0, slowMemory.usedBytes());
  }

  /** The first 100 bytes. */
  private SegmentPart part(Segment segment) {
    return new SegmentPart(new Response(new EmbeddedChannel()), segment, 0, 100);
  }

  @Test
  void whatIsDroppedIsNotReadAnyMore() throws Exception {
    SegmentPart part = part(find(outputs.write(job, job.attempt(0), DISK, 100)));
    part.drop();
    assertFalse(part.begin());
  }

  /** One application's clients, all of which wait for one disk. */
  @Test
  void aDiskThatHangsLeavesMemoryForTheOthers() throws Exception {
    serveWith(256 << 10, true);
    Output slow = outputs.write(job, job.attempt(0), DISK, 100_000);
    Output other = outputs.write(job, job.attempt(1), REMOTE, 100_000);
    find(slow);
    find(other);
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    List<Response> waiting = new ArrayList<>();
    waiting.add(response(slow));
    while (slowMemory.waits() == 0) {
      waiting.add(response(slow));
    }
    Response served = response(other);
    served.sent.get(5, TimeUnit.MINUTES);
    assertTrue(waiting.stream().noneMatch(response -> response.sent.isDone()));
    hanging.countDown();
    for (Response response : waiting) {
      response.sent.get(5, TimeUnit.MINUTES);
    }
    Eventually.holds("it is given back", () -> slowMemory.usedBytes() == 0);
  }

  /** What comes after it holds memory and cannot be sent before it. */
  @Test
  void aPartThatWasMovedIsReadWithLessMemoryThanItHasBytes() throws Exception {
    serveWith(128 << 10, true);
    Output first = outputs.write(job, job.attempt(0), DISK, 5000);
    Output moved = outputs.write(job, job.attempt(1), NVME, 64 << 10);
    Output last = outputs.write(job, job.attempt(2), REMOTE, 30_000);
    List<Segment> segments = List.of(find(first), find(moved), find(last));
    Path target = lanes.dirs().get(DISK).resolve(job.idOf(moved).relativePath());
    Files.createDirectories(target.getParent());
    Files.move(moved.folder(), target);
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    Response response = response(first, moved, last);
    Eventually.holds(
        "the last one is read", () -> slowMemory.usedBytes() == segments.get(2).length());
    hanging.countDown();
    response.sent.get(5, TimeUnit.MINUTES);
    List<WireSegment> expected = MapOutputs.segments(List.of(first, moved, last), 0);
    response.awaitOnLoop(() -> {});
    assertArrayEquals(WireSegment.onTheWire(expected), received.toByteArray());
    Eventually.holds("it is given back", () -> slowMemory.usedBytes() == 0);
  }

  /** Neither where it is read into memory, as over TLS. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasReadAMomentAgoNeedsNoLane(boolean transferTo) {
    serveWith(1 << 20, transferTo);
    Eventually.holds("sent at once", this::secondNeedsNoLane);
  }

  @Test
  void whatWasNotReadLatelyNeedsOne() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 5000);
    find(output);
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    Response first = fetch(output);
    assertFalse(first.sent.isDone());
    hanging.countDown();
    first.sent.get(5, TimeUnit.MINUTES);
  }

  /** Fetches a partition twice, the second time while the lane does nothing. */
  private boolean secondNeedsNoLane() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 5000, 5000);
    fetch(output).sent.get(5, TimeUnit.MINUTES);
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    Response second = fetch(output);
    boolean atOnce = second.sent.isDone();
    hanging.countDown();
    second.sent.get(5, TimeUnit.MINUTES);
    return atOnce;
  }

  private Response fetch(Output output) throws Exception {
    Response response = response(output);
    response.awaitOnLoop(() -> {});
    return response;
  }

  /** A connection within this JVM; what comes is written and read on the one loop there is. */
  private Channel connect() throws InterruptedException {
    Channel server =
        new ServerBootstrap()
            .group(loop)
            .channel(LocalServerChannel.class)
            .childHandler(new Client())
            .bind(LocalAddress.ANY)
            .sync()
            .channel();
    return new Bootstrap()
        .group(loop)
        .channel(LocalChannel.class)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(server.localAddress())
        .sync()
        .channel();
  }

  private final class Client extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws IOException {
      if (message instanceof FileRegion region) {
        region.transferTo(Channels.newChannel(received), 0);
      } else {
        received.writeBytes(ByteBufUtil.getBytes((ByteBuf) message));
      }
      ReferenceCountUtil.release(message);
    }
  }

  private final class Response extends FetchResponse {
    private final CompletableFuture<Void> sent = new CompletableFuture<>();
    private final Channel channel;

    Response(Channel channel) {
      super(handler, channel);
      this.channel = channel;
    }

    void awaitOnLoop(Runnable work) throws Exception {
      channel.eventLoop().submit(work).get(5, TimeUnit.MINUTES);
    }

    @Override
    public void begin(List<Segment> found) {}

    @Override
    public void sending(Segment segment) {}

    @Override
    public void sent() {
      sent.complete(null);
    }

    @Override
    public void failed(Throwable cause, boolean begun) {
      sent.completeExceptionally(cause);
    }
  }
}
