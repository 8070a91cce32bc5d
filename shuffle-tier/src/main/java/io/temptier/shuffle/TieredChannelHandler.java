// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static io.netty.handler.codec.http.HttpResponseStatus.BAD_REQUEST;
import static io.netty.handler.codec.http.HttpResponseStatus.INTERNAL_SERVER_ERROR;
import static io.netty.handler.codec.http.HttpResponseStatus.METHOD_NOT_ALLOWED;
import static io.netty.handler.codec.http.HttpResponseStatus.OK;
import static io.netty.handler.codec.http.HttpResponseStatus.UNAUTHORIZED;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.temptier.shuffle.output.FetchResponse;
import io.temptier.shuffle.output.HandlerContext;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.Segment;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.SegmentChannelHandler;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a fetcher. Requests are checked as Hadoop checks them, by its own code where that
 * can be called, and answered without waiting for a disk; those that come before an answer is
 * complete wait for it.
 */
// How a write or a close ends shows in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class TieredChannelHandler extends SegmentChannelHandler {
  private static final Logger LOG = LoggerFactory.getLogger(TieredChannelHandler.class);

  /** No fetcher sends a request before it has its answer; who sends so many is no fetcher. */
  private static final int MOST_WAITING = 16;

  /** A request, and its answer once it was found out who asks. */
  private final class Exchange extends FetchResponse {
    private final ChannelHandlerContext ctx;
    private final HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, OK);
    private final String job;
    private final int reduce;

    /** The map attempts, in the order to send them. */
    private final List<String> maps;

    private final boolean keepAlive;
    private List<MapOutputId> outputs = Immutable.listOf();

    /** Reads a request; throws with Hadoop's own message when it is none. */
    Exchange(ChannelHandlerContext ctx, FullHttpRequest request) {
      super(TieredChannelHandler.this.handler, ctx.channel());
      this.ctx = ctx;
      if (!ShuffleHeader.DEFAULT_HTTP_HEADER_NAME.equals(
              request.headers().get(ShuffleHeader.HTTP_HEADER_NAME))
          || !ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION.equals(
              request.headers().get(ShuffleHeader.HTTP_HEADER_VERSION))) {
        throw new IllegalArgumentException("Incompatible shuffle request version");
      }
      Map<String, List<String>> query = new QueryStringDecoder(request.uri()).parameters();
      List<String> lists = query.get("map");
      List<String> reduces = query.get("reduce");
      List<String> jobs = query.get("job");
      if (lists == null || reduces == null || jobs == null) {
        throw new IllegalArgumentException("Required param job, map and reduce");
      }
      if (reduces.size() != 1 || jobs.size() != 1) {
        throw new IllegalArgumentException("Too many job/reduce parameters");
      }
      try {
        reduce = Integer.parseInt(reduces.get(0));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("Bad reduce parameter", e);
      }
      job = jobs.get(0);
      maps = names(lists);
      List<String> kept = query.get("keepAlive");
      keepAlive = kept != null && kept.size() == 1 && Boolean.parseBoolean(kept.get(0));
    }

    /** Lets it in, as of the user whose job it is. */
    void admit(String user) {
      JobID id = JobID.forName(job);
      String application =
          ApplicationId.newInstance(Long.parseLong(id.getJtIdentifier()), id.getId()).toString();
      outputs =
          maps.stream()
              .map(map -> MapOutputId.of(user, application, map))
              .collect(Immutable.toList());
    }

    @Override
    public void begin(List<Segment> found) {
      long length = 0;
      for (Segment segment : found) {
        length += segment.length() + segment.header().readableBytes();
      }
      setResponseHeaders(head, keepAlive, length);
      audit(length);
      ctx.channel().write(head);
      countBegun();
    }

    @Override
    public void sending(Segment segment) {
      countBytes(segment.length());
    }

    private void audit(long length) {
      if (ShuffleHandler.AUDITLOG.isTraceEnabled()) {
        ShuffleHandler.AUDITLOG.trace("{} length {} mappers: {}", this, length, maps);
      } else if (ShuffleHandler.AUDITLOG.isDebugEnabled()) {
        ShuffleHandler.AUDITLOG.debug("{} length {}", this, length);
      }
    }

    @Override
    public void sent() {
      ChannelFuture ended = ctx.channel().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      countSent();
      current = null;
      if (keepAlive || TieredChannelHandler.this.handler.context().connectionKeepAliveEnabled) {
        setIdleTimeout(ctx.channel(), true);
        next();
      } else {
        ended.addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void failed(Throwable cause, boolean begun) {
      current = null;
      waiting.clear();
      if (!begun) {
        LOG.error("Cannot answer {} on channel {}", this, ctx.channel().id(), cause);
        sendError(ctx, messages(cause), INTERNAL_SERVER_ERROR);
        return;
      }
      countFailed();
      if (ctx.channel().isActive()) {
        LOG.error("Cannot go on with {} on channel {}", this, ctx.channel().id(), cause);
      }
      // The head is out, an error cannot be sent any more.
      ctx.channel().close();
    }

    @Override
    public String toString() {
      return "shuffle for " + job + " reducer " + reduce;
    }
  }

  private final HandlerContext handler;
  private final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
  private @Nullable Exchange current;

  TieredChannelHandler(HandlerContext handler) {
    super(handler.context());
    this.handler = handler;
  }

  @Override
  public void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (!request.method().equals(HttpMethod.GET)) {
      refuse(ctx, "", METHOD_NOT_ALLOWED);
      return;
    }
    Exchange asked;
    try {
      asked = new Exchange(ctx, request);
    } catch (IllegalArgumentException e) {
      refuse(ctx, String.valueOf(e.getMessage()), BAD_REQUEST);
      return;
    }
    try {
      verifyRequest(
          asked.job,
          ctx,
          request,
          asked.head,
          new URL("http", "", handler.context().port, request.uri()));
      String user = handler.context().userRsrc.get(asked.job);
      if (user == null) {
        throw new IOException("Could not find jobid");
      }
      asked.admit(user);
    } catch (IOException e) {
      LOG.warn("A request was refused: {}", e.toString());
      refuse(ctx, String.valueOf(e.getMessage()), UNAUTHORIZED);
      return;
    }
    if (waiting.size() == MOST_WAITING) {
      ctx.channel().close();
      return;
    }
    waiting.add(asked);
    if (current == null) {
      next();
    }
  }

  private void next() {
    Exchange next = waiting.poll();
    current = next;
    if (next != null) {
      setIdleTimeout(next.ctx.channel(), false);
      next.start(next.outputs, next.reduce);
    }
  }

  private void refuse(ChannelHandlerContext ctx, String message, HttpResponseStatus status) {
    if (current != null) {
      // An answer is on its way; an error would land in the middle of it.
      ctx.channel().close();
      return;
    }
    sendError(ctx, message, status);
  }

  /** The names in some lists; empty ones at the end of a list are dropped, as Hadoop does. */
  private static List<String> names(List<String> lists) {
    List<String> names = new ArrayList<>();
    for (String list : lists) {
      String[] parts = list.split(",", -1);
      int named = parts.length;
      while (named > 1 && parts[named - 1].isEmpty()) {
        named--;
      }
      names.addAll(Arrays.asList(parts).subList(0, named));
    }
    return names;
  }

  /** The messages of an error and its causes, as Hadoop sends them. */
  private static String messages(Throwable error) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      text.append(cause.getMessage());
    }
    return text.toString();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    Exchange running = current;
    if (running != null && ctx.channel().isWritable()) {
      running.goOn();
    }
    super.channelWritabilityChanged(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    Exchange running = current;
    current = null;
    waiting.clear();
    if (running != null) {
      running.abort();
    }
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (current != null) {
      // Hadoop would write an error into the answer.
      LOG.debug("Closing channel {}", ctx.channel().id(), cause);
      ctx.channel().close();
      return;
    }
    super.exceptionCaught(ctx, cause);
  }
}
