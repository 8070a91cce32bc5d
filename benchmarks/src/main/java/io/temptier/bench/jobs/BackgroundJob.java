// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A job that runs while others are measured, on a thread of its own. */
public final class BackgroundJob {
  private static final Pattern AT_WORK = Pattern.compile("map (?!0%)\\d+% reduce");

  private final CountDownLatch begun = new CountDownLatch(1);
  private final FutureTask<JobResult> task;

  private BackgroundJob(Program program) {
    this.task = new FutureTask<>(() -> run(program));
  }

  public interface Program {
    /**
     * Runs it to its end.
     *
     * @param output hears each line that its client prints
     */
    JobResult run(Consumer<String> output) throws IOException, InterruptedException;
  }

  public static BackgroundJob start(Program program) {
    BackgroundJob job = new BackgroundJob(program);
    Thread thread = new Thread(job.task, "background-job");
    thread.setDaemon(true);
    thread.start();
    return job;
  }

  private JobResult run(Program program) throws IOException, InterruptedException {
    try {
      return program.run(this::hear);
    } finally {
      begun.countDown();
    }
  }

  private void hear(String line) {
    if (AT_WORK.matcher(line).find()) {
      begun.countDown();
    }
  }

  /** Waits until its maps are at work, or it has ended. */
  public void awaitWork() throws InterruptedException {
    begun.await();
  }

  /** Whether it has not ended. */
  public boolean running() {
    return !task.isDone();
  }

  /** Waits until it has ended. */
  public JobResult result() throws IOException, InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IOException("the job in the background could not be run: " + e.getCause(), e);
    }
  }
}
