// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.shuffle.BenchOutputs.Segment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Groups of fetchers that ask one handler at the same time, each fetcher on a thread and a
 * connection of its own.
 */
record Load(int port, BenchJob job) {
  /** How long the last fetches may take to arrive. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration LONGEST_PASS = Duration.ofMinutes(15);

  record Group(BenchOutputs outputs, int fetchers, long seed) {}

  /** Times of the clock: what arrives between them counts; after the second no fetch begins. */
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
          "%s of %s bytes arrived in %s minutes. Give a smaller passSize"
              .formatted(bytes, group.outputs().bytes(), LONGEST_PASS.toMinutes()));
    }
    return tally;
  }

  private List<List<Fetcher>> run(List<Group> groups, boolean endless, Span span)
      throws IOException, InterruptedException {
    List<List<Fetcher>> made = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (Group group : groups) {
        List<Fetcher> fetchers = new ArrayList<>();
        made.add(fetchers);
        for (int i = 0; i < group.fetchers(); i++) {
          FetchConnection connection = new FetchConnection(port, job, group.outputs().longest());
          fetchers.add(new Fetcher(connection, new FetchOrder(group, i, endless), span));
        }
      }
      List<Fetcher> all = made.stream().flatMap(List::stream).toList();
      long left = span.until() - System.nanoTime() + PATIENCE.toNanos();
      for (Future<Fetcher> ended : threads.invokeAll(all, left, TimeUnit.NANOSECONDS)) {
        Fetcher unused = ended.get();
      }
      return made;
    } catch (CancellationException e) {
      throw new IOException("a fetch was not answered in " + PATIENCE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(String.valueOf(cause.getMessage()), cause);
    } finally {
      threads.shutdownNow();
      for (Fetcher fetcher : made.stream().flatMap(List::stream).toList()) {
        fetcher.connection.close();
      }
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

  /** One fetcher: the next fetch begins when the last one is done, as in a reducer. */
  private static final class Fetcher implements Callable<Fetcher> {
    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;

    private final FetchConnection connection;
    private final FetchOrder order;
    private final Span span;
    private final Histogram latencies = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private long bytes;
    private long endNanos;

    Fetcher(FetchConnection connection, FetchOrder order, Span span) {
      this.connection = connection;
      this.order = order;
      this.span = span;
    }

    @Override
    public Fetcher call() throws IOException {
      for (Segment segment = order.next();
          segment != null && System.nanoTime() - span.until() < 0;
          segment = order.next()) {
        long nanos = connection.fetch(segment);
        long now = System.nanoTime();
        if (now - span.from() >= 0 && now - span.until() <= 0) {
          latencies.recordValue(Math.max(LOWEST_NANOS, Math.min(HIGHEST_NANOS, nanos)));
          bytes += segment.partLength();
        }
      }
      endNanos = System.nanoTime();
      return this;
    }
  }

  /**
   * What one fetcher asks for: it plays one reducer after the other, and each wants its partition
   * of every map, in an order of its own, as MapReduce's do. No segment is asked for twice before
   * all of this fetcher's were. Not thread-safe.
   */
  static final class FetchOrder {
    private final int partitions;
    private final int first;
    private final int step;
    private final boolean endless;
    private final Random random;
    private final List<List<Segment>> maps;
    private int partition;
    private int next;

    /**
     * An order.
     *
     * @param fetcher which one of the group's this is, counted from 0
     * @param endless whether it begins anew when it is through, and does not end when everything
     *     was asked for once, by all fetchers together
     */
    FetchOrder(Group group, int fetcher, boolean endless) {
      this.partitions = group.outputs().partitions();
      this.endless = endless;
      // With fewer partitions than fetchers some play the same reducers, or none.
      this.first = endless ? fetcher % partitions : fetcher;
      this.step = group.fetchers();
      this.random = new Random(group.seed() * 31 + fetcher);
      this.maps = new ArrayList<>(group.outputs().segments());
      this.partition = first;
      Collections.shuffle(maps, random);
    }

    @Nullable Segment next() {
      if (next == maps.size()) {
        next = 0;
        partition += step;
        if (endless && partition >= partitions) {
          partition = first;
        }
        Collections.shuffle(maps, random);
      }
      return partition >= partitions ? null : maps.get(next++).get(partition);
    }
  }

  /**
   * What a group of fetchers got.
   *
   * @param fetches segments that arrived whole in the measured time
   * @param mbPerSecond millions of bytes of segments per second
   * @param p99Millis 99 of 100 took at most this long
   * @param p999Millis 999 of 1000
   */
  record Tally(
      long fetches,
      double fetchesPerSecond,
      double mbPerSecond,
      double p50Millis,
      double p99Millis,
      double p999Millis) {
    static final String MB_PER_SECOND = "mbPerSecond";
    private static final TypeReference<Map<String, Double>> NUMBERS = new TypeReference<>() {};
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double BYTES_PER_MB = 1e6;

    static Tally of(Histogram nanos, long bytes, double seconds) {
      return new Tally(
          nanos.getTotalCount(),
          nanos.getTotalCount() / seconds,
          bytes / BYTES_PER_MB / seconds,
          nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
          nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
          nanos.getValueAtPercentile(99.9) / NANOS_PER_MILLI);
    }

    double seconds() {
      return fetches / fetchesPerSecond;
    }

    static List<Figure> figures(String prefix, String title) {
      return List.of(
          new Figure(name(prefix, "fetchesPerSecond"), title + "fetches/s"),
          new Figure(name(prefix, MB_PER_SECOND), "MB/s"),
          new Figure(name(prefix, "p50Millis"), "p50 ms"),
          new Figure(name(prefix, "p99Millis"), "p99 ms"),
          new Figure(name(prefix, "p999Millis"), "p999 ms"));
    }

    /** What it has, by the names of its figures. */
    Map<String, Double> values(String prefix) {
      Map<String, Double> values = new LinkedHashMap<>();
      new ObjectMapper()
          .convertValue(this, NUMBERS)
          .forEach((name, value) -> values.put(name(prefix, name), value));
      return values;
    }

    private static String name(String prefix, String name) {
      return prefix.isEmpty()
          ? name
          : prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
  }
}
