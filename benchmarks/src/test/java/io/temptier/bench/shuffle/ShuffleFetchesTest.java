// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.experiment.ExperimentJson;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.shuffle.BenchOutputs.Segment;
import io.temptier.bench.shuffle.Load.FetchOrder;
import io.temptier.bench.shuffle.Load.Tally;
import io.temptier.bench.workload.TrialsOf;
import io.temptier.lab.testbed.DiskSpeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ShuffleFetchesTest {
  private static final Plan PLAN =
      TrialsOf.plan(
          Experiments.named("shuffle", false).with(new ShuffleFetches(7.5, 128 << 20, 64, 128)), 3);

  @Test
  void aSlowDiskCannotReadAllOutputsWhileItIsMeasured() {
    int maps = ShuffleFetches.enoughMaps(50, 128, new DiskSpeed(100, 40));
    assertTrue(
        (long) maps * 128 * ShuffleFetches.SEGMENT_BYTES > 50 * 100_000_000L, "maps=" + maps);
  }

  @Test
  void programsAreToldMediansPeaksAndWhatIsNotMeasured() {
    List<Trial> trials = new ArrayList<>();
    for (double rate : new double[] {720, 480, 40}) {
      Map<String, Double> figures = new HashMap<>(new Tally(100, rate, 48, 1, 2, 8).values(""));
      figures.put(ShuffleTestbed.MEMORY, rate * (1 << 20));
      TrialId id = new TrialId("mixed", trials.size() + 1, PLAN.experiment().arms().get(1));
      trials.add(Trial.of(id, TrialOutcome.FINE, 100 / rate, figures, "0.1"));
    }
    JsonNode arm = ExperimentJson.of(TrialsOf.result(PLAN, trials)).path("arms").path(0);
    assertEquals("temptier mixed", arm.path("name").asText() + " " + arm.path("setting").asText());
    assertEquals(480, arm.path("fetchesPerSecond").asDouble(), "the median of 3 rounds");
    assertEquals(8, arm.path("p999Millis").asDouble());
    assertEquals(720 << 20, arm.path("peakMemoryBytes").asLong(), "the most of any round");
    assertTrue(arm.path("slowMbPerSecond").isNull(), "none were beside them");
    assertFalse(arm.has("failedTasks"), "there are no jobs");
  }

  private static final int MAPS = 7;
  private static final int PARTITIONS = 10;

  private final BenchOutputs outputs = outputs();

  @Test
  void fetchersShareAllSegmentsAndAskForNoneTwiceInAPass() {
    for (int fetchers : new int[] {1, 3, PARTITIONS, PARTITIONS + 3}) {
      Set<Segment> asked = new HashSet<>();
      for (int fetcher = 0; fetcher < fetchers; fetcher++) {
        FetchOrder order = order(fetcher, fetchers, 1, false);
        for (Segment next = order.next(); next != null; next = order.next()) {
          Segment segment = next;
          assertTrue(asked.add(segment), () -> segment + " twice");
        }
        assertNull(order.next());
      }
      assertEquals(MAPS * PARTITIONS, asked.size());
    }
  }

  private FetchOrder order(int fetcher, int fetchers, long seed, boolean endless) {
    return new FetchOrder(new Load.Group(outputs, fetchers, seed), fetcher, endless);
  }

  private static BenchOutputs outputs() {
    List<List<Segment>> segments = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      List<Segment> ofMap = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ofMap.add(new Segment("m" + map, partition, 1, 1, 1));
      }
      segments.add(ofMap);
    }
    return new BenchOutputs(0, segments, List.of());
  }
}
