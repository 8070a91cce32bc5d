// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Plan;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.TeraRows;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Runs MapReduce programs, and kills the job of one that takes too long. Thread safe.
 *
 * @param folder of all files in the cluster's file system, with a slash at its end
 * @param deadlineSeconds after which a job is killed
 * @param prefix what is in front of what they say of their progress
 * @param made the rows of each folder
 */
public record Jobs(
    HadoopCluster cluster,
    String folder,
    long deadlineSeconds,
    ExperimentRun run,
    String prefix,
    Map<String, TeraRows> made) {
  private static final Pattern ENDED = Pattern.compile("\\(job_\\d+_\\d+\\) (success|failure)");

  static Jobs on(HadoopCluster cluster, String folder, Plan plan, ExperimentRun run) {
    long deadlineSeconds = plan.experiment().bounds().deadlineSeconds();
    return new Jobs(cluster, folder, deadlineSeconds, run, "", new ConcurrentHashMap<>());
  }

  Jobs named(String name) {
    return new Jobs(cluster, folder, deadlineSeconds, run, name + ": ", made);
  }

  /** The cluster, which nobody else uses: see {@link JobWorkload#anyCluster}. */
  public PseudoCluster ownCluster() {
    return (PseudoCluster) cluster;
  }

  private void progress(String what) {
    run.progress(prefix + what);
  }

  /** Notes in the report what its reader needs to know. */
  public void note(String what, String value) throws IOException {
    run.note(prefix + what, value);
  }

  /** Where a file or folder of the run's lies in the cluster's file system. */
  public String path(String name) {
    return folder + name;
  }

  /** Removes what a pattern of paths matches. */
  void remove(String pattern) throws IOException, InterruptedException {
    cluster.fs("-rm", "-r", "-f", "-skipTrash", pattern);
  }

  /** Makes rows to sort, which are not measured. */
  public void makeRows(long rows, int files, String name) throws IOException, InterruptedException {
    JobResult teragen = example(line -> {}, TeraRows.teragen(cluster, rows, files, path(name)));
    made.put(name, TeraRows.madeBy(teragen));
  }

  /** Whether a sort's output has all rows of its input, and in order; what it has not is said. */
  public boolean sorted(String input, String output) throws IOException, InterruptedException {
    TeraRows rows = Objects.requireNonNull(made.get(input), input);
    String fault = rows.fault(cluster, command -> example(line -> {}, command), output);
    if (!fault.isEmpty()) {
      progress(output + " is wrong: " + fault);
    }
    return fault.isEmpty();
  }

  /**
   * Runs a program of Hadoop's examples, such as {@code terasort}.
   *
   * @param output hears each line that its client prints
   * @return also when it failed
   */
  public JobResult example(Consumer<String> output, String... command)
      throws IOException, InterruptedException {
    return program(command[0], output, HadoopCluster.EXAMPLES, command);
  }

  /**
   * Runs any program on the cluster's class path.
   *
   * @return of the last job it submitted, also when it failed
   */
  public JobResult program(
      String name, Consumer<String> output, String mainClass, String... arguments)
      throws IOException, InterruptedException {
    progress(name);
    Consumer<String> heard = output.andThen(HadoopCluster.progress(name, this::progress));
    return cluster.program(name, deadlineSeconds, heard, mainClass, arguments);
  }

  /**
   * Runs a program that submits many jobs. It is ended, with its jobs, when all of it takes too
   * long.
   *
   * @return also when it, or jobs of it, failed
   */
  public JobResult.Batch batch(String name, String mainClass, String... arguments)
      throws IOException, InterruptedException {
    progress(name);
    AtomicInteger ended = new AtomicInteger();
    return ownCluster()
        .batch(
            deadlineSeconds,
            line -> {
              if (ENDED.matcher(line).find()) {
                progress(name + ": jobs that ended: " + ended.incrementAndGet());
              }
            },
            mainClass,
            arguments);
  }
}
