// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.Test;

/** When a connection stays open, for how long, when it does not, and how many may. */
abstract class KeepAliveContract extends ShuffleContract {
  private static final String ENABLE = ShuffleHandler.SHUFFLE_CONNECTION_KEEP_ALIVE_ENABLED;
  private static final String TIMEOUT = ShuffleHandler.SHUFFLE_CONNECTION_KEEP_ALIVE_TIME_OUT;

  @Test
  void byParameter() throws IOException {
    Kept kept = new Kept(Map.of());
    try (RawHttp http = kept.server.connect()) {
      for (int reduce : new int[] {0, 1, 0}) {
        Response response = http.exchange(kept.keepAlive(reduce));
        assertEquals(
            List.of(
                "Connection: Keep-Alive",
                "Keep-Alive: timeout=300",
                "content-length: " + kept.output.segment(reduce).onTheWire().length),
            response.head().subList(4, response.head().size()));
        assertEquals(List.of(kept.output.segment(reduce)), response.segments());
      }
      Response last = http.exchange(kept.signed(0));
      assertEquals(Optional.of("close"), last.header("connection"));
      assertEquals(List.of(kept.output.segment(0)), last.segments());
      assertTrue(http.closedByServer());
    }
  }

  @Test
  void byConfiguration() throws IOException {
    Kept kept = new Kept(Map.of(ENABLE, "true", TIMEOUT, "307"));
    try (RawHttp http = kept.server.connect()) {
      for (String parameter : List.of("", "&keepAlive=false", "&keepAlive=true", "")) {
        RawRequest request = kept.request(1);
        request = request.withUri(request.uri() + parameter).sign(kept.job, kept.port);
        Response response = http.exchange(request);
        assertEquals(Optional.of("Keep-Alive"), response.header("connection"));
        assertEquals(Optional.of("timeout=307"), response.header("keep-alive"));
        assertEquals(List.of(kept.output.segment(1)), response.segments());
      }
    }
  }

  /** Of several jobs on a connection, each is asked for its own key each time. */
  @Test
  void requestsOfSeveralJobs() throws IOException {
    Kept kept = new Kept(Map.of(ENABLE, "true"));
    ShuffleJob bob = kept.server.startJob("bob", 2);
    Output bobs = kept.server.outputs().write(bob, 1, 300).get(0);
    RawRequest ofBob = RawRequest.of(bob, 0, List.of(bobs.attempt())).sign(bob, kept.port);
    try (RawHttp http = kept.server.connect()) {
      for (int i = 0; i < 2; i++) {
        assertEquals(List.of(kept.output.segment(0)), http.exchange(kept.signed(0)).segments());
        assertEquals(List.of(bobs.segment(0)), http.exchange(ofBob).segments());
      }
      assertEquals(401, http.exchange(kept.request(0).sign(bob, kept.port)).status());
    }
  }

  @Test
  void jobsThatEndMeanwhile() throws IOException {
    Kept kept = new Kept(Map.of(ENABLE, "true"));
    RawRequest request = kept.signed(0);
    try (RawHttp http = kept.server.connect()) {
      assertEquals(200, http.exchange(request).status());
      kept.server.endJob(kept.job);
      Response response = http.exchange(request);
      assertEquals(401, response.status());
      assertFalse(response.text().contains(MapOutputs.MARKER));
      assertTrue(http.closedByServer());
    }
  }

  @Test
  void parametersThatDoNotCount() throws IOException {
    Kept kept = new Kept(Map.of());
    for (String parameter :
        List.of(
            "&keepAlive=false", "&keepAlive=yes", "&keepAlive", "&keepAlive=true&keepAlive=true")) {
      try (RawHttp http = kept.server.connect()) {
        RawRequest request = kept.request(0);
        Response response =
            http.exchange(request.withUri(request.uri() + parameter).sign(kept.job, kept.port));
        assertEquals(Optional.of("close"), response.header("connection"), parameter);
        assertEquals(Optional.empty(), response.header("keep-alive"), parameter);
        assertTrue(http.closedByServer());
      }
    }
  }

  @Test
  void idleConnectionsAreClosed() throws IOException {
    Kept kept = new Kept(Map.of(TIMEOUT, "0"));
    try (RawHttp http = kept.server.connect()) {
      Response response = http.exchange(kept.keepAlive(0));
      assertEquals(Optional.of("timeout=1"), response.header("keep-alive"));
      assertTrue(http.closedByServer());
    }
  }

  /** The second answer is still being sent when the time-out of the first would be over. */
  @Test
  void timeOutsDoNotCutALongAnswer() throws IOException, InterruptedException {
    Kept kept = new Kept(Map.of(TIMEOUT, "1"), 100, 8 << 20);
    try (RawHttp http = secondAnswerBegun(kept)) {
      byte[] expected = kept.output.segment(1).onTheWire();
      byte[] start = http.read(1000);
      Thread.sleep(2200);
      byte[] rest = http.read(expected.length - 1000);
      byte[] all = Arrays.copyOf(start, expected.length);
      System.arraycopy(rest, 0, all, 1000, rest.length);
      assertEquals(List.of(kept.output.segment(1)), WireSegment.parse(all));
      assertTrue(http.closedByServer());
    }
  }

  /** A busy machine may let the time-out of the first answer pass: then once more. */
  private static RawHttp secondAnswerBegun(Kept kept) throws IOException {
    for (int tries = 1; ; tries++) {
      RawHttp http = kept.server.connect(1 << 16);
      try {
        http.exchange(kept.keepAlive(0));
        http.send(kept.keepAlive(1));
        http.readHead();
        return http;
      } catch (IOException e) {
        http.close();
        if (tries == 20) {
          throw e;
        }
      }
    }
  }

  @Test
  void errorsCloseEvenThen() throws IOException {
    Kept kept = new Kept(Map.of(ENABLE, "true"));
    for (RawRequest bad :
        List.of(
            kept.request(0).keepAlive(),
            kept.keepAlive(9),
            kept.request(0).withMethod("POST").sign(kept.job, kept.port))) {
      try (RawHttp http = kept.server.connect()) {
        assertEquals(200, http.exchange(kept.signed(0)).status());
        assertTrue(http.exchange(bad).status() >= 400);
        assertTrue(http.closedByServer());
      }
    }
  }

  @Test
  void pipelinedRequestsWithBigAnswers() throws IOException {
    Kept kept = new Kept(Map.of(ENABLE, "true"), 100, 5 << 20);
    List<String> twice = List.of(kept.output.attempt(), kept.output.attempt());
    WireSegment big = kept.output.segment(1);
    try (RawHttp http = kept.server.connect(1 << 16)) {
      http.send(RawRequest.of(kept.job, 1, twice).sign(kept.job, kept.port));
      http.send(kept.signed(0));
      // Stock answers the second at once, among the segments of the first. No fetcher sends one.
      if (tiered) {
        assertEquals(List.of(big, big), http.read().segments());
        assertEquals(List.of(kept.output.segment(0)), http.read().segments());
      }
    }
    assertEquals(List.of(big), kept.server.fetch(kept.job, 1, twice.subList(0, 1)).segments());
  }

  @Test
  void theNextOneIsTurnedAway() throws IOException {
    Kept kept = new Kept(Map.of(ShuffleHandler.MAX_SHUFFLE_CONNECTIONS, "3"));
    List<RawHttp> held = hold(kept);
    for (int i = 0; i < 10; i++) {
      try (RawHttp http = kept.server.connect()) {
        assertEquals(
            List.of(
                "HTTP/1.1 429 TOO MANY REQUESTS",
                "content-type: text/plain; charset=UTF-8",
                "name: mapreduce",
                "version: 1.0.0",
                "Retry-After: 1000",
                "content-length: 0"),
            http.readHead());
        assertTrue(http.closedByServer());
      }
    }
    for (RawHttp http : held) {
      assertEquals(List.of(kept.output.segment(0)), http.exchange(kept.signed(0)).segments());
      http.close();
    }
  }

  @Test
  void slotsThatAreFreedAreUsedAgain() throws IOException {
    Kept kept = new Kept(Map.of(ShuffleHandler.MAX_SHUFFLE_CONNECTIONS, "3"));
    for (int round = 0; round < 5; round++) {
      List<RawHttp> held = hold(kept);
      try (RawHttp http = kept.server.connect()) {
        assertEquals(429, http.read().status());
      }
      held.get(0).abort();
      held.get(1).close();
      held.get(2).shutdownOutput();
      assertTrue(held.get(2).closedByServer());
      held.get(2).close();
    }
  }

  /** Three that have been served; asks again while those of before are still counted. */
  private static List<RawHttp> hold(Kept kept) {
    RawRequest request = kept.keepAlive(0);
    List<RawHttp> held = new ArrayList<>();
    Eventually.holds(
        "three connections are accepted",
        () -> {
          while (held.size() < 3) {
            RawHttp http = kept.server.connect();
            if (http.exchange(request).status() != 200) {
              http.close();
              return false;
            }
            held.add(http);
          }
          return true;
        });
    return held;
  }

  /** A server with one output. */
  private final class Kept {
    final ShuffleServer server;
    final ShuffleJob job;
    final Output output;
    final int port;

    Kept(Map<String, String> settings) throws IOException {
      this(settings, 100, 5000);
    }

    Kept(Map<String, String> settings, int... partitionBytes) throws IOException {
      // Only where a test is about it, a connection ends for being idle.
      Map<String, String> all = new HashMap<>(Map.of(TIMEOUT, "300"));
      all.putAll(settings);
      server = start(all);
      job = server.startJob("alice", 1);
      output = server.outputs().write(job, 1, partitionBytes).get(0);
      port = server.port();
    }

    RawRequest request(int reduce) {
      return RawRequest.of(job, reduce, List.of(output.attempt()));
    }

    RawRequest signed(int reduce) {
      return request(reduce).sign(job, port);
    }

    RawRequest keepAlive(int reduce) {
      return request(reduce).keepAlive().sign(job, port);
    }
  }
}
