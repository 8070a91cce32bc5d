// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
