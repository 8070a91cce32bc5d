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
package io.temptier.bench.terasort;

import io.temptier.bench.cluster.JobResult;
import io.temptier.bench.cluster.PseudoCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs programs of Hadoop's examples, and kills the job of one that takes too long. */
final class Jobs {
  private static final Pattern PROGRESS = Pattern.compile("map \\d+% reduce \\d+%");
  private static final Pattern SUBMITTED = Pattern.compile("Running job: job_(\\d+_\\d+)");
  private static final int LAST_LINES = 20;

  private final PseudoCluster cluster;
  private final long deadlineSeconds;
  private final Consumer<String> progress;

  /**
   * Runs them on a cluster.
   *
   * @param progress hears what is being done
   */
  Jobs(PseudoCluster cluster, long deadlineSeconds, Consumer<String> progress) {
    this.cluster = cluster;
    this.deadlineSeconds = deadlineSeconds;
    this.progress = progress;
  }

  /**
   * A program's command line.
   *
   * @param properties of its job
   * @param arguments behind them
   */
  static String[] command(String program, Map<String, String> properties, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of(arguments));
    return command.toArray(String[]::new);
  }

  /** Runs one, under its own name. */
  JobResult run(String program, String first, String... rest)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, first));
    command.addAll(List.of(rest));
    return run(program, command.toArray(String[]::new));
  }

  /**
   * Runs one.
   *
   * @param name for people
   * @throws IOException when the cluster fails
   */
  JobResult run(String name, String[] command) throws IOException, InterruptedException {
    progress.accept(name);
    AtomicReference<String> application = new AtomicReference<>("");
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      ScheduledFuture<?> unused =
          timer.schedule(
              () -> kill(Objects.requireNonNullElse(application.get(), "")),
              deadlineSeconds,
              TimeUnit.SECONDS);
      return cluster.example(
          line -> {
            Matcher submitted = SUBMITTED.matcher(line);
            if (submitted.find()) {
              application.set("application_" + submitted.group(1));
            }
            Matcher matcher = PROGRESS.matcher(line);
            if (matcher.find()) {
              progress.accept(name + ": " + matcher.group());
            }
          },
          command);
    } finally {
      timer.shutdownNow();
    }
  }

  private void kill(String application) {
    try {
      cluster.kill(application);
    } catch (IOException e) {
      progress.accept("could not kill " + application + ": " + e.getMessage());
    } catch (InterruptedException e) {
      // The job has ended by itself.
      Thread.currentThread().interrupt();
    }
  }

  /** The end of what its client printed, without stack traces. */
  static String lastLines(JobResult job) {
    List<String> log = job.log().stream().filter(line -> !line.startsWith("\tat ")).toList();
    return String.join("\n", log.subList(Math.max(0, log.size() - LAST_LINES), log.size()));
  }
}
