/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.shuffle;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * Groups of fetchers that ask one handler at the same time, each fetcher on a thread and a
 * connection of its own.
 *
 * @param port the handler's, on this machine
 * @param job whose outputs they are
 * @param warmUp how long what arrives does not count
 * @param measured how long it does
 */
record Load(int port, BenchJob job, Duration warmUp, Duration measured) {
  /** How long the last fetches may take to arrive. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Fetchers that ask for the same outputs.
   *
   * @param outputs what they ask for
   * @param fetchers how many
   * @param seed of the order they ask in
   */
  record Group(MapOutputs outputs, int fetchers, long seed) {}

  /**
   * Fetches for the given time. No fetch is under way any more when this returns.
   *
   * @return a tally for each group
   * @throws IOException when a fetch fails or does not end
   */
  List<Tally> run(List<Group> groups) throws IOException, InterruptedException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    List<FetchConnection> connections = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (Group group : groups) {
        for (int i = 0; i < group.fetchers(); i++) {
          connections.add(new FetchConnection(address, job, group.outputs().longest()));
        }
      }
      long from = System.nanoTime() + warmUp.toNanos();
      long until = from + measured.toNanos();
      List<List<Future<Fetcher>>> started = new ArrayList<>();
      int connection = 0;
      for (Group group : groups) {
        List<Future<Fetcher>> fetchers = new ArrayList<>();
        for (int i = 0; i < group.fetchers(); i++) {
          FetchOrder order = new FetchOrder(group.outputs(), i, group.fetchers(), group.seed());
          fetchers.add(
              threads.submit(new Fetcher(connections.get(connection++), order, from, until)));
        }
        started.add(fetchers);
      }
      List<Tally> tallies = new ArrayList<>();
      for (List<Future<Fetcher>> fetchers : started) {
        tallies.add(tally(fetchers, until));
      }
      return tallies;
    } finally {
      for (FetchConnection connection : connections) {
        connection.close();
      }
      threads.shutdownNow();
    }
  }

  private Tally tally(List<Future<Fetcher>> fetchers, long until)
      throws IOException, InterruptedException {
    Histogram latencies = null;
    long bytes = 0;
    for (Future<Fetcher> future : fetchers) {
      Fetcher fetcher = await(future, until);
      if (latencies == null) {
        latencies = fetcher.latencies();
      } else {
        latencies.add(fetcher.latencies());
      }
      bytes += fetcher.bytes();
    }
    if (latencies == null || latencies.getTotalCount() == 0) {
      throw new IOException(
          "no fetch of "
              + fetchers.size()
              + " fetchers was answered in "
              + measured.toSeconds()
              + " s. Give more --seconds");
    }
    return Tally.of(latencies, bytes, measured.toNanos() / 1e9);
  }

  private static Fetcher await(Future<Fetcher> future, long until)
      throws IOException, InterruptedException {
    try {
      long left = until - System.nanoTime() + PATIENCE.toNanos();
      return future.get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException("a fetch was not answered in " + PATIENCE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(String.valueOf(cause.getMessage()), cause);
    }
  }
}
