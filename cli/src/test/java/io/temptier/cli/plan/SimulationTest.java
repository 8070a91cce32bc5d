// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.plan.SimulationResult.SizeResult;
import io.temptier.tier.DemotionSettings;
import io.temptier.tier.Medium;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SimulationTest {
  private static final long MB = 1L << 20;

  private static final long GB = 1L << 30;

  @Test
  void outputsFillTheFastDiskInOrderAndTheRestIsSpilled() throws IOException {
    // 5 outputs of 10 MB, one after the other: a disk of 25 MB holds 2 of them.
    SimulationResult result =
        run(model(1, 1, false, 25 * MB, 51 * MB), List.of(job("a", 0, 5, 10 * MB, 1)));
    SizeResult small = result.sizes().get(0);
    assertEquals(20 * MB, small.placedBytes());
    assertEquals(30 * MB, small.spilledBytes());
    assertEquals(0.4, small.hitShare(), 1e-9);
    assertEquals(0, small.whollyFastJobs());
    SizeResult large = result.sizes().get(1);
    assertEquals(50 * MB, large.placedBytes());
    assertEquals(1, large.whollyFastJobs());
    assertEquals(51 * MB, result.recommended().orElseThrow().fastBytes());
    assertEquals(6, result.tasks());
  }

  @Test
  void whatAJobLeavesIsFreeForTheNext() throws IOException {
    SizeResult size =
        run(
                model(1, 1, false, 25 * MB),
                List.of(job("a", 0, 2, 10 * MB, 1), job("b", 3_600_000, 2, 10 * MB, 1)))
            .sizes()
            .get(0);
    assertEquals(40 * MB, size.placedBytes());
    assertEquals(0, size.spilledBytes());
    assertEquals(2, size.whollyFastJobs());
  }

  @Test
  void demotionMakesRoomFromTheHighMarkToTheLowOne() throws IOException {
    // 10 outputs of 10 MB on 100 MB, 60 s each: at 80 MB the oldest go until 50 MB are left.
    SizeResult size =
        run(model(1, 1, true, 100 * MB), List.of(job("a", 0, 10, 10 * MB, 1))).sizes().get(0);
    assertEquals(100 * MB, size.placedBytes());
    assertEquals(0, size.spilledBytes());
    assertEquals(30 * MB, size.demotedBytes());
  }

  @Test
  void aMapThatSpillsWritesItsOutputTwice() throws IOException {
    SizeResult size =
        run(model(1, 1, false, GB), List.of(job("a", 0, 1, 200 * MB, 1))).sizes().get(0);
    // 100 MB are sorted at a time; the reduce holds 100 MB and writes its 200 MB, too.
    assertEquals(600, Math.round(size.placedBytes() / (double) MB));
  }

  @Test
  void theResultDoesNotHangOnWhichSizesAreComparedWithIt() throws IOException {
    SizeResult alone = synthetic(2 * GB).sizes().get(0);
    SizeResult among = synthetic(GB, 2 * GB, 8 * GB).sizes().get(1);
    assertEquals(alone, among);
  }

  @Test
  void aLargerDiskNeverSpillsMore() throws IOException {
    List<SizeResult> sizes = synthetic(GB / 2, GB, 2 * GB, 4 * GB, 64 * GB).sizes();
    for (int i = 1; i < sizes.size(); i++) {
      SizeResult smaller = sizes.get(i - 1);
      SizeResult larger = sizes.get(i);
      assertTrue(larger.spilledBytes() <= smaller.spilledBytes(), sizes::toString);
      assertEquals(
          smaller.placedBytes() + smaller.spilledBytes(),
          larger.placedBytes() + larger.spilledBytes(),
          "all that is written is the same");
    }
    assertTrue(sizes.get(0).spilledBytes() > 0, sizes::toString);
    assertEquals(0, sizes.get(4).spilledBytes());
  }

  @Test
  void nothingIsRecommendedFromTooLittle() throws IOException {
    // Of 10 nodes one has 50 MB, for one minute.
    SimulationResult result = run(model(10, 1, false, GB), List.of(job("a", 0, 1, 50 * MB, 1)));
    assertTrue(result.saysTooLittle(), result::toString);
    assertTrue(result.recommended().isEmpty(), result::toString);
    assertEquals(1, result.sizes().get(0).hitShare());
  }

  @Test
  void anEmptyTraceIsAnError() {
    assertThrows(IOException.class, () -> run(model(1, 1, false, GB), List.of()));
  }

  private static SimulationResult synthetic(long... sizes) throws IOException {
    ClusterModel model = model(20, 8, true, sizes);
    return new Simulation(model, 1, jobs -> {}).run(new SyntheticTrace(1, 3_000, 160, 0.7));
  }

  private static SimulationResult run(ClusterModel model, List<TraceJob> jobs) throws IOException {
    return new Simulation(model, 1, ended -> {}).run(Trace.of(jobs));
  }

  private static ClusterModel model(int nodes, int containers, boolean demotion, long... sizes) {
    Map<Medium, DemotionSettings.Marks> marks = new EnumMap<>(Medium.class);
    for (Medium medium : Medium.values()) {
      marks.put(medium, DemotionSettings.Marks.of(0.8, true, 0.5, true));
    }
    List<Long> fast = new ArrayList<>();
    for (long size : sizes) {
      fast.add(size);
    }
    return ClusterModel.of(
        nodes,
        containers,
        100 * MB,
        100 * MB,
        fast,
        null,
        Reserve.ofBytes(0),
        TierSettings.DEFAULT.toBuilder()
            .policy(PlacementPolicy.Named.FAST_FIRST)
            .unknownSizeBytes(64 * MB)
            .appShare(1)
            .hysteresis(0)
            .refresh(Duration.ofSeconds(1))
            .claimIdle(Duration.ofSeconds(30))
            .build(),
        DemotionSettings.of(demotion, marks, 64 * MB));
  }

  private static TraceJob job(String id, long submitMillis, int maps, long bytes, int reduces) {
    return TraceJob.of(
        id,
        submitMillis,
        Collections.nCopies(maps, TraceJob.MapTask.of(60_000, bytes)),
        Collections.nCopies(reduces, TraceJob.ReduceTask.of(60_000, maps * bytes / reduces)));
  }

  @Test
  void aTaskWaitsForItsStageAndSpillsWhatItsLogSays() throws IOException {
    TraceJob.MapTask first = TraceJob.MapTask.of(1000, 0, 10 * MB, 0, 0, 0);
    TraceJob.MapTask second = TraceJob.MapTask.of(1000, 0, 0, 0, 30 * MB, 600_000);
    TraceJob spark = TraceJob.of("application_1_1", 0, List.of(first, second), List.of());
    SimulationResult result = run(model(1, 2, false, 100 * MB), List.of(spark));
    assertEquals(40 * MB, result.sizes().get(0).placedBytes());
    assertEquals(601_000 / 86_400_000.0, result.days(), 1e-9);
    assertEquals(2, result.tasks());
  }
}
