// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RumenTraceTest {
  private static final String FIRST =
      """
      {"jobID": "job_1_0001", "submitTime": 1000,
       "mapTasks": [
        {"attempts": [
          {"result": "FAILED", "startTime": 1, "finishTime": 2, "mapOutputBytes": 5},
          {"result": "SUCCESS", "startTime": 2000, "finishTime": 9000, "mapOutputBytes": 600,
           "hdfsBytesRead": 50}]},
        {"attempts": [
          {"result": "SUCCESS", "startTime": 2000, "finishTime": 8000, "mapOutputBytes": 400}]},
        {"attempts": [{"result": "KILLED", "startTime": 2000, "finishTime": 8000}]}],
       "reduceTasks": [
        {"attempts": [
          {"result": "SUCCESS", "startTime": 9000, "finishTime": 9500,
           "reduceShuffleBytes": 500, "hdfsBytesWritten": 90}]}]}
      """;
  private static final String MAP_ONLY =
      """
      {"jobID": "job_1_0002", "submitTime": 1500,
       "mapTasks": [
        {"attempts": [
          {"result": "SUCCESS", "startTime": 10, "finishTime": 20, "mapOutputBytes": 600}]}]}
      """;

  @TempDir Path temp;

  @Test
  void jobsAreReadOneByOne() throws IOException {
    Path file = Files.writeString(temp.resolve("trace.json"), FIRST + MAP_ONLY);
    try (RumenTrace trace = RumenTrace.open(file)) {
      assertEquals(
          TraceJob.of(
              "job_1_0001",
              1000,
              // 500 of 1000 bytes were fetched: they were compressed.
              List.of(TraceJob.MapTask.of(7000, 50, 300, 0), TraceJob.MapTask.of(6000, 200)),
              List.of(TraceJob.ReduceTask.of(500, 500, 90))),
          trace.next());
      assertEquals(
          TraceJob.of("job_1_0002", 1500, List.of(TraceJob.MapTask.of(10, 0)), List.of()),
          trace.next());
      assertNull(trace.next());
    }
  }

  @Test
  void aGzippedTraceIsRead() throws IOException {
    Path file = temp.resolve("trace.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(MAP_ONLY.getBytes(StandardCharsets.UTF_8));
    }
    try (RumenTrace trace = RumenTrace.open(file)) {
      TraceJob job = trace.next();
      assertEquals("job_1_0002", job == null ? "none" : job.id());
    }
  }

  @Test
  void aTraceOutOfOrderIsRefused() throws IOException {
    assertRefused(MAP_ONLY + FIRST, "job_1_0001 comes after a job submitted later");
  }

  /** As Rumen wrote it, without the time of submission. */
  @Test
  void aJobWithoutATimeOfSubmissionCountsFromItsLaunch() throws IOException {
    Path file = temp.resolve("rumen.json");
    try (InputStream in = RumenTraceTest.class.getResourceAsStream("/rumen/no-submit-time.json")) {
      Files.copy(Objects.requireNonNull(in), file);
    }
    try (RumenTrace trace = RumenTrace.open(file)) {
      assertEquals(
          List.of(TraceJob.of("job_1700000000000_0001", 1700000005000L, List.of(), List.of())),
          rest(trace).stream()
              .map(job -> TraceJob.of(job.id(), job.submitMillis(), job.maps(), job.reduces()))
              .toList());
      assertEquals(
          List.of("job_1700000000000_0001 counts from its launch: its submitTime is -1"),
          trace.notes());
    }
  }

  @Test
  void jobsThatCountFromTheirLaunchAreInOrderWithTheOthers() throws IOException {
    String text =
        job("job_1_0001", -1, 1600)
            + job("job_1_0002", -1, -1)
            + FIRST
            + MAP_ONLY
            + job("job_1_0003", -1, 1200)
            + job("job_1_0004", -1, 9000);
    Path file = Files.writeString(temp.resolve("trace.json"), text);
    try (RumenTrace trace = RumenTrace.open(file)) {
      List<TraceJob> jobs = rest(trace);
      assertEquals(
          List.of("job_1_0001", "job_1_0002", "job_1_0003", "job_1_0001", "job_1_0004"),
          jobs.stream().map(TraceJob::id).toList());
      assertEquals(
          List.of(1000L, 1500L, 1500L, 1600L, 9000L),
          jobs.stream().map(TraceJob::submitMillis).toList(),
          "none before one that Rumen has before it");
      assertEquals(
          "job_1_0002 is left out: its submitTime is -1 and its launchTime -1",
          trace.notes().get(1));
    }
  }

  private static String job(String id, long submitMillis, long launchMillis) {
    return "{\"jobID\": \"%s\", \"submitTime\": %d, \"launchTime\": %d}%n"
        .formatted(id, submitMillis, launchMillis);
  }

  private static List<TraceJob> rest(Trace trace) throws IOException {
    List<TraceJob> jobs = new ArrayList<>();
    for (TraceJob job = trace.next(); job != null; job = trace.next()) {
      jobs.add(job);
    }
    return jobs;
  }

  @Test
  void aTopologyIsRefused() throws IOException {
    assertRefused("{\"name\": \"<root>\", \"children\": []}", "not the topology");
  }

  @Test
  void whatIsNoJsonIsRefused() throws IOException {
    assertRefused("Meta VERSION=\"1\" .", "cannot be read as JSON");
  }

  private void assertRefused(String text, String message) throws IOException {
    Path file = Files.writeString(temp.resolve("trace.json"), text);
    IOException error =
        assertThrows(
            IOException.class,
            () -> {
              try (RumenTrace trace = RumenTrace.open(file)) {
                while (trace.next() != null) {}
              }
            });
    assertTrue(String.valueOf(error.getMessage()).contains(message), error::toString);
  }
}
