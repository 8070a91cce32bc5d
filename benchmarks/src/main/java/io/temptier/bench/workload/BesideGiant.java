// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Setting;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Work that is measured alone, and beside a giant sort. Hadoop's Capacity scheduler has a queue for
 * each, so that neither waits for the other's containers: what the work is slower beside the sort
 * is then due to disks, cores and memory.
 */
public interface BesideGiant extends JobWorkload {
  /** The giant's queue. */
  String QUEUE = "large";

  /** The property of a job of MapReduce that names its queue. */
  String QUEUE_NAME = "mapreduce.job.queuename";

  TeraSort giant();

  /** What the giant may have of the node's memory, at most. */
  default int giantPercent() {
    return 60;
  }

  @Override
  default long blockBytes(Setting setting) {
    return giant().blockBytes(setting);
  }

  @Override
  default void configure(ClusterSpec spec, Setting setting) throws IOException {
    String scheduler = "yarn.scheduler.capacity.";
    spec.yarn(
            "yarn.resourcemanager.scheduler.class",
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler")
        .yarn(scheduler + "root.queues", "large,default")
        .yarn(scheduler + "maximum-am-resource-percent", "1.0")
        .yarn(scheduler + "root.large.capacity", Integer.toString(giantPercent()))
        .yarn(scheduler + "root.large.maximum-capacity", Integer.toString(giantPercent()))
        .yarn(scheduler + "root.default.capacity", Integer.toString(100 - giantPercent()))
        // What makes the input has the node for itself.
        .yarn(scheduler + "root.default.maximum-capacity", "100")
        // One user may have all of a queue.
        .yarn(scheduler + "root.large.user-limit-factor", "10")
        .yarn(scheduler + "root.default.user-limit-factor", "10");
  }

  /** Starts the sort into such a folder, and waits until its maps are at work. */
  default BackgroundJob<JobResult> startGiant(TrialRun trial, String to)
      throws InterruptedException {
    Map<String, String> queue = Map.of(QUEUE_NAME, QUEUE);
    BackgroundJob<JobResult> background =
        BackgroundJob.start(
            BackgroundJob.AT_WORK, output -> giant().sort(trial, queue, output, TeraSort.IN, to));
    background.begun().await();
    return background;
  }

  /**
   * A job that runs while others are measured, on a thread of its own.
   *
   * @param begun once its client has printed what was waited for, or it has ended
   * @param application its id, once it is submitted
   */
  record BackgroundJob<R>(
      FutureTask<R> task, CountDownLatch begun, AtomicReference<String> application) {
    /** Its maps are. */
    static final Pattern AT_WORK = Pattern.compile("map (?!0%)\\d+% reduce");

    private static final Pattern SUBMITTED = Pattern.compile("Running job: job_(\\d+_\\d+)");

    public interface Program<R> {
      /**
       * Runs it to its end.
       *
       * @param output hears each line that its client prints
       */
      R run(Consumer<String> output) throws IOException, InterruptedException;
    }

    public static <R> BackgroundJob<R> start(Pattern until, Program<R> program) {
      CountDownLatch begun = new CountDownLatch(1);
      AtomicReference<String> application = new AtomicReference<>("");
      Consumer<String> hear =
          line -> {
            Matcher submitted = SUBMITTED.matcher(line);
            if (submitted.find()) {
              application.set("application_" + submitted.group(1));
            }
            if (until.matcher(line).find()) {
              begun.countDown();
            }
          };
      FutureTask<R> task =
          new FutureTask<>(() -> program.run(hear)) {
            @Override
            protected void done() {
              begun.countDown();
            }
          };
      Thread thread = new Thread(task, "background-job");
      thread.setDaemon(true);
      thread.start();
      return new BackgroundJob<>(task, begun, application);
    }

    public boolean running() {
      return !task.isDone();
    }

    public R result() throws IOException, InterruptedException {
      try {
        return task.get();
      } catch (ExecutionException e) {
        throw new IOException("the job in the background could not be run: " + e.getCause(), e);
      }
    }
  }
}
