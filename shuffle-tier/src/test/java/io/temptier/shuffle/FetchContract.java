// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Correct requests get the right bytes, in the right order, under the right headers. */
abstract class FetchContract extends ShuffleContract {
  /** Netty's limit of a request line, which stock leaves as it is. */
  private static final int MAX_REQUEST_LINE = 4096;

  private ShuffleServer server;
  private ShuffleJob job;

  @BeforeEach
  void startServer() {
    server = start();
    job = server.startJob("alice", 1);
  }

  @Test
  void oneMap() throws IOException {
    Output output = server.outputs().write(job, 1, 100, 3000, 50).get(0);
    for (int reduce = 0; reduce < 3; reduce++) {
      assertEquals(
          List.of(output.segment(reduce)),
          server.fetch(job, reduce, List.of(output.attempt())).segments());
    }
  }

  @Test
  void headersAreExactlyStocks() throws IOException {
    Output output = server.outputs().write(job, 1, 100).get(0);
    RawRequest request = RawRequest.of(job, 0, List.of(output.attempt()));
    byte[] hash = request.hash(job, server.port()).getBytes(StandardCharsets.UTF_8);
    try (RawHttp http = server.connect()) {
      Response response = http.exchange(request.sign(job, server.port()));
      assertEquals(
          List.of(
              "HTTP/1.1 200 OK",
              "ReplyHash: " + SecureShuffleUtils.generateHash(hash, job.key()),
              "name: mapreduce",
              "version: 1.0.0",
              "Connection: close",
              "content-length: " + output.segment(0).onTheWire().length),
          response.head());
      assertTrue(http.closedByServer(), "connection stays open, or more bytes than announced");
    }
  }

  @Test
  void severalMapsInTheOrderOfTheRequest() throws IOException {
    List<Output> outputs = server.outputs().write(job, 20, 5000, 700);
    List<Output> shuffled = new ArrayList<>(outputs);
    Collections.shuffle(shuffled, new Random(1));
    assertEquals(segments(shuffled, 1), server.fetch(job, 1, attempts(shuffled)).segments());
  }

  @Test
  void aMapAskedForTwiceIsSentTwice() throws IOException {
    List<Output> one = server.outputs().write(job, 1, 500);
    List<Output> twice = List.of(one.get(0), one.get(0));
    assertEquals(segments(twice, 0), server.fetch(job, 0, attempts(twice)).segments());
  }

  @Test
  void mapParametersAreJoined() throws IOException {
    List<Output> outputs = server.outputs().write(job, 3, 500);
    List<String> attempts = attempts(outputs);
    RawRequest request = RawRequest.of(job, 0, attempts.subList(0, 2));
    request = request.withUri(request.uri() + "&map=" + attempts.get(2));
    try (RawHttp http = server.connect()) {
      assertEquals(
          segments(outputs, 0), http.exchange(request.sign(job, server.port())).segments());
    }
  }

  @Test
  void emptyPartitions() throws IOException {
    List<Output> outputs = server.outputs().write(job, 3, 0, 400, 0);
    for (int reduce = 0; reduce < 3; reduce++) {
      assertEquals(
          segments(outputs, reduce), server.fetch(job, reduce, attempts(outputs)).segments());
    }
  }

  /** More maps than the meta data of which is kept per request, and than may be open at a time. */
  @Test
  void asManyMapsAsFitIntoARequest() throws IOException {
    MapOutputs writer = server.outputs();
    List<Output> outputs = new ArrayList<>();
    for (int map = 0; map < 1100; map++) {
      String name = Integer.toString(map, Character.MAX_RADIX);
      outputs.add(
          map < 40
              ? writer.write(job, name, map % 2, map)
              : writer.link(job, outputs.get(map % 40), name, map % 2));
    }
    RawRequest request = RawRequest.of(job, 0, attempts(outputs));
    int line = request.uri().length() + "GET  HTTP/1.1".length();
    assertTrue(line > MAX_REQUEST_LINE * 3 / 4 && line <= MAX_REQUEST_LINE, "line of " + line);
    assertEquals(segments(outputs, 0), server.fetch(job, 0, attempts(outputs)).segments());
  }

  @Test
  void bigSegments() throws IOException {
    List<Output> outputs = server.outputs().write(job, 2, 1000, 24 << 20);
    assertEquals(segments(outputs, 1), server.fetch(job, 1, attempts(outputs)).segments());
  }

  static List<String> attempts(List<Output> outputs) {
    return outputs.stream().map(Output::attempt).toList();
  }

  static List<WireSegment> segments(List<Output> outputs, int reduce) {
    return outputs.stream().map(output -> output.segment(reduce)).toList();
  }
}
