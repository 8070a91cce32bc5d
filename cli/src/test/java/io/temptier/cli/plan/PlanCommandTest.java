// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Run;
import io.temptier.cli.TimeRange;
import io.temptier.cli.plan.PastJob.Task;
import io.temptier.fixtures.StableNames;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans, and the histories of Hadoop and Spark that they are made of. */
final class PlanCommandTest {
  private static final long GB = 1L << 30;

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--fast=1g,x | --fast",
        "--fast=0 | --fast=0 is nothing",
        "-Dtemptier.reserve=200% | temptier.reserve",
        "-Dtemptier.demotion.high=x | temptier.demotion.high",
        "-Dtemptier.fill-limits=batch=50% | temptier.fill-limits",
        "--since=much | --since",
        "-Dmapreduce.x=1 | -D mapreduce.x is no property that counts",
        "-Dtemptier.reserv=5% | -D temptier.reserv is no property that counts",
        "-Dtemptier.large-size=1g | -D temptier.large-size is no property that counts"
      })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    Run.of("plan", "--trace=" + temp, option).misused(message);
  }

  @Test
  void aPlanNeedsATraceThatIsThere() {
    Run.of("plan").misused("--trace");
    Path none = temp.resolve("none");
    Run.of("plan", "--trace", none.toString()).failed(none + " is not there. Name a folder");
    Run.of("plan", "--trace", "://").failed("the plan cannot be made: ").lacks("--debug");
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    job(1, at(2), "ann", 20 * GB, "a", "b");
    job(2, at(3), "bob", 40 * GB, "b");
    Run run = fine("--fast=16g,256g", "--json=-");
    Run.golden("plan.json", run.out().replace(temp.toString(), "TRACE"));
    StableNames.checkJson("plan", run.out(), PlanCommandTest.class);
  }

  @Test
  void theRecommendedSizeIsMarked() throws IOException {
    job(1, at(2), "ann", 20 * GB, "a", "b");
    job(2, at(4), "ann", 20 * GB, "a");
    Run run = fine("--fast=16g,64g");
    assertTrue(run.out().startsWith("-> 64 GiB: the smallest of these"), run::toString);
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches(" *-> +64\\.0 +100\\.0 % .*")),
        run::toString);
    run.says("at a time: at most 20 GiB.");
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run::toString);
  }

  @Test
  void someMinutesTellNothingOfDays() throws IOException {
    job(1, at(2), "ann", 37 * GB, "a");
    Run run = fine("--fast=16g,64g").says("64 GiB: the smallest of these that spills no");
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches(" *-> +64\\.0 .* - +-")), run::toString);
  }

  @Test
  void aTraceSaysHowManyNodesAndItsDaysCanBeChosen() throws IOException {
    job(1, at(2), "ann", 1000, "a");
    job(2, at(9), "ann", 1000, "b");
    JsonNode all = json("--fast=1g");
    assertEquals(2, all.path("nodes").asInt());
    assertEquals(2, all.path("jobs").asInt());
    assertEquals(at(2).toEpochMilli(), all.path("fromMillis").asLong());
    JsonNode later = json("--fast=1g", "--since=2026-03-05");
    assertEquals(1, later.path("nodes").asInt());
    assertEquals(at(9).toEpochMilli(), later.path("fromMillis").asLong());
    JsonNode earlier = json("--fast=1g", "--until=2026-03-05");
    assertEquals(at(2).toEpochMilli(), earlier.path("fromMillis").asLong());
    assertEquals(1, earlier.path("jobs").asInt());
  }

  @Test
  void historiesLieInAnyFileSystemOfHadoops() throws IOException {
    Files.writeString(temp.resolve("job_1_0001-1772400000000-ann-sort-0.jhist"), "no history");
    Run.of("plan", "--trace=" + temp.toUri(), "--fast=1g").failed("job_1_0001");
    Run.of("plan", "--trace=" + temp.toUri(), "--fast=1g", "--until=2026-01-01")
        .failed("there is no job in the trace");
  }

  @Test
  void limitsByUserAndKindAreTriedOnATrace() throws IOException {
    job(1, at(2), "ann", 1000, "a");
    String[] limits = {
      "user:ann=0%", "user:bob=0%", "user:*=0%", "kind:map_output=0%", "kind:SPILL=0%"
    };
    double[] hits = {0, 1, 0, 0, 1};
    for (int i = 0; i < limits.length; i++) {
      JsonNode plan = json("--fast=1g", "-Dtemptier.fill-limits=" + limits[i]);
      assertEquals(hits[i], plan.at("/sizes/0/hitShare").asDouble(), limits[i]);
    }
  }

  private static Instant at(int day) {
    return Instant.parse("2026-03-0" + day + "T12:00:00Z");
  }

  /** An application with one task of a minute on each host, which writes so much for a shuffle. */
  private void job(int number, Instant submitted, String user, long bytes, String... hosts)
      throws IOException {
    String id = "application_1700000000000_" + (1000 + number);
    long millis = submitted.toEpochMilli();
    List<String> events = new ArrayList<>();
    events.add(
        "{\"Event\":\"SparkListenerApplicationStart\",\"App ID\":\"%s\",\"Timestamp\":%d,\"User\":\"%s\"}"
            .formatted(id, millis, user));
    for (String host : hosts) {
      events.add(
          """
          {"Event":"SparkListenerTaskEnd","Task End Reason":{"Reason":"Success"},"Task Info":{"Host":"%s",\
          "Launch Time":%d,"Finish Time":%d},"Task Metrics":{"Shuffle Write Metrics":{"Shuffle Bytes Written":%d}}}\
          """
              .formatted(host, millis, millis + 60_000, bytes));
    }
    Files.write(temp.resolve(id), events);
  }

  private JsonNode json(String... options) throws IOException {
    return Run.of(List.of("plan", "--trace=" + temp, "--json=-"), options).fine().json();
  }

  private Run fine(String... options) {
    return Run.of(List.of("plan", "--trace=" + temp), options).fine();
  }

  /*
   * Spark 3.5.5 wrote this of a sort that spills, in local[2], and Hadoop 3.4 the other of two maps
   * and a reduce; what nobody reads here and the names of user and hosts were taken out.
   */
  private static final String ID = "local-1795511816256";
  private static final String JOB = "job_1795619873934_0001";

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/spark", ID));
  }

  /** In Avro's form of JSON, or in the binary one, which is the default. */
  private static byte[] recorded(String form) throws IOException {
    return Files.readAllBytes(Path.of("src/test/resources/jhist", "history" + form + ".jhist"));
  }

  private Path file(String id, byte[] content) throws IOException {
    return Files.write(temp.resolve(id + "-1795619892714-ann-pi-0.jhist"), content);
  }

  private static List<PastJob> read(Path place, String... notes) throws IOException {
    List<PastJob> jobs = new ArrayList<>();
    List<String> said = new ArrayList<>();
    Histories.read(place.toString(), TimeRange.ALL, said, jobs::add);
    assertEquals(notes.length, said.size(), said::toString);
    for (int i = 0; i < notes.length; i++) {
      assertTrue(said.get(i).contains(notes[i]), said::toString);
    }
    return jobs;
  }

  private static PastJob only(Path place, String... notes) throws IOException {
    List<PastJob> jobs = read(place, notes);
    assertEquals(1, jobs.size(), jobs::toString);
    return jobs.get(0);
  }

  private static void assertIsTheJob(String id, PastJob job) {
    assertEquals(id, job.id());
    assertEquals(1795619892714L, job.submitMillis());
    assertEquals("ann", job.user());
    List<Task> tasks = job.tasks();
    assertEquals(3, tasks.size(), job::toString);
    assertEquals(2, tasks.stream().filter(task -> task.outputBytes() > 0).count(), job::toString);
    Task reduce = tasks.stream().filter(task -> task.fetchedMillis() > 0).toList().get(0);
    assertEquals(0, reduce.outputBytes());
    assertTrue(
        reduce.startMillis() < reduce.fetchedMillis()
            && reduce.fetchedMillis() <= reduce.finishMillis(),
        job::toString);
    for (Task task : tasks) {
      assertEquals("localhost", task.host());
      // What it wrote besides its output is its scratch.
      assertEquals(
          task.outputBytes() > 0 ? 298_295 : 298_262, task.outputBytes() + task.scratchBytes());
    }
  }

  @Test
  void aHistoryIsReadInBothForms() throws IOException {
    file(JOB, recorded(""));
    file("job_1795619873934_0002", recorded("-binary"));
    List<PastJob> jobs = read(temp);
    assertEquals(2, jobs.size());
    assertIsTheJob(JOB, jobs.get(0));
    assertIsTheJob("job_1795619873934_0002", jobs.get(1));
    assertEquals(jobs.get(0).tasks(), jobs.get(1).tasks());
  }

  @Test
  void whatIsTornOrEmptyIsLeftOutCountedAndNamed() throws IOException {
    byte[] whole = recorded("");
    byte[] binary = recorded("-binary");
    file(JOB, whole);
    // No time.
    Files.createFile(temp.resolve("job_1_0006-99999999999999999999-ann-pi-0.jhist"));
    file("job_1_0001", new byte[0]);
    file("job_1_0002", Arrays.copyOf(whole, whole.length - 200));
    // At the end of a line the parser takes it for whole.
    int lastLine = new String(whole, StandardCharsets.UTF_8).indexOf("{\"type\":\"JOB_FINISHED\"");
    file("job_1_0003", Arrays.copyOf(whole, lastLine));
    file("job_1_0004", Arrays.copyOf(binary, binary.length - 200));
    file("job_1_0005", "Avro-Json\n{\"type\":".getBytes(StandardCharsets.UTF_8));
    Run run = Run.of("plan", "--trace=" + temp, "--fast=1g");
    run.fine("1 jobs of 3 tasks", "Of the trace 5 did not count as it is:");
    Run json = Run.of("plan", "--trace=" + temp, "--fast=1g", "--json=-");
    for (int i = 1; i <= 5; i++) {
      run.says("job_1_000" + i + "-");
      json.says("job_1_000" + i + "-");
    }
  }

  private static void assertIsTheSort(PastJob job) {
    assertEquals(ID, job.id());
    assertEquals(1795511814201L, job.submitMillis());
    assertEquals(Set.of("node1", "node2"), job.tasks().stream().map(Task::host).collect(toSet()));
    assertEquals(13, job.tasks().size());
    assertEquals(
        253952 + 253434 + 253765 + 253583 + 548 + 318 + 620,
        job.tasks().stream().mapToLong(Task::outputBytes).sum());
    assertEquals(
        302594 + 302847 + 202021, job.tasks().stream().mapToLong(Task::scratchBytes).sum());
    assertTrue(
        job.tasks().stream()
            .anyMatch(
                task ->
                    task.startMillis() == 1795511820200L && task.finishMillis() == 1795511821367L),
        job::toString);
  }

  @Test
  void partsOfARollingLogAreReadInTheirOrder() throws IOException {
    List<String> lines = lines();
    Path folder = Files.createDirectory(temp.resolve("eventlog_v2_" + ID));
    Files.createFile(folder.resolve("appstatus_" + ID));
    Files.write(folder.resolve("events_2_" + ID), lines.subList(0, 5));
    Files.write(folder.resolve("events_10_" + ID), lines.subList(5, lines.size()));
    assertIsTheSort(only(temp));
    Files.write(folder.resolve("events_1_" + ID), List.of("of events that 2 has compacted"));
    Files.move(folder.resolve("events_2_" + ID), folder.resolve("events_2_" + ID + ".compact"));
    assertIsTheSort(only(folder));
  }

  @Test
  void aLogThatNoMemoryHoldsIsNotedAndTheOthersCount() throws IOException {
    Files.write(temp.resolve(ID), lines());
    String deep = "[".repeat(200_000);
    Files.write(
        temp.resolve("hostile"),
        List.of(
            lines().stream().filter(line -> line.contains("ApplicationStart")).findFirst().get(),
            "{\"Event\":\"SparkListenerTaskEnd\",\"deep\":" + deep + "]".repeat(200_000) + "}"));
    Run.of("plan", "--trace=" + temp).fine("1 jobs of 13 tasks", "StackOverflowError");
  }

  @Test
  void olderPartsThanACompactedOneAreLeftOut() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("eventlog_v2_" + ID));
    for (int part = 1; part <= 3; part++) {
      Files.write(folder.resolve("events_" + part + "_" + ID), List.of("of events compacted"));
    }
    Files.write(folder.resolve("events_3_" + ID + ".compact"), List.of("compacted once more"));
    Files.write(folder.resolve("events_4_" + ID + ".compact"), lines());
    assertIsTheSort(only(temp));
  }

  @Test
  void aRollingLogWithoutEventsHasNoBeginningYet() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("eventlog_v2_new"));
    Files.createFile(folder.resolve("appstatus_new.inprogress"));
    Run.of("plan", "--trace=" + temp).failed("neither .jhist");
    Files.write(temp.resolve(ID), lines());
    assertIsTheSort(only(temp));
  }

  @Test
  void theEndOfARunningLogMayBeTorn() throws IOException {
    List<String> lines = lines();
    String torn = lines.get(lines.size() - 2).substring(0, 300);
    List<String> begun = new ArrayList<>(lines.subList(0, lines.size() - 2));
    begun.add(torn);
    Path open = Files.write(temp.resolve(ID + ".inprogress"), begun);
    assertEquals(12, only(open).tasks().size());
    Files.write(open, List.of(lines.get(0)));
    Run.of("plan", "--trace=" + temp).failed("neither .jhist");
    Path ended = Files.write(temp.resolve(ID), begun);
    Run.of("plan", "--trace=" + ended).failed(ID + " cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {ID, "nightly-etl", "my_team_app_7.inprogress"})
  void aLogOfAnyIdIsReadFromItsFileOrItsFolder(String name) throws IOException {
    Path file = Files.write(temp.resolve(name), lines());
    assertIsTheSort(only(file));
    Files.writeString(temp.resolve("README"), "no log");
    assertIsTheSort(only(temp));
  }

  @Test
  void logsThatCannotBeReadAreLeftOutAndNamed() throws IOException {
    List<String> lines = lines();
    Files.write(temp.resolve(ID), lines);
    Files.createFile(temp.resolve("app-20260131220000-0001"));
    Files.writeString(temp.resolve("core"), "no log");
    Path torn = Files.write(temp.resolve("local-1"), lines.subList(0, lines.size() - 2));
    Files.writeString(torn, lines.get(lines.size() - 2).substring(0, 300), APPEND);
    assertIsTheSort(only(temp, "local-1 cannot be read"));
  }

  @Test
  void snappyIsReadWithHadoopsOwn() throws Exception {
    Path file = temp.resolve(ID + ".snappy");
    try (OutputStream out =
        Class.forName("org.xerial.snappy.SnappyOutputStream")
            .asSubclass(OutputStream.class)
            .getConstructor(OutputStream.class)
            .newInstance(Files.newOutputStream(file))) {
      out.write(String.join("\n", lines()).getBytes(StandardCharsets.UTF_8));
    }
    assertIsTheSort(only(file));
  }

  @Test
  void aCodecThatIsNotThereIsNamed() throws IOException {
    Files.writeString(temp.resolve(ID + ".lzf"), "LZF");
    Run.of("plan", "--trace=" + temp)
        .failed(
            "com.ning.compress.lzf.LZFInputStream is not on the class path", "HADOOP_CLASSPATH");
  }

  @ParameterizedTest
  @CsvSource({
    "application_1700000000000_0001, true",
    "application_1700000000000_0001_1, true",
    "application_1700000000000_0001_2.zstd.inprogress, true",
    "app-20260131220000-0001.lz4, true",
    "spark-0123456789abcdef0123456789abcdef.snappy, true",
    "job_1_0001-1772400000000-ann-sort-0.jhist, false",
    "application_1700000000000_0001.log.gz, false",
    "eventlog_v2_app/events_3_app.zstd, true",
    "eventlog_v2_app/appstatus_app.inprogress, true",
    "eventlog_v2_app/other, false",
    "t.json, false"
  })
  void logsAreKnownByTheirNames(String name, boolean log) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/logs/" + name);
    assertEquals(log, SparkEventLog.key(path).isPresent());
  }
}
