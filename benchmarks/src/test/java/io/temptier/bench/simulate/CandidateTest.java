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
package io.temptier.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The policies of the study, and what they cost the HDDs. */
final class CandidateTest {
  private static final long MB = SimulationTest.MB;

  @ParameterizedTest
  @CsvSource({
    // A map of 200 MB spills twice 100 MB before its output. Half of the disk is kept.
    "FAST_FIRST, 500, 400",
    // Beside the spills, 50 MB are left for the output.
    "RUNS_FIRST, 500, 200",
    // The spills leave no room for the output.
    "FAST_FIRST, 310, 200",
    // Only one of the spills may lie there, so that the output fits.
    "OUTPUTS_FIRST, 310, 300"
  })
  void aKindIsKeptOutOfTheShareOfAnother(
      Candidate candidate, long diskMegabytes, long placedMegabytes) throws IOException {
    TraceJob job = new TraceJob("a", 0, List.of(new TraceJob.MapTask(60_000, 200 * MB)), List.of());
    assertEquals(placedMegabytes, run(candidate, diskMegabytes, job).placedBytes() / MB);
  }

  @ParameterizedTest
  @CsvSource({"FAST_FIRST, 0", "SMALL_JOBS_FIRST, 1", "BY_JOB_SIZE, 1"})
  void aLargeJobLeavesTheShareToASmallOne(Candidate candidate, long whollyFast) throws IOException {
    // The small one begins when all maps of the large one have ended, of whose outputs six fit.
    TraceJob large = job("large", 0, 8, 80 * MB, 200_000);
    TraceJob small = job("small", 250_000, 1, 40 * MB, 60_000);
    assertEquals(whollyFast, run(candidate, 500, large, small).whollyFastJobs());
  }

  @ParameterizedTest
  @EnumSource(Candidate.class)
  void whatLiesOnHddsIsTheirWork(Candidate candidate) throws IOException {
    TraceJob job = job("a", 0, 4, 50 * MB, 60_000);
    HddModel hdds = SimulationTest.HDDS;
    double millis = 4 * (hdds.writeMillis(50 * MB) + hdds.fetchMillis(50 * MB));
    assertEquals(millis / 1e3, run(candidate, 1, job).hdds().seconds(), 1e-6);
    double seconds = run(candidate, 10_000, job).hdds().seconds();
    // Taking turns, half of the files lie there however large the fast disk is.
    assertEquals(candidate == Candidate.ROUND_ROBIN ? millis / 2e3 : 0, seconds, 1e-6);
  }

  private static TraceJob job(
      String id, long submitMillis, int maps, long bytes, long reduceMillis) {
    return new TraceJob(
        id,
        submitMillis,
        Collections.nCopies(maps, new TraceJob.MapTask(60_000, bytes)),
        List.of(new TraceJob.ReduceTask(reduceMillis, 50 * MB)));
  }

  private static SizeResult run(Candidate candidate, long diskMegabytes, TraceJob... jobs)
      throws IOException {
    ClusterModel model = SimulationTest.model(1, 2, false, diskMegabytes * MB);
    return SimulationTest.run(model.with(candidate), List.of(jobs)).sizes().get(0);
  }
}
