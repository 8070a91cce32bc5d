// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

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
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.ReferenceCountUtil;
import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.SegmentMemory.DeviceRead;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.Medium;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

/** What becomes of the memory of parts while disks hang and outputs move. */
class SegmentSenderTest {
  private static final int NVME = 0;
  private static final int DISK = 1;
  private static final int REMOTE = 2;

  @TempDir private Path folder;

  private final ShuffleJob job = new ShuffleJob("alice", 1);
  private final RecentFiles files = new RecentFiles();
  private final DefaultEventLoopGroup loop = new DefaultEventLoopGroup(1);
  private TestLanes lanes;
  private MapOutputs outputs;
  private SegmentReader reader;
  private SegmentMemory slowMemory;
  private HandlerContext handler;

  @BeforeEach
  void start() throws IOException {
    lanes = new TestLanes(folder, Medium.NVME, Medium.DISK, Medium.REMOTE);
    outputs = new MapOutputs(lanes.dirs());
    reader = new SegmentReader();
    serveWith(1 << 20);
  }

  @AfterEach
  void stop() {
    lanes.close();
    files.close();
    reader.close();
    loop.shutdownGracefully(0, 5, TimeUnit.MINUTES).syncUninterruptibly();
  }

  private void serveWith(long slowBytes) {
    slowMemory = new SegmentMemory(slowBytes);
    handler = lanes.handler(files, reader, slowMemory, false);
  }

  private MapOutputId id(Output output) {
    return MapOutputId.of(job.user(), job.application().toString(), output.attempt());
  }

  private Segment find(Output output) throws Exception {
    CompletableFuture<MapOutput> told = new CompletableFuture<>();
    handler.cache().find(id(output), (found, error) -> told.complete(found));
    return new Segment(told.get(5, TimeUnit.MINUTES), 0, handler.tracker(), files);
  }

  private Response response(Segment... segments) throws Exception {
    Response response = new Response(List.of(segments));
    response.onLoop(response.sender::goOn);
    return response;
  }

  @Test
  void whatIsNotBegunKeepsNoMemoryOnceTheClientIsGone() throws Exception {
    Output output = outputs.write(job, job.attempt(0), DISK, 100_000);
    Segment segment = find(output);
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    Response response = response(segment);
    assertNotEquals(0, slowMemory.usedBytes());
    response.onLoop(response.sender::abort);
    assertEquals(0, slowMemory.usedBytes(), "the disk hangs still");
    hanging.countDown();
    Eventually.holds("the lane has seen it", () -> !segment.lane().busy());
    response.onLoop(() -> {});
    assertEquals(0, slowMemory.usedBytes());
    response(find(output)).sent.get(5, TimeUnit.MINUTES);
    Eventually.holds("it is given back", () -> slowMemory.usedBytes() == 0);
  }

  @Test
  void whatIsBeingReadKeepsItsMemoryUntilThatEnds() throws Exception {
    Segment segment = find(outputs.write(job, job.attempt(0), DISK, 100));
    SegmentPart part = new SegmentPart(segment, 0, 100);
    DeviceRead read = segment.read();
    slowMemory.acquire(
        read, 100, 100, bytes -> part.granted(slowMemory, () -> slowMemory.release(read, bytes)));
    assertTrue(part.begin());
    part.drop();
    assertEquals(100, slowMemory.usedBytes());
    part.releaseMemory();
    part.releaseMemory();
    assertEquals(0, slowMemory.usedBytes());
  }

  @Test
  void whatIsDroppedIsNotReadAnyMore() throws Exception {
    Segment segment = find(outputs.write(job, job.attempt(0), DISK, 100));
    SegmentPart part = new SegmentPart(segment, 0, 100);
    part.drop();
    assertFalse(part.begin());
  }

  /** One application's clients, all of which wait for one disk. */
  @Test
  void aDiskThatHangsLeavesMemoryForTheOthers() throws Exception {
    serveWith(256 << 10);
    Output slow = outputs.write(job, job.attempt(0), DISK, 100_000);
    Segment first = find(slow);
    Segment other = find(outputs.write(job, job.attempt(1), REMOTE, 100_000));
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    List<Response> waiting = new ArrayList<>();
    waiting.add(response(first));
    while (slowMemory.waits() == 0) {
      waiting.add(response(find(slow)));
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
    serveWith(128 << 10);
    Output first = outputs.write(job, job.attempt(0), DISK, 5000);
    Output moved = outputs.write(job, job.attempt(1), NVME, 64 << 10);
    Output last = outputs.write(job, job.attempt(2), REMOTE, 30_000);
    List<Segment> segments = List.of(find(first), find(moved), find(last));
    Path target = lanes.dirs().get(DISK).resolve(id(moved).relativePath());
    Files.createDirectories(target.getParent());
    Files.move(moved.folder(), target);
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    Response response = response(segments.toArray(Segment[]::new));
    Eventually.holds(
        "the last one is read", () -> slowMemory.usedBytes() == segments.get(2).length());
    hanging.countDown();
    response.sent.get(5, TimeUnit.MINUTES);
    List<WireSegment> expected =
        Stream.of(first, moved, last).map(output -> output.segment(0)).toList();
    assertArrayEquals(WireSegment.onTheWire(expected), response.received());
    Eventually.holds("it is given back", () -> slowMemory.usedBytes() == 0);
  }

  /** One response over a connection of its own. */
  private final class Response implements SegmentSender.Listener {
    private final CompletableFuture<Void> sent = new CompletableFuture<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final Channel channel;
    private final SegmentSender sender;

    Response(List<Segment> segments) throws Exception {
      channel = connect();
      sender = new SegmentSender(handler, channel, segments, this);
    }

    private Channel connect() throws InterruptedException {
      ChannelInboundHandlerAdapter client =
          new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
              received.writeBytes(ByteBufUtil.getBytes((ByteBuf) message));
              ReferenceCountUtil.release(message);
            }
          };
      Channel server =
          new ServerBootstrap()
              .group(loop)
              .channel(LocalServerChannel.class)
              .childHandler(
                  new ChannelInitializer<LocalChannel>() {
                    @Override
                    protected void initChannel(LocalChannel accepted) {
                      accepted.pipeline().addLast(client);
                    }
                  })
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

    void onLoop(Runnable work) throws Exception {
      channel.eventLoop().submit(work).get(5, TimeUnit.MINUTES);
    }

    /** What came, which is written and read on the one loop there is. */
    byte[] received() throws Exception {
      onLoop(() -> {});
      return received.toByteArray();
    }

    @Override
    public void sent() {
      sent.complete(null);
    }

    @Override
    public void failed(Throwable cause) {
      sent.completeExceptionally(cause);
    }
  }
}
