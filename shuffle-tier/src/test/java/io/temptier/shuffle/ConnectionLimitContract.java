// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** More connections than allowed are told to come back, and do. */
abstract class ConnectionLimitContract extends ShuffleContract {
  private static final int LIMIT = 3;

  private ShuffleServer server;
  private ShuffleJob job;
  private Output output;
  private RawRequest request;

  @BeforeEach
  void startServer() throws IOException {
    server =
        start(
            Map.of(
                ShuffleHandler.MAX_SHUFFLE_CONNECTIONS,
                Integer.toString(LIMIT),
                // Those that are held must not end for being idle.
                ShuffleHandler.SHUFFLE_CONNECTION_KEEP_ALIVE_TIME_OUT,
                "300"));
    job = server.startJob("alice", 1);
    output = server.outputs().write(job, 1, 100).get(0);
    request = RawRequest.of(job, 0, List.of(output.attempt())).keepAlive();
    request = request.sign(job, server.port());
  }

  @Test
  void theNextOneIsTurnedAway() throws IOException {
    List<RawHttp> held = hold(LIMIT);
    for (int i = 0; i < 10; i++) {
      try (RawHttp http = server.connect()) {
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
      assertEquals(List.of(output.segment(0)), http.exchange(request).segments());
      http.close();
    }
  }

  @Test
  void slotsThatAreFreedAreUsedAgain() throws IOException {
    for (int round = 0; round < 5; round++) {
      List<RawHttp> held = hold(LIMIT);
      try (RawHttp http = server.connect()) {
        assertEquals(429, http.read().status());
      }
      held.get(0).abort();
      held.get(1).close();
      held.get(2).shutdownOutput();
      assertTrue(held.get(2).closedByServer());
      held.get(2).close();
    }
  }

  /** Connections that have been served; asks again while those of before are still counted. */
  private List<RawHttp> hold(int count) {
    List<RawHttp> held = new ArrayList<>();
    Eventually.holds(
        count + " connections are accepted",
        () -> {
          while (held.size() < count) {
            RawHttp http = server.connect();
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
}
