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
import io.temptier.fixtures.Texts;
import io.temptier.lab.testbed.DiskSpeed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator against stock's handler in this JVM. */
final class LoadTest {
  private static final int MAPS = 3;
  private static final int PARTITIONS = 5;
  private static final int SEGMENT_BYTES = 20_000;

  @TempDir private Path dir;

  private final BenchJob job = BenchJob.create();
  private BenchOutputs outputs = new BenchOutputs(0, List.of(), List.of());
  private AuxiliaryService handler = new ShuffleHandler();
  private int port;

  @BeforeEach
  void serve() throws Exception {
    outputs = BenchOutputs.write(job, dir, 0, MAPS, PARTITIONS, SEGMENT_BYTES);
    Configuration conf = new Configuration();
    conf.set("yarn.nodemanager.local-dirs", dir.toString());
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    conf.setInt(ShuffleHandler.MAX_SHUFFLE_THREADS, 2);
    conf.setInt(ShuffleServer.APPLICATIONS, 2);
    job.conf().forEach(conf::set);
    handler = ShuffleServer.serve(conf, ShuffleHandler.class.getName());
    port = ShuffleHandler.deserializeMetaData(handler.getMetaData());
  }

  @AfterEach
  void stop() {
    handler.stop();
  }

  @Test
  void theOutputsAreWhatHadoopReads() throws IOException {
    assertEquals(2 * MAPS, outputs.files().size());
    SpillRecord index =
        new SpillRecord(
            new org.apache.hadoop.fs.Path(outputs.files().get(1).toString()), new JobConf());
    assertEquals(PARTITIONS, index.size());
    long offset = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Segment segment = outputs.segments().get(0).get(partition);
      assertEquals(offset, index.getIndex(partition).startOffset);
      assertEquals(segment.partLength(), index.getIndex(partition).partLength);
      assertEquals(segment.rawLength(), index.getIndex(partition).rawLength);
      assertTrue(
          segment.partLength() <= SEGMENT_BYTES && segment.partLength() > SEGMENT_BYTES * 0.9,
          "about " + SEGMENT_BYTES + " bytes: " + segment);
      offset += segment.partLength();
    }
  }

  @Test
  void everySegmentArrivesAndIsCountedOnce() throws Exception {
    List<Tally> tallies =
        load(List.of(new Load.Group(outputs, 2, 1), new Load.Group(outputs, 1, 2)));
    assertEquals(2, tallies.size());
    for (Tally tally : tallies) {
      assertTrue(tally.fetches() > 0, tally.toString());
      assertTrue(tally.p50Millis() > 0, tally.toString());
      assertTrue(tally.p50Millis() <= tally.p99Millis(), tally.toString());
      assertTrue(tally.p99Millis() <= tally.p999Millis(), tally.toString());
      assertEquals(tally.fetchesPerSecond() * outputs.longest() / 1e6, tally.mbPerSecond(), 0.01);
    }
  }

  @Test
  void aPassFetchesEverySegmentOnce() throws Exception {
    for (int fetchers : new int[] {1, 2, PARTITIONS + 2}) {
      Tally tally = new Load(port, job).pass(new Load.Group(outputs, fetchers, 1));
      assertEquals(MAPS * PARTITIONS, tally.fetches());
      double seconds = tally.fetches() / tally.fetchesPerSecond();
      assertEquals(outputs.bytes() / 1e6 / seconds, tally.mbPerSecond(), 0.01);
    }
  }

  @Test
  void anotherJobHasTheSameOutputs() throws Exception {
    BenchJob other = job.again(2);
    BenchOutputs linked = outputs.linkedFor(other, dir);
    assertEquals(outputs.files(), linked.files());
    assertEquals(outputs.bytes(), linked.bytes());
    Segment segment = linked.segments().get(1).get(2);
    assertEquals(other.attempt(1), segment.map());
    assertEquals(outputs.segments().get(1).get(2).crc(), segment.crc());
    Tally tally = new Load(port, other).pass(new Load.Group(linked, 2, 1));
    assertEquals(MAPS * PARTITIONS, tally.fetches());
    // No such application.
    assertFails(job.again(3), segment, "401 Unauthorized");
  }

  @Test
  void aWrongByteOfASegmentFailsTheFetch() throws Exception {
    flip(outputs.segments().get(0).get(0).partLength() / 2);
    assertFails(
        job,
        outputs.segments().get(0).get(0),
        "its CRC-32C is ",
        "partition 0 of " + job.attempt(0));
  }

  @Test
  void aReplyOfAnotherLengthFailsTheFetch() {
    Segment served = outputs.segments().get(1).get(2);
    Segment wanted =
        new Segment(
            served.map(),
            served.partition(),
            served.rawLength(),
            served.partLength() - 1,
            served.crc());
    assertFails(job, wanted, "its compressed length is " + served.partLength());
  }

  @Test
  void fetchersShareAllSegmentsAndAskForNoneTwiceInAPass() {
    for (int fetchers : new int[] {1, 3, PARTITIONS, PARTITIONS + 3}) {
      Set<Segment> asked = new HashSet<>();
      for (int fetcher = 0; fetcher < fetchers; fetcher++) {
        FetchOrder order = new FetchOrder(new Load.Group(outputs, fetchers, 1), fetcher, false);
        for (Segment next = order.next(); next != null; next = order.next()) {
          Segment segment = next;
          assertTrue(asked.add(segment), () -> segment + " twice");
        }
        assertNull(order.next());
      }
      assertEquals(MAPS * PARTITIONS, asked.size());
    }
  }

  @Test
  void aSlowDiskCannotReadAllOutputsWhileItIsMeasured() {
    int maps = ShuffleFetches.enoughMaps(50, 128, new DiskSpeed(100, 40));
    assertTrue(
        (long) maps * 128 * ShuffleFetches.SEGMENT_BYTES > 50 * 100_000_000L, "maps=" + maps);
  }

  @Test
  void programsAreToldMediansPeaksAndWhatIsNotMeasured() {
    Plan plan =
        TrialsOf.plan(
            Experiments.named("shuffle", false).with(new ShuffleFetches(7.5, 128 << 20, 64, 128)),
            3);
    List<Trial> trials = new ArrayList<>();
    for (double rate : new double[] {720, 480, 40}) {
      Map<String, Double> figures = new HashMap<>(new Tally(100, rate, 48, 1, 2, 8).values(""));
      figures.put(ShuffleTestbed.MEMORY, rate * (1 << 20));
      TrialId id = new TrialId("mixed", trials.size() + 1, plan.experiment().arms().get(1));
      trials.add(Trial.of(id, TrialOutcome.FINE, 100 / rate, figures, "0.1"));
    }
    JsonNode arm = ExperimentJson.of(TrialsOf.result(plan, trials)).path("arms").path(0);
    assertEquals("temptier mixed", arm.path("name").asText() + " " + arm.path("setting").asText());
    assertEquals(480, arm.path("fetchesPerSecond").asDouble(), "the median of 3 rounds");
    assertEquals(8, arm.path("p999Millis").asDouble());
    assertEquals(720 << 20, arm.path("peakMemoryBytes").asLong(), "the most of any round");
    assertTrue(arm.path("slowMbPerSecond").isNull(), "none were beside them");
    assertFalse(arm.has("failedTasks"), "there are no jobs");
  }

  private List<Tally> load(List<Load.Group> groups) throws IOException, InterruptedException {
    return new Load(port, job).during(groups, Duration.ofMillis(100), Duration.ofMillis(500));
  }

  private void assertFails(BenchJob as, Segment segment, String... said) {
    Texts.thrown(
        IOException.class,
        () -> {
          try (FetchConnection connection = new FetchConnection(port, as, outputs.longest())) {
            connection.fetch(segment);
          }
        },
        said);
  }

  private void flip(long offset) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(outputs.files().get(0).toFile(), "rw")) {
      file.seek(offset);
      int old = file.read();
      file.seek(offset);
      file.write(old ^ 1);
    }
  }
}
