// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.lab.cluster.HadoopCluster.Application;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Submits MapReduce programs as a user would, and asks the daemons how their jobs went. */
record JobClient(HadoopCluster cluster) {
  private static final Pattern SUBMITTED =
      Pattern.compile("Running job: (job_(?:local)?\\d+_\\d+)");

  /** Begins the id of a job whose tasks run in its client. */
  private static final String LOCAL = "job_local";

  private static final int HISTORY_TRIES = 100;
  private static final long HISTORY_PAUSE_MILLIS = 200;
  private static final long GRACE_SECONDS = 30;

  /**
   * Runs a program, and kills its job when it takes too long.
   *
   * @param output hears each line that the client prints
   */
  JobResult run(String name, long deadlineSeconds, Consumer<String> output, List<String> command)
      throws IOException, InterruptedException {
    ClientProcess ended =
        ClientProcess.run(
            cluster.client(command),
            deadlineSeconds,
            (client, log) -> {
              String late = lastJob(log);
              if (!late.isEmpty() && !late.startsWith(LOCAL)) {
                cluster.kill(late.replace("job_", "application_"));
                client.waitFor(1, TimeUnit.MINUTES);
              }
            },
            output);
    int code = ended.exitCode();
    String jobId = lastJob(ended.log());
    if (jobId.isEmpty()) {
      return unknown(name, "", ended, "NOT SUBMITTED");
    }
    if (jobId.startsWith(LOCAL)) {
      return unknown(name, jobId, ended, code == 0 ? "SUCCEEDED" : "FAILED");
    }
    try {
      return history(name, jobId, ended);
    } catch (IOException e) {
      if (code == 0) {
        throw e;
      }
      // An application master that is killed writes none.
      return unknown(name, jobId, ended, "NO HISTORY");
    }
  }

  private static String lastJob(List<String> lines) {
    return lines.stream()
        .map(SUBMITTED::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .reduce("", (one, next) -> next);
  }

  /**
   * Runs a program that submits many jobs. Nobody else may submit jobs meanwhile, for all new ones
   * are taken for its own. One that takes too long is asked to end, which gives it the time to kill
   * its jobs; then it is ended by force, and so is what it left running.
   *
   * @return also when it, or jobs of it, failed
   */
  static JobResult.Batch batch(
      PseudoCluster cluster, long deadlineSeconds, Consumer<String> output, List<String> command)
      throws IOException, InterruptedException {
    JobClient client = new JobClient(cluster);
    Set<String> before =
        cluster.applications().stream().map(Application::id).collect(Collectors.toSet());
    ClientProcess ended =
        ClientProcess.run(
            cluster.client(command),
            deadlineSeconds,
            (process, log) -> {
              process.destroy();
              process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
            },
            output);
    for (Application left : added(cluster, before)) {
      if (!left.ended()) {
        cluster.kill(left.id());
      }
    }
    List<Application> own = added(cluster, before);
    List<JobResult> jobs = new ArrayList<>();
    for (Application application : own) {
      jobs.add(client.job(application));
    }
    long first = own.isEmpty() ? 0 : own.get(0).startedTime();
    long last = own.stream().mapToLong(Application::finishedTime).max().orElse(0);
    double seconds = Math.max(0, (last - first) / 1e3);
    return new JobResult.Batch(ended.exitCode(), seconds, jobs, ended.log());
  }

  /** Applications that were not there before, in the order of their submission. */
  private static List<Application> added(PseudoCluster cluster, Set<String> before)
      throws IOException {
    return cluster.applications().stream()
        .filter(application -> !before.contains(application.id()))
        .sorted(Comparator.comparing(Application::startedTime).thenComparing(Application::id))
        .toList();
  }

  /**
   * Returns the result of a job of MapReduce that has ended; what the ResourceManager alone knows
   * of it where there is no history, as after a kill.
   */
  private JobResult job(Application application) throws InterruptedException {
    boolean fine = application.finalStatus().equals("SUCCEEDED");
    String id = application.jobId();
    ClientProcess ended = new ClientProcess(fine ? 0 : 1, application.seconds(), List.of());
    try {
      return history(application.name(), id, ended);
    } catch (IOException e) {
      String state = fine ? "NO HISTORY" : application.finalStatus();
      return unknown(application.name(), id, ended, state);
    }
  }

  private static JobResult unknown(String name, String jobId, ClientProcess ended, String state) {
    long failed = ended.log().stream().filter(line -> line.contains("Status : FAILED")).count();
    JsonNode job = JsonNodeFactory.instance.objectNode().put("failedMapAttempts", failed);
    return result(name, jobId, ended, state, job, Map.of());
  }

  private JobResult history(String name, String jobId, ClientProcess ended)
      throws IOException, InterruptedException {
    String url = cluster.historyUrl() + "/ws/v1/history/mapreduce/jobs/" + jobId;
    JsonNode job = ask(url).path("job");
    Map<String, Map<String, Long>> counters = new TreeMap<>();
    for (JsonNode group : ask(url + "/counters").path("jobCounters").path("counterGroup")) {
      Map<String, Long> values = new TreeMap<>();
      for (JsonNode counter : group.path("counter")) {
        values.put(counter.path("name").asText(), counter.path("totalCounterValue").asLong());
      }
      counters.put(group.path("counterGroupName").asText(), values);
    }
    return result(name, jobId, ended, job.path("state").asText(), job, counters);
  }

  /** Makes a result of a job's history, with zeros for what that lacks. */
  private static JobResult result(
      String name,
      String jobId,
      ClientProcess ended,
      String state,
      JsonNode job,
      Map<String, Map<String, Long>> counters) {
    return new JobResult(
        name,
        jobId,
        ended.exitCode(),
        ended.seconds(),
        secondsToEnd(job, "startTime"),
        secondsToEnd(job, "submitTime"),
        state,
        job.path("mapsTotal").asInt(),
        job.path("reducesTotal").asInt(),
        job.path("failedMapAttempts").asInt() + job.path("failedReduceAttempts").asInt(),
        job.path("killedMapAttempts").asInt() + job.path("killedReduceAttempts").asInt(),
        counters,
        ended.log());
  }

  private static double secondsToEnd(JsonNode job, String from) {
    return (job.path("finishTime").asLong() - job.path(from).asLong()) / 1e3;
  }

  /** The history file is moved into place shortly after the client hears of the job's end. */
  private JsonNode ask(String url) throws IOException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        return cluster.pages.json(url);
      } catch (IOException e) {
        if (i == HISTORY_TRIES) {
          throw e;
        }
        Thread.sleep(HISTORY_PAUSE_MILLIS);
      }
    }
  }
}
