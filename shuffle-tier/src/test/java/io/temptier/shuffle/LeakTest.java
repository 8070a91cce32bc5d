// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * After two thousand fetches, of which clients broke many off, the handler holds no more than
 * before the first. One that kept anything of a single fetch would show it.
 */
final class LeakTest extends ShuffleContract {
  private static final int CLIENTS = 8;
  private static final int MAPS = 30;
  private static final int REDUCES = 5;

  @AutoClose private final LogWatch log = new LogWatch();

  @Test
  void plain() throws Exception {
    nothingIsLeftOf(2_000, start());
  }

  @Test
  void overTls() throws Exception {
    TestKeys keys = TestKeys.shared();
    ShuffleServer secured = keys.onClassPath(() -> start(keys.settings(false)));
    nothingIsLeftOf(200, secured.reachedBy(keys.sockets(false)));
  }

  private void nothingIsLeftOf(int fetches, ShuffleServer server) throws Exception {
    ShuffleJob job = server.startJob("alice", 1);
    List<Output> outputs = server.outputs().write(job, MAPS, 500, 0, 20_000, 90_000, 1 << 20);
    Clients clients = new Clients(server, job, outputs);
    for (int i = 0; i < 20; i++) {
      clients.fetchWhole(new Random(i));
    }
    Footprint before = Footprint.of(server, folder);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        Random random = new Random(client);
        work.add(
            () -> {
              for (int i = 0; i < fetches / CLIENTS; i++) {
                clients.fetch(random);
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    clients.fetchWhole(new Random(1));
    Footprint.assertGivenBack(server, folder, before);
    Eventually.holds(
        "no response is under way",
        () -> ShuffleHandlerInternals.counts(server.handler()).current() == 0);
    log.assertQuiet();
  }

  /** Clients of one job. */
  private record Clients(ShuffleServer server, ShuffleJob job, List<Output> outputs) {
    private List<Output> someMaps(Random random) {
      return random.ints(1 + random.nextInt(4), 0, MAPS).mapToObj(outputs::get).toList();
    }

    void fetchWhole(Random random) throws IOException {
      server.assertServes(job, random.nextInt(REDUCES), someMaps(random));
    }

    /** One fetch, of which about half are broken off, wherever it happens to be. */
    void fetch(Random random) throws IOException {
      if (random.nextBoolean()) {
        fetchWhole(random);
        return;
      }
      RawRequest request = server.request(job, random.nextInt(REDUCES), someMaps(random));
      if (random.nextInt(20) == 0) {
        request = request.withUri(request.uri() + ",nowhere").sign(job, server.port());
      }
      byte[] bytes = request.toBytes();
      try (RawHttp http = server.connect(1 << 15)) {
        http.readTimeoutMillis(2000);
        switch (random.nextInt(5)) {
          case 0 -> http.send(Arrays.copyOf(bytes, random.nextInt(bytes.length)));
          case 1 -> http.send(bytes);
          case 2 -> {
            http.send(bytes);
            http.read(1 + random.nextInt(200));
          }
          case 3 -> {
            http.send(bytes);
            http.read(1 + random.nextInt(100_000));
          }
          default -> {
            http.send(bytes);
            http.send(bytes);
            http.read(random.nextInt(100));
          }
        }
        if (random.nextBoolean()) {
          http.abort();
        }
      } catch (IOException e) {
        // The handler may close first; what is asked for twice it need not answer.
      }
    }
  }
}
