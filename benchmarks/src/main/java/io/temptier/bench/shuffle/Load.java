// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.shuffle.MapOutputs.Segment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Groups of fetchers that ask one handler at the same time, each fetcher on a thread and a
 * connection of its own.
 */
record Load(int port, BenchJob job) {
  /** How long the last fetches may take to arrive. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration LONGEST_PASS = Duration.ofMinutes(15);

  record Group(MapOutputs outputs, int fetchers, long seed) {
    private List<FetchOrder> orders(boolean endless) {
      return IntStream.range(0, fetchers)
          .mapToObj(i -> new FetchOrder(outputs, i, fetchers, seed, endless))
          .toList();
    }
  }

  private record Span(long from, long until) {}

  /**
   * Fetches for the given time; who is through begins anew. No fetch is under way any more when
   * this returns. Where a group got no answer in that time, all is done once more for twice as
   * long, and so on.
   *
   * @param warmUp how long what arrives does not count
   * @return a tally for each group, over the time that it took
   */
  List<Tally> during(List<Group> groups, Duration warmUp, Duration measured)
      throws IOException, InterruptedException {
    for (Duration time = measured; ; time = time.multipliedBy(2)) {
      long from = System.nanoTime() + warmUp.toNanos();
      Span span = new Span(from, from + time.toNanos());
      List<List<Fetcher>> ended = run(groups, true, span);
      if (ended.stream().allMatch(Load::answered) || time.compareTo(LONGEST_PASS) > 0) {
        List<Tally> tallies = new ArrayList<>();
        for (List<Fetcher> fetchers : ended) {
          tallies.add(tally(fetchers, time));
        }
        return tallies;
      }
    }
  }

  /** Fetches every segment once, from the first request to the last byte. */
  Tally pass(Group group) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Span span = new Span(start, start + LONGEST_PASS.toNanos());
    List<Fetcher> fetchers = run(List.of(group), false, span).get(0);
    long nanos = fetchers.stream().mapToLong(fetcher -> fetcher.endNanos - start).max().orElse(0);
    Tally tally = tally(fetchers, Duration.ofNanos(nanos));
    long bytes = fetchers.stream().mapToLong(fetcher -> fetcher.bytes).sum();
    if (bytes != group.outputs().bytes()) {
      throw new IOException(
          "%s of %s bytes arrived in %s minutes. Give a smaller --pass-size"
              .formatted(bytes, group.outputs().bytes(), LONGEST_PASS.toMinutes()));
    }
    return tally;
  }

  private List<List<Fetcher>> run(List<Group> groups, boolean endless, Span span)
      throws IOException, InterruptedException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    List<FetchConnection> connections = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<List<Future<Fetcher>>> started = new ArrayList<>();
      for (Group group : groups) {
        List<Future<Fetcher>> fetchers = new ArrayList<>();
        for (FetchOrder order : group.orders(endless)) {
          FetchConnection connection = new FetchConnection(address, job, group.outputs().longest());
          connections.add(connection);
          fetchers.add(threads.submit(new Fetcher(connection, order, span.from(), span.until())));
        }
        started.add(fetchers);
      }
      List<List<Fetcher>> ended = new ArrayList<>();
      for (List<Future<Fetcher>> fetchers : started) {
        List<Fetcher> ofGroup = new ArrayList<>();
        for (Future<Fetcher> fetcher : fetchers) {
          ofGroup.add(await(fetcher, span.until()));
        }
        ended.add(ofGroup);
      }
      return ended;
    } finally {
      for (FetchConnection connection : connections) {
        connection.close();
      }
      threads.shutdownNow();
    }
  }

  private static boolean answered(List<Fetcher> fetchers) {
    return fetchers.stream().anyMatch(fetcher -> fetcher.latencies.getTotalCount() > 0);
  }

  private static Tally tally(List<Fetcher> fetchers, Duration time) throws IOException {
    Histogram latencies = fetchers.get(0).latencies.copy();
    fetchers.stream().skip(1).forEach(fetcher -> latencies.add(fetcher.latencies));
    long bytes = fetchers.stream().mapToLong(fetcher -> fetcher.bytes).sum();
    if (latencies.getTotalCount() == 0) {
      throw new IOException(
          "no fetch of %s fetchers was answered in %s s. Give more --seconds"
              .formatted(fetchers.size(), time.toSeconds()));
    }
    return Tally.of(latencies, bytes, time.toNanos() / 1e9);
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

  /** One fetcher: the next fetch begins when the last one is done, as in a reducer. */
  private static final class Fetcher implements Callable<Fetcher> {
    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;

    private final FetchConnection connection;
    private final FetchOrder order;
    private final long fromNanos;
    private final long untilNanos;
    private final Histogram latencies = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private long bytes;
    private long endNanos;

    /** Between these times of the clock what arrives counts; after it no fetch begins. */
    Fetcher(FetchConnection connection, FetchOrder order, long fromNanos, long untilNanos) {
      this.connection = connection;
      this.order = order;
      this.fromNanos = fromNanos;
      this.untilNanos = untilNanos;
    }

    @Override
    public Fetcher call() throws IOException {
      for (Segment segment = order.next();
          segment != null && System.nanoTime() - untilNanos < 0;
          segment = order.next()) {
        long nanos = connection.fetch(segment);
        long now = System.nanoTime();
        if (now - fromNanos >= 0 && now - untilNanos <= 0) {
          latencies.recordValue(Math.max(LOWEST_NANOS, Math.min(HIGHEST_NANOS, nanos)));
          bytes += segment.partLength();
        }
      }
      endNanos = System.nanoTime();
      return this;
    }
  }
}
