// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.Run;
import io.temptier.cli.TimeRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads what Hadoop 3.4 wrote of a job of two maps and a reduce; counters that nobody reads here
 * and the user's name were taken out.
 */
final class JobHistoryTest {
  private static final String ID = "job_1795619873934_0001";
  private static final long SUBMITTED = 1795619892714L;

  @TempDir Path temp;

  private static final String JSON = "history.jhist";

  /** The same in Avro's binary form, which is the default. */
  private static final String BINARY = "history-binary.jhist";

  private static byte[] recorded(String name) throws IOException {
    return Files.readAllBytes(Path.of("src/test/resources/jhist", name));
  }

  private Path file(String id, byte[] content) throws IOException {
    return Files.write(temp.resolve(id + "-" + SUBMITTED + "-ann-pi-0.jhist"), content);
  }

  private List<PastJob> read() throws IOException {
    List<PastJob> jobs = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Histories.read(temp.toString(), TimeRange.ALL, notes, jobs::add);
    assertEquals(List.of(), notes);
    return jobs;
  }

  private static void assertIsTheJob(String id, PastJob job) {
    assertEquals(id, job.id());
    assertEquals(SUBMITTED, job.submitMillis());
    assertEquals("ann", job.user());
    List<PastJob.Task> tasks = job.tasks();
    assertEquals(3, tasks.size(), job::toString);
    assertEquals(2, tasks.stream().filter(task -> task.outputBytes() > 0).count(), job::toString);
    PastJob.Task reduce = tasks.stream().filter(task -> task.fetchedMillis() > 0).toList().get(0);
    assertEquals(0, reduce.outputBytes());
    assertTrue(
        reduce.startMillis() < reduce.fetchedMillis()
            && reduce.fetchedMillis() <= reduce.finishMillis(),
        job::toString);
    for (PastJob.Task task : tasks) {
      assertEquals("localhost", task.host());
      // What it wrote besides its output is its scratch.
      assertEquals(
          task.outputBytes() > 0 ? 298_295 : 298_262, task.outputBytes() + task.scratchBytes());
    }
  }

  @Test
  void aHistoryIsReadInBothForms() throws IOException {
    file(ID, recorded(JSON));
    file("job_1795619873934_0002", recorded(BINARY));
    List<PastJob> jobs = read();
    assertEquals(2, jobs.size());
    assertIsTheJob(ID, jobs.get(0));
    assertIsTheJob("job_1795619873934_0002", jobs.get(1));
    assertEquals(jobs.get(0).tasks(), jobs.get(1).tasks());
  }

  @Test
  void whatIsTornOrEmptyIsLeftOutCountedAndNamed() throws IOException {
    byte[] whole = recorded(JSON);
    byte[] binary = recorded(BINARY);
    file(ID, whole);
    // No time.
    Files.createFile(temp.resolve("job_1_0006-99999999999999999999-ann-pi-0.jhist"));
    file("job_1_0001", new byte[0]);
    file("job_1_0002", Arrays.copyOf(whole, whole.length - 200));
    // At the end of a line the parser takes it for whole.
    int lastLine = new String(whole, StandardCharsets.UTF_8).indexOf("{\"type\":\"JOB_FINISHED\"");
    file("job_1_0003", Arrays.copyOf(whole, lastLine));
    file("job_1_0004", Arrays.copyOf(binary, binary.length - 200));
    file("job_1_0005", "Avro-Json\n{\"type\":".getBytes(StandardCharsets.UTF_8));
    Run run = Run.of("plan", "--trace=" + temp, "--fast=1g", "--json=-").fine();
    JsonNode plan = new ObjectMapper().readTree(run.out());
    assertEquals(1, plan.path("jobs").asInt());
    assertEquals(3, plan.path("tasks").asInt());
    assertEquals(5, plan.path("notes").size(), run::toString);
    Run text =
        Run.of("plan", "--trace=" + temp, "--fast=1g")
            .says("Of the trace 5 did not count as it is:");
    for (int i = 1; i <= 5; i++) {
      text.says("job_1_000" + i + "-");
    }
  }
}
