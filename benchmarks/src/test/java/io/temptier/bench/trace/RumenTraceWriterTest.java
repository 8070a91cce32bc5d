// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.tools.rumen.JobStory;
import org.apache.hadoop.tools.rumen.Pre21JobHistoryConstants;
import org.apache.hadoop.tools.rumen.TaskInfo;
import org.apache.hadoop.tools.rumen.ZombieJobProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read by us and, as Gridmix reads it, by Hadoop's own Rumen. */
final class RumenTraceWriterTest {
  private static final TraceJob MAP_ONLY =
      new TraceJob("job_1_0007", 10, List.of(new TraceJob.MapTask(5, 700, 0, 300)), List.of());

  @TempDir Path temp;

  @Test
  void rumenReadsTheSame() throws IOException {
    List<TraceJob> jobs = new ArrayList<>(jobs());
    jobs.add(MAP_ONLY);
    Path file = write("trace.json", jobs);
    ZombieJobProducer producer =
        new ZombieJobProducer(
            new org.apache.hadoop.fs.Path(file.toUri()), null, new Configuration());
    for (TraceJob job : jobs) {
      JobStory story = producer.getNextJob();
      assertNotNull(story, job::id);
      assertEquals(job.id(), story.getJobID().toString());
      // Gridmix replays no others.
      assertEquals(Pre21JobHistoryConstants.Values.SUCCESS, story.getOutcome());
      assertEquals(job.maps().size(), story.getNumberMaps());
      assertEquals(job.reduces().size(), story.getNumberReduces());
      for (int i = 0; i < job.maps().size(); i++) {
        TraceJob.MapTask map = job.maps().get(i);
        TaskInfo info = story.getTaskInfo(TaskType.MAP, i);
        assertEquals(map.inputBytes(), info.getInputBytes());
        assertEquals(
            job.reduces().isEmpty() ? map.resultBytes() : map.outputBytes(), info.getOutputBytes());
        assertEquals(info.getOutputBytes() > 0, info.getOutputRecords() > 0);
      }
      for (int i = 0; i < job.reduces().size(); i++) {
        TraceJob.ReduceTask reduce = job.reduces().get(i);
        TaskInfo info = story.getTaskInfo(TaskType.REDUCE, i);
        assertEquals(reduce.inputBytes(), info.getInputBytes());
        assertEquals(reduce.resultBytes(), info.getOutputBytes());
      }
    }
    assertEquals(null, producer.getNextJob());
    producer.close();
  }

  @Test
  void aSeedIsAFile() throws IOException {
    byte[] once = Files.readAllBytes(write("once.json.gz", jobs()));
    assertArrayEquals(once, Files.readAllBytes(write("again.json.gz", jobs())));
    Path other = temp.resolve("other.json.gz");
    TraceSummary unused = TraceSummary.synthetic(8, 60, 10, other);
    assertFalse(Arrays.equals(once, Files.readAllBytes(other)));
  }

  @Test
  void theSummaryIsOfAllJobs() throws IOException {
    List<TraceJob> jobs = jobs();
    Path file = write("trace.json", jobs);
    TraceSummary summary = RumenTraceWriter.copyReplayable(file, temp.resolve("copy.json"));
    assertEquals(jobs.size(), summary.jobs());
    assertEquals(jobs.stream().mapToInt(job -> job.maps().size()).sum(), summary.maps());
    assertEquals(
        jobs.stream()
            .flatMap(job -> job.maps().stream())
            .mapToLong(TraceJob.MapTask::inputBytes)
            .sum(),
        summary.inputBytes());
    assertTrue(summary.largestShuffleBytes() < summary.shuffleBytes(), summary::toString);
    assertTrue(summary.resultBytes() > summary.shuffleBytes() / 3, summary::toString);
  }

  @Test
  void whatGridmixReplaysIsCopiedAsItIs() throws IOException {
    String good = "{\"jobID\":\"job_1_0001\",\"outcome\":\"SUCCESS\",\"totalMaps\":1,\"x\":[1]}";
    Path file =
        Files.writeString(
            temp.resolve("trace.json"),
            good
                + good.replace("SUCCESS", "KILLED")
                + good.replace("totalMaps\":1", "totalMaps\":0")
                + good.replace("0001", "0004"));
    Path copy = temp.resolve("copy.json");
    assertEquals(2, RumenTraceWriter.copyReplayable(file, copy).jobs());
    assertEquals(good + "\n" + good.replace("0001", "0004") + "\n", Files.readString(copy));
  }

  @Test
  void anIdThatRumenWouldNotReadIsRefused() throws IOException {
    try (RumenTraceWriter writer = RumenTraceWriter.create(temp.resolve("trace.json"))) {
      TraceJob job = new TraceJob("job_x_1", 0, List.of(), List.of());
      assertThrows(IllegalArgumentException.class, () -> writer.write(job));
    }
  }

  private Path write(String name, List<TraceJob> jobs) throws IOException {
    Path file = temp.resolve(name);
    try (RumenTraceWriter writer = RumenTraceWriter.create(file)) {
      for (TraceJob job : jobs) {
        JsonNode unused = writer.write(job);
      }
    }
    return file;
  }

  private static SyntheticTrace trace(long seed) {
    return new SyntheticTrace(seed, SyntheticTrace.Shape.NODE, 60, 10, 0.7);
  }

  private static List<TraceJob> jobs() {
    SyntheticTrace trace = trace(7);
    List<TraceJob> jobs = new ArrayList<>();
    for (TraceJob job = trace.next(); job != null; job = trace.next()) {
      jobs.add(job);
    }
    return jobs;
  }
}
