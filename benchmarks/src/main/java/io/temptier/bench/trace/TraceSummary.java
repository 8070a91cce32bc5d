// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import io.temptier.cli.plan.SyntheticTrace;
import io.temptier.cli.plan.Trace;
import io.temptier.cli.plan.TraceJob;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How much there is to do in a trace. */
public record TraceSummary(
    int jobs,
    int maps,
    int reduces,
    long inputBytes,
    long shuffleBytes,
    long resultBytes,
    long largestShuffleBytes) {
  private static final double UTILISATION = 0.7;
  public static final TraceSummary NOTHING = new TraceSummary(0, 0, 0, 0, 0, 0, 0);

  public static TraceSummary of(Trace trace) throws IOException {
    return of(trace, null);
  }

  /**
   * Reads a trace to its end, closes it, and writes its jobs to a file for Rumen; those without
   * maps are left out, since Gridmix does not replay them.
   */
  public static TraceSummary writing(Trace trace, Path file) throws IOException {
    try (RumenTraceWriter writer = RumenTraceWriter.create(file)) {
      return of(trace, writer);
    }
  }

  /**
   * Makes a trace up, as large as one node does it, and writes it to a file for Rumen.
   *
   * @param containers of the node, which it would keep busy for most of the time
   */
  public static TraceSummary synthetic(long seed, long tasks, int containers, Path file)
      throws IOException {
    return writing(
        new SyntheticTrace(seed, SyntheticTrace.Shape.NODE, tasks, containers, UTILISATION), file);
  }

  private static TraceSummary of(Trace trace, @Nullable RumenTraceWriter writer)
      throws IOException {
    TraceSummary sum = NOTHING;
    try (trace) {
      for (TraceJob job = trace.next(); job != null; job = trace.next()) {
        if (writer == null) {
          sum = sum.and(job);
        } else if (!job.maps().isEmpty()) {
          sum = sum.and(job);
          writer.write(job);
        }
      }
    }
    return sum;
  }

  private TraceSummary and(TraceJob job) {
    long input = 0;
    long shuffle = 0;
    long result = 0;
    for (TraceJob.MapTask map : job.maps()) {
      input += map.inputBytes();
      shuffle += map.outputBytes();
      result += map.resultBytes();
    }
    for (TraceJob.ReduceTask reduce : job.reduces()) {
      result += reduce.resultBytes();
    }
    return new TraceSummary(
        jobs + 1,
        maps + job.maps().size(),
        reduces + job.reduces().size(),
        inputBytes + input,
        shuffleBytes + shuffle,
        resultBytes + result,
        Math.max(largestShuffleBytes, shuffle));
  }

  @Override
  public String toString() {
    return "%s of %s maps and %s reduces, %s in, %s shuffled, %s out"
        .formatted(
            jobs + (jobs == 1 ? " job" : " jobs"),
            maps,
            reduces,
            Sizes.format(inputBytes),
            Sizes.format(shuffleBytes),
            Sizes.format(resultBytes));
  }
}
