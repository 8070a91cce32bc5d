// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.experiment.Workload;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.node.NodeCluster;
import io.temptier.tier.text.Sizes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/**
 * Hadoop's Gridmix replays a trace. What is compared is the time from the submission of the first
 * job to the end of the last.
 *
 * @param trace of a run that has begun its file, absolute. Before that one of those that come with
 *     the benchmarks, by its name, or a file of Rumen's TraceBuilder (JSON, also .gz)
 * @param summary of the trace, all of whose jobs Gridmix can replay; null before it is known
 */
public record GridmixReplay(String trace, long block, TraceSummary summary) implements JobWorkload {
  /** As a multiple of map outputs: they, and beside them what reducers fetched or merged. */
  private static final double TEMP_FACTOR = 2.1;

  /** Checksums, and jobs' own files. */
  private static final double HDFS_FACTOR = 1.1;

  /** Less would say that tasks did not write what the trace has. */
  private static final double LEAST_SHARE = 0.9;

  private static final String MAIN = "org.apache.hadoop.mapred.gridmix.Gridmix";

  /** The next job is submitted when there are fewer than so many: the node always has work. */
  private static final String POLICY = "STRESS";

  /** Its folder in HDFS; the input is in {@code input} below it. */
  private static final String IO_PATH = "/gridmix";

  /**
   * Under {@value #POLICY} Gridmix submits no job while five others with reduces run: on YARN it
   * takes every node for one with two slots for reduces, and wants 2.5 times as many tasks.
   */
  private static final int MOST_JOBS_AT_ONCE = 5;

  private static final int TASKS_OF_A_JOB = 3;
  private static final int LEAST_JOBS = 2;
  private static final double MIB = 1 << 20;
  private static final String FAILED_JOBS = "failed-jobs";
  private static final String MEAN_JOB = "mean-job-seconds";
  private static final String SHUFFLED = "shuffled-mib";
  private static final String LOCAL = "local-mib";

  public GridmixReplay {
    summary = summary == null ? TraceSummary.NOTHING : summary;
  }

  /** With what Gridmix replays of the trace in the run's folder. */
  @Override
  public Workload begun(Plan plan, Path folder) throws IOException {
    Path copy = folder.resolve("trace.json");
    TraceSummary known = TraceSummary.copyReplayable(trace, copy);
    if (known.jobs() == 0) {
      throw new IOException(trace + " has no job that succeeded and had maps");
    }
    return new GridmixReplay(copy.toString(), block, known);
  }

  @Override
  public String title(Setting setting) {
    return "Gridmix replays " + summary + ", at most " + jobsAtOnce(setting) + " jobs at once";
  }

  /** So many that every task the node can run has work, and no more than Gridmix allows itself. */
  int jobsAtOnce(Setting setting) {
    int enough = (setting.tasks() + TASKS_OF_A_JOB - 1) / TASKS_OF_A_JOB;
    return Math.min(MOST_JOBS_AT_ONCE, Math.max(LEAST_JOBS, enough));
  }

  @Override
  public Volume volume() {
    long input = Math.max(block, summary().inputBytes());
    long most = summary().largestShuffleBytes() * MOST_JOBS_AT_ONCE;
    return new Volume(
        input,
        (long) ((input + summary().resultBytes()) * HDFS_FACTOR),
        (long) (Math.min(summary().shuffleBytes(), most) * TEMP_FACTOR));
  }

  @Override
  public long blockBytes(Setting setting) {
    return block;
  }

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(FAILED_JOBS, "failed jobs"),
        new Figure(MEAN_JOB, "mean job, s"),
        new Figure(SHUFFLED, "map outputs, MiB"),
        new Figure(LOCAL, "written to local dirs, MiB"));
  }

  @Override
  public void configure(ClusterSpec spec, Setting setting) {
    spec.nodeMemoryMiB(NodeCluster.memoryMiB(setting.tasks(), jobsAtOnce(setting)));
  }

  /** Gridmix makes data only where it has a trace to replay on it: here one without a job. */
  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    Path none = Path.of(trace).resolveSibling("no-jobs.json");
    Files.writeString(none, "");
    List<String> arguments =
        List.of("-generate", Long.toString(volume().input()), IO_PATH, "" + none.toUri());
    JobResult.Batch made =
        jobs.batch(
            "gridmix -generate",
            MAIN,
            HadoopCluster.arguments(
                properties(setting, IO_PATH + "/none"), arguments.toArray(String[]::new)));
    if (made.exitCode() != 0 || !made.jobs().stream().allMatch(JobResult::succeeded)) {
      throw new IOException(
          "gridmix -generate ended with " + made.exitCode() + ": " + made.lastLines());
    }
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    JobResult.Batch batch =
        trial
            .jobs()
            .batch(
                "gridmix",
                MAIN,
                HadoopCluster.arguments(
                    trial.properties(properties(trial.setting(), trial.output())),
                    IO_PATH,
                    Path.of(trace).toUri().toString()));
    return outcome(batch);
  }

  /**
   * How Gridmix is run: its jobs do what the trace says with bytes, and are otherwise set up as
   * this node is and not as that of the trace was.
   */
  private Map<String, String> properties(Setting setting, String output) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("gridmix.job-submission.policy", POLICY);
    properties.put("gridmix.output.directory", output);
    properties.put("gridmix.throttle.jobs-to-tracker-ratio", Integer.toString(jobsAtOnce(setting)));
    // In the order of the trace.
    properties.put("gridmix.client.submit.threads", "1");
    // Its default takes no file below 128 MiB for input.
    properties.put("gridmix.min.file.size", "1");
    properties.put("gridmix.gen.bytes.per.file", Long.toString(block));
    properties.put("gridmix.gen.blocksize", Long.toString(block));
    properties.put("gridmix.gen.replicas", "1");
    // Plain bytes: what is compressed would be smaller on disk than the trace says.
    for (String emulated : List.of("compression", "distributed-cache", "highram")) {
      properties.put("gridmix." + emulated + "-emulation.enable", "false");
    }
    properties.put("gridmix.task.jvm-options.enable", "false");
    return properties;
  }

  TrialOutcome outcome(JobResult.Batch batch) {
    long failed = batch.jobs().stream().filter(job -> !job.succeeded()).count();
    long missing = Math.max(0, summary().jobs() - batch.jobs().size());
    double shuffled =
        batch.counter("org.apache.hadoop.mapreduce.TaskCounter", "MAP_OUTPUT_MATERIALIZED_BYTES");
    double local =
        batch.counter("org.apache.hadoop.mapreduce.FileSystemCounter", "FILE_BYTES_WRITTEN");
    TrialOutcome all =
        TrialOutcome.of(
            batch.jobs(),
            batch.seconds(),
            Map.of(
                FAILED_JOBS,
                (double) (failed + missing),
                MEAN_JOB,
                batch.jobs().stream().mapToDouble(JobResult::jobSeconds).average().orElse(0),
                SHUFFLED,
                shuffled / MIB,
                LOCAL,
                local / MIB));
    if (failed + missing > 0) {
      return all.failed((failed + missing) + " OF " + summary().jobs() + " JOBS FAILED");
    }
    return all.failedUnless(batch.exitCode() == 0, "GRIDMIX ENDED WITH " + batch.exitCode())
        .failedUnless(
            shuffled >= summary().shuffleBytes() * LEAST_SHARE,
            Math.round(shuffled / MIB)
                + " MIB OF "
                + Math.round(summary().shuffleBytes() / MIB)
                + " SHUFFLED");
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("-ls"));
    for (int i = 0; i < summary().jobs(); i++) {
      command.add(trial.output() + "/" + i + "/_SUCCESS");
    }
    try {
      trial.jobs().cluster().fs(command.toArray(String[]::new));
      return true;
    } catch (IOException e) {
      // One of them is missing.
      return false;
    }
  }

  /** How much there is to do in a trace. */
  record TraceSummary(
      int jobs,
      int maps,
      int reduces,
      long inputBytes,
      long shuffleBytes,
      long resultBytes,
      long largestShuffleBytes) {
    static final TraceSummary NOTHING = new TraceSummary(0, 0, 0, 0, 0, 0, 0);

    /**
     * Copies the jobs that Gridmix replays, those that succeeded and had maps, and sums them up.
     */
    static TraceSummary copyReplayable(String from, Path to) throws IOException {
      TraceSummary sum = NOTHING;
      boolean gzipped = from.toLowerCase(Locale.ROOT).endsWith(".gz");
      try (InputStream raw = new BufferedInputStream(Experiments.file(from));
          InputStream text = gzipped ? new GZIPInputStream(raw) : raw;
          MappingIterator<JsonNode> jobs =
              new ObjectMapper().readerFor(JsonNode.class).readValues(text);
          Writer out = Files.newBufferedWriter(to)) {
        while (jobs.hasNextValue()) {
          JsonNode job = jobs.nextValue();
          if (job.path("outcome").asText().equals("SUCCESS") && job.path("totalMaps").asInt() > 0) {
            out.append(job.toString()).append('\n');
            sum = sum.and(job);
          }
        }
      } catch (IOException e) {
        throw new IOException(
            from + " cannot be read as JSON of Rumen's TraceBuilder: " + e.getMessage(), e);
      }
      return sum;
    }

    /** This and a job as Rumen has it; of a task counts the attempt that succeeded. */
    private TraceSummary and(JsonNode job) {
      List<JsonNode> mapTasks = succeeded(job.path("mapTasks"));
      List<JsonNode> reduceTasks = succeeded(job.path("reduceTasks"));
      long input = sum(mapTasks, "hdfsBytesRead");
      long fetched = sum(reduceTasks, "reduceShuffleBytes");
      // Without reduces the output is the job's, in HDFS; where outputs are compressed, less is
      // fetched.
      long shuffle = reduceTasks.isEmpty() ? 0 : sum(mapTasks, "mapOutputBytes");
      shuffle = fetched > 0 ? Math.min(fetched, shuffle) : shuffle;
      long result = sum(mapTasks, "hdfsBytesWritten") + sum(reduceTasks, "hdfsBytesWritten");
      return new TraceSummary(
          jobs + 1,
          maps + mapTasks.size(),
          reduces + reduceTasks.size(),
          inputBytes + input,
          shuffleBytes + shuffle,
          resultBytes + result,
          Math.max(largestShuffleBytes, shuffle));
    }

    private static List<JsonNode> succeeded(JsonNode tasks) {
      List<JsonNode> succeeded = new ArrayList<>();
      for (JsonNode task : tasks) {
        StreamSupport.stream(task.path("attempts").spliterator(), false)
            .filter(attempt -> attempt.path("result").asText().equals("SUCCESS"))
            .findFirst()
            .ifPresent(succeeded::add);
      }
      return succeeded;
    }

    /** What Rumen does not know it writes as -1. */
    private static long sum(List<JsonNode> attempts, String name) {
      return attempts.stream().mapToLong(each -> Math.max(0, each.path(name).asLong())).sum();
    }

    @Override
    public String toString() {
      return "%s of %s maps and %s reduces, %s in, %s shuffled, %s out"
          .formatted(
              jobs + (jobs == 1 ? " job" : " jobs"),
              maps,
              reduces,
              Sizes.format(inputBytes),
              Sizes.format(shuffleBytes),
              Sizes.format(resultBytes));
    }
  }
}
