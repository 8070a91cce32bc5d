// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.history;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Filling of the tiers: a line for every five minutes by the clock, with the fullest moment of each
 * tier and what was written to it meanwhile. Five minutes alone would miss what tasks write and
 * delete between two looks, so it looks at each round. Safe for use by many threads.
 */
final class FillHistory {
  /** Span of a line. */
  static final Duration PERIOD = Duration.ofMinutes(5);

  /** Lines that JMX shows: a day, some seventy kilobytes. */
  static final int MOST_RECENT = 288;

  /** Version of the lines; readers skip lines of a version they do not know. */
  private static final int FORMAT = 1;

  /** Counters of a tier that a line has, less those that are 0. */
  private static final List<TierCounter> SHOWN =
      Immutable.listOf(
          TierCounter.CAPACITY_BYTES,
          TierCounter.FREE_BYTES,
          TierCounter.CLAIMED_BYTES,
          TierCounter.BYTES_PLACED,
          TierCounter.BYTES_SPILLED_HERE,
          TierCounter.DIRS_SLOW,
          TierCounter.DIRS_FAILED);

  private final HistoryFile lines;
  private final Supplier<Map<Medium, Map<TierCounter, Long>>> tiers;
  private final LongAdder demoted = new LongAdder();

  // Guarded by the sampler.
  private Map<Medium, Map<TierCounter, Long>> first = Immutable.mapOf();
  private final Map<Medium, Map<TierCounter, Long>> worst = new EnumMap<>(Medium.class);
  private long fromMillis;
  private long demotedBefore;

  /** {@code tiers} has the numbers of each tier now, without I/O; none while they are unknown. */
  FillHistory(HistoryFile lines, Supplier<Map<Medium, Map<TierCounter, Long>>> tiers) {
    this.lines = lines;
    this.tiers = tiers;
  }

  /** Counts bytes that were moved to a slower tier. Never blocks. */
  void demoted(long bytes) {
    demoted.add(bytes);
  }

  /** Looks, and writes a line when it is time. May take as long as the disk; for one thread. */
  void round(long nowMillis) {
    lines.load();
    long fromMillis = look(nowMillis);
    if (nowMillis / PERIOD.toMillis() != fromMillis / PERIOD.toMillis()) {
      endPeriod(nowMillis);
    }
    lines.write(nowMillis);
  }

  /** Writes down what was seen since the last line. */
  void end(long nowMillis) {
    look(nowMillis);
    endPeriod(nowMillis);
    lines.write(nowMillis);
    lines.close();
  }

  /** The last lines, and what would be the next, oldest first. Never waits for a disk. */
  List<String> lines(long nowMillis) {
    List<String> all = new ArrayList<>(lines.recent());
    look(nowMillis);
    all.add(line(nowMillis));
    return all;
  }

  /** Looks at the tiers; returns when the period began. */
  private synchronized long look(long nowMillis) {
    Map<Medium, Map<TierCounter, Long>> now = tiers.get();
    if (first.isEmpty()) {
      // Counters grow at a start by what earlier journals tell: that was not written now.
      first = now;
      fromMillis = nowMillis;
    }
    now.forEach((medium, values) -> worst.merge(medium, new EnumMap<>(values), FillHistory::worse));
    return fromMillis;
  }

  /** The fuller of both moments; of the rest the most. */
  private static Map<TierCounter, Long> worse(
      Map<TierCounter, Long> before, Map<TierCounter, Long> now) {
    Map<TierCounter, Long> fuller = freeShare(now) <= freeShare(before) ? now : before;
    Map<TierCounter, Long> worse = new EnumMap<>(now);
    SHOWN.forEach(counter -> worse.merge(counter, get(before, counter), Math::max));
    for (TierCounter size : Immutable.listOf(TierCounter.CAPACITY_BYTES, TierCounter.FREE_BYTES)) {
      worse.put(size, get(fuller, size));
    }
    return worse;
  }

  /** A tier whose dirs were not read yet, as at the start, is no full one. */
  private static double freeShare(Map<TierCounter, Long> counters) {
    long capacity = get(counters, TierCounter.CAPACITY_BYTES);
    return capacity == 0 ? 1 : (double) get(counters, TierCounter.FREE_BYTES) / capacity;
  }

  private static long get(Map<TierCounter, Long> counters, TierCounter counter) {
    return counters.getOrDefault(counter, 0L);
  }

  private synchronized void endPeriod(long nowMillis) {
    if (worst.isEmpty()) {
      return;
    }
    lines.add(line(nowMillis));
    first = tiers.get();
    worst.clear();
    fromMillis = nowMillis;
    demotedBefore = demoted.sum();
  }

  private synchronized String line(long nowMillis) {
    List<Object> each = new ArrayList<>();
    worst.forEach(
        (medium, values) -> {
          Map<TierCounter, Long> before = first.getOrDefault(medium, Immutable.mapOf());
          Map<String, Object> tier = Json.object("medium", medium);
          for (TierCounter counter : SHOWN) {
            boolean counts = counter.type() == TierCounter.Type.COUNTER;
            long value = get(values, counter) - (counts ? get(before, counter) : 0);
            if (value > 0) {
              tier.put(counter.attribute(), value);
            }
          }
          each.add(tier);
        });
    Map<String, Object> json =
        Json.object("v", FORMAT, "fromMillis", fromMillis, "toMillis", nowMillis, "tiers", each);
    if (demoted.sum() > demotedBefore) {
      json.put("bytesDemoted", demoted.sum() - demotedBefore);
    }
    return Json.of(json);
  }
}
