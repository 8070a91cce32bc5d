// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The days of a trace that count, by when its jobs were submitted.
 *
 * @param sinceMillis the first moment, since the epoch
 * @param untilMillis the first moment after them
 */
record Days(long sinceMillis, long untilMillis) {
  static final Days ALL = new Days(Long.MIN_VALUE, Long.MAX_VALUE);

  /** From the beginning of a day to the end of another, here; all before or after where null. */
  static Days of(@Nullable LocalDate first, @Nullable LocalDate last) {
    return new Days(
        first == null ? ALL.sinceMillis : millis(first),
        last == null ? ALL.untilMillis : millis(last.plusDays(1)));
  }

  private static long millis(LocalDate day) {
    return day.atStartOfDay(ZoneId.systemDefault()).toInstant().toEpochMilli();
  }

  boolean have(long submitMillis) {
    return submitMillis >= sinceMillis && submitMillis < untilMillis;
  }

  /** The jobs of a trace that count. */
  Trace of(Trace all) {
    return new Trace() {
      @Override
      public @Nullable TraceJob next() throws IOException {
        TraceJob job = all.next();
        while (job != null && !have(job.submitMillis())) {
          job = all.next();
        }
        return job;
      }

      @Override
      public void close() throws IOException {
        all.close();
      }
    };
  }
}
