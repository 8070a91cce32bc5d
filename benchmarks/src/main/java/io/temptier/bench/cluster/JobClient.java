// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Submits MapReduce programs as a user would, and asks the JobHistoryServer how they went. */
final class JobClient {
  private static final Pattern SUBMITTED =
      Pattern.compile("Running job: (job_(?:local)?\\d+_\\d+)");

  /** Begins the id of a job whose tasks run in its client. */
  private static final String LOCAL = "job_local";

  private static final int HISTORY_TRIES = 100;
  private static final long HISTORY_PAUSE_MILLIS = 200;

  private final Function<List<String>, ProcessBuilder> jvm;
  private final Rest rest;
  private final String historyUrl;

  /**
   * For a cluster.
   *
   * @param jvm makes of a main class and its arguments a process with the cluster's configuration
   */
  JobClient(Function<List<String>, ProcessBuilder> jvm, Rest rest, String historyUrl) {
    this.jvm = jvm;
    this.rest = rest;
    this.historyUrl = historyUrl;
  }

  /**
   * Runs a program.
   *
   * @param name for people
   * @param output hears each line that the client prints
   * @param command its main class and arguments
   */
  JobResult run(String name, Consumer<String> output, List<String> command)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process = jvm.apply(command).redirectErrorStream(true).start();
    List<String> lines = new ArrayList<>();
    String jobId = "";
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        lines.add(line);
        Matcher matcher = SUBMITTED.matcher(line);
        if (matcher.find()) {
          jobId = matcher.group(1);
        }
        output.accept(line);
      }
      int code = process.waitFor();
      double seconds = (System.nanoTime() - start) / 1e9;
      if (jobId.isEmpty()) {
        return unknown(name, "", code, seconds, "NOT SUBMITTED", lines);
      }
      if (jobId.startsWith(LOCAL)) {
        return unknown(name, jobId, code, seconds, code == 0 ? "SUCCEEDED" : "FAILED", lines);
      }
      try {
        return history(name, jobId, code, seconds, lines);
      } catch (IOException e) {
        if (code == 0) {
          throw e;
        }
        // An application master that is killed writes none.
        return unknown(name, jobId, code, seconds, "NO HISTORY", lines);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * What came of a job of MapReduce that has ended; what the ResourceManager alone knows of it
   * where there is no history, as after a kill.
   */
  JobResult job(Application application) throws InterruptedException {
    boolean fine = application.finalStatus().equals("SUCCEEDED");
    int code = fine ? 0 : 1;
    String id = application.jobId();
    try {
      return history(application.name(), id, code, application.seconds(), List.of());
    } catch (IOException e) {
      String state = fine ? "NO HISTORY" : application.finalStatus();
      return unknown(application.name(), id, code, application.seconds(), state, List.of());
    }
  }

  /** What the client alone knows of a job. */
  private static JobResult unknown(
      String name, String jobId, int code, double seconds, String state, List<String> lines) {
    int failed = (int) lines.stream().filter(line -> line.contains("Status : FAILED")).count();
    return new JobResult(name, jobId, code, seconds, 0, 0, state, 0, 0, failed, 0, Map.of(), lines);
  }

  private JobResult history(String name, String jobId, int code, double seconds, List<String> lines)
      throws IOException, InterruptedException {
    String url = historyUrl + "/ws/v1/history/mapreduce/jobs/" + jobId;
    JsonNode job = ask(url).path("job");
    Map<String, Map<String, Long>> counters = new TreeMap<>();
    for (JsonNode group : ask(url + "/counters").path("jobCounters").path("counterGroup")) {
      Map<String, Long> values = new TreeMap<>();
      for (JsonNode counter : group.path("counter")) {
        values.put(counter.path("name").asText(), counter.path("totalCounterValue").asLong());
      }
      counters.put(group.path("counterGroupName").asText(), values);
    }
    return new JobResult(
        name,
        jobId,
        code,
        seconds,
        secondsToEnd(job, "startTime"),
        secondsToEnd(job, "submitTime"),
        job.path("state").asText(),
        job.path("mapsTotal").asInt(),
        job.path("reducesTotal").asInt(),
        job.path("failedMapAttempts").asInt() + job.path("failedReduceAttempts").asInt(),
        job.path("killedMapAttempts").asInt() + job.path("killedReduceAttempts").asInt(),
        counters,
        lines);
  }

  private static double secondsToEnd(JsonNode job, String from) {
    return (job.path("finishTime").asLong() - job.path(from).asLong()) / 1e3;
  }

  /** The history file is moved into place shortly after the client hears of the job's end. */
  private JsonNode ask(String url) throws IOException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        return rest.get(url);
      } catch (IOException e) {
        if (i == HISTORY_TRIES) {
          throw e;
        }
        Thread.sleep(HISTORY_PAUSE_MILLIS);
      }
    }
  }
}
