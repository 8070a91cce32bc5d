// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every microbenchmark runs, in this JVM and for a moment, with the least of its parameters. */
final class MicrobenchmarksTest {
  @BeforeAll
  static void besideOtherBuilds() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void allOfThemRun() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(20))
                    .param("dirs", "1")
                    .param("others", "2")
                    .param("own", "10")
                    .param("room", "tight")
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    for (RunResult result : results) {
      assertTrue(result.getPrimaryResult().getScore() > 0, () -> result.getParams().id());
    }
    assertEquals(
        "AllocatorBenchmark.pathForWrite AllocatorBenchmark.pathForWriteByEightThreads"
            + " AllocatorBenchmark.pathToRead ClaimsBenchmark.look ClaimsBenchmark.makeAndRelease"
            + " ClaimsBenchmark.makeLookAndRelease PolicyBenchmark.choose",
        results.stream()
            .map(result -> result.getParams().getBenchmark())
            .map(name -> name.replaceFirst(".*[.]([^.]+[.][^.]+)$", "$1"))
            .collect(Collectors.toCollection(TreeSet::new))
            .stream()
            .collect(Collectors.joining(" ")));
  }
}
