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
  void startServer() throws IOException {
    server = start();
    job = server.startJob("alice", 1);
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
    server.assertServes(job, 1, shuffled);
  }

  @Test
  void aMapAskedForTwiceIsSentTwice() throws IOException {
    Output output = server.outputs().write(job, 1, 500).get(0);
    server.assertServes(job, 0, List.of(output, output));
  }

  @Test
  void mapParametersAreJoined() throws IOException {
    List<Output> outputs = server.outputs().write(job, 3, 500);
    List<String> attempts = MapOutputs.attempts(outputs);
    RawRequest request = RawRequest.of(job, 0, attempts.subList(0, 2));
    request = request.withUri(request.uri() + "&map=" + attempts.get(2));
    try (RawHttp http = server.connect()) {
      assertEquals(
          MapOutputs.segments(outputs, 0),
          http.exchange(request.sign(job, server.port())).segments());
    }
  }

  @Test
  void emptyPartitions() throws IOException {
    List<Output> outputs = server.outputs().write(job, 3, 0, 400, 0);
    for (int reduce = 0; reduce < 3; reduce++) {
      server.assertServes(job, reduce, outputs);
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
    RawRequest request = RawRequest.of(job, 0, MapOutputs.attempts(outputs));
    int line = request.uri().length() + "GET  HTTP/1.1".length();
    assertTrue(line > MAX_REQUEST_LINE * 3 / 4 && line <= MAX_REQUEST_LINE, "line of " + line);
    server.assertServes(job, 0, outputs);
  }

  @Test
  void bigSegments() throws IOException {
    List<Output> outputs = server.outputs().write(job, 2, 1000, 24 << 20);
    server.assertServes(job, 1, outputs);
  }
}
