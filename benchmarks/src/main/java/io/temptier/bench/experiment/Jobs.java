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

import io.temptier.bench.cluster.BatchResult;
import io.temptier.bench.cluster.HadoopCluster;
import io.temptier.bench.cluster.JobResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs MapReduce programs, and kills the job of one that takes too long. Thread safe. */
public final class Jobs {
  private static final String EXAMPLES = "org.apache.hadoop.examples.ExampleDriver";
  private static final Pattern PROGRESS = Pattern.compile("map \\d+% reduce \\d+%");
  private static final Pattern SUBMITTED = Pattern.compile("Running job: job_(\\d+_\\d+)");
  private static final Pattern ENDED = Pattern.compile("\\(job_\\d+_\\d+\\) (success|failure)");
  private static final int LAST_LINES = 20;

  private final HadoopCluster cluster;
  private final String folder;
  private final long deadlineSeconds;
  private final Consumer<String> progress;

  /**
   * Runs them on a cluster.
   *
   * @param folder of all files in the cluster's file system, with a slash at its end
   * @param progress hears what is being done
   */
  Jobs(HadoopCluster cluster, String folder, long deadlineSeconds, Consumer<String> progress) {
    this.cluster = cluster;
    this.folder = folder;
    this.deadlineSeconds = deadlineSeconds;
    this.progress = progress;
  }

  /** These, with something in front of what they say of their progress. */
  Jobs named(String prefix) {
    return new Jobs(
        cluster, folder, deadlineSeconds, line -> progress.accept(prefix + ": " + line));
  }

  /** Where a file or folder of the run's lies in the cluster's file system. */
  public String path(String name) {
    return folder + name;
  }

  /** After so many seconds a job is killed. */
  public long deadlineSeconds() {
    return deadlineSeconds;
  }

  /**
   * Arguments of a program that takes properties as {@code -Dkey=value} before its own.
   *
   * @param properties of its job
   * @param own behind them
   */
  public static String[] arguments(Map<String, String> properties, String... own) {
    List<String> arguments = new ArrayList<>();
    properties.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
    arguments.addAll(List.of(own));
    return arguments.toArray(String[]::new);
  }

  /**
   * Runs a program of Hadoop's examples, such as {@code terasort}.
   *
   * @return also when it failed
   * @throws IOException when the cluster fails
   */
  public JobResult example(String program, String... arguments)
      throws IOException, InterruptedException {
    return example(line -> {}, program, arguments);
  }

  /**
   * As {@link #example(String, String...)}.
   *
   * @param output hears each line that its client prints
   */
  public JobResult example(Consumer<String> output, String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    return program(program, output, EXAMPLES, command.toArray(String[]::new));
  }

  /**
   * Runs any program on the cluster's class path.
   *
   * @param name for people
   * @param output hears each line that it prints
   * @return of the last job it submitted, also when it failed
   * @throws IOException when the cluster fails
   */
  public JobResult program(
      String name, Consumer<String> output, String mainClass, String... arguments)
      throws IOException, InterruptedException {
    progress.accept(name);
    AtomicReference<String> application = new AtomicReference<>("");
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      ScheduledFuture<?> unused =
          timer.schedule(
              () -> kill(Objects.requireNonNullElse(application.get(), "")),
              deadlineSeconds,
              TimeUnit.SECONDS);
      return cluster.program(
          name,
          line -> {
            output.accept(line);
            Matcher submitted = SUBMITTED.matcher(line);
            if (submitted.find()) {
              application.set("application_" + submitted.group(1));
            }
            Matcher matcher = PROGRESS.matcher(line);
            if (matcher.find()) {
              progress.accept(name + ": " + matcher.group());
            }
          },
          mainClass,
          arguments);
    } finally {
      timer.shutdownNow();
    }
  }

  /**
   * Runs a program that submits many jobs. It is ended, with its jobs, when all of it takes too
   * long.
   *
   * @param name for people
   * @return also when it, or jobs of it, failed
   * @throws IOException when the cluster fails
   */
  public BatchResult batch(String name, String mainClass, String... arguments)
      throws IOException, InterruptedException {
    progress.accept(name);
    AtomicInteger ended = new AtomicInteger();
    return cluster.batch(
        deadlineSeconds,
        line -> {
          if (ENDED.matcher(line).find()) {
            progress.accept(name + ": jobs that ended: " + ended.incrementAndGet());
          }
        },
        mainClass,
        arguments);
  }

  private void kill(String application) {
    if (application.isEmpty()) {
      progress.accept("too late, and no job was submitted");
      return;
    }
    try {
      cluster.kill(application);
    } catch (IOException e) {
      progress.accept("could not kill " + application + ": " + e.getMessage());
    } catch (InterruptedException e) {
      // The job has ended by itself.
      Thread.currentThread().interrupt();
    }
  }

  /** The end of what a job's client printed, without stack traces. */
  public static String lastLines(JobResult job) {
    return lastLines(job.log());
  }

  /** The end of what a client printed, without stack traces. */
  public static String lastLines(List<String> lines) {
    List<String> log = lines.stream().filter(line -> !line.startsWith("\tat ")).toList();
    return String.join("\n", log.subList(Math.max(0, log.size() - LAST_LINES), log.size()));
  }
}
