/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.JobResult;
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

  /** What runs it. */
  public interface Program {
    /**
     * Runs it to its end.
     *
     * @param output hears each line that its client prints
     */
    JobResult run(Consumer<String> output) throws IOException, InterruptedException;
  }

  /** Starts one. */
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

  /**
   * Waits until it has ended.
   *
   * @throws IOException when the cluster failed
   */
  public JobResult result() throws IOException, InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IOException("the job in the background could not be run: " + e.getCause(), e);
    }
  }
}
