// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs a program that submits many MapReduce jobs, and asks the daemons how each of them went.
 *
 * <p>One that takes too long is asked to end, which gives it the time to kill its jobs; then it is
 * ended by force, and so is what it left running.
 */
final class BatchClient {
  private static final long GRACE_SECONDS = 30;
  private static final int STOPPED = -1;

  private final PseudoCluster cluster;
  private final JobClient history;

  BatchClient(PseudoCluster cluster, JobClient history) {
    this.cluster = cluster;
    this.history = history;
  }

  /**
   * Runs one. Nobody else may submit jobs meanwhile, for all new ones are taken for its own.
   *
   * @param deadlineSeconds after which it is ended
   * @param output hears each line that it prints
   * @param command its main class and arguments
   * @return also when it, or jobs of it, failed
   * @throws IOException when it cannot be started, or the ResourceManager does not answer
   */
  BatchResult run(long deadlineSeconds, Consumer<String> output, List<String> command)
      throws IOException, InterruptedException {
    Set<String> before =
        cluster.applications().stream().map(Application::id).collect(Collectors.toSet());
    Process process = cluster.client(command).redirectErrorStream(true).start();
    AtomicBoolean stopped = new AtomicBoolean();
    Thread watch = new Thread(() -> stop(process, deadlineSeconds, stopped), "batch-deadline");
    watch.setDaemon(true);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      watch.start();
      String line;
      while ((line = reader.readLine()) != null) {
        lines.add(line);
        output.accept(line);
      }
      int code = process.waitFor();
      List<Application> own = applications(before);
      for (Application left : own) {
        if (!left.ended()) {
          cluster.kill(left.id());
        }
      }
      return result(stopped.get() ? STOPPED : code, applications(before), lines);
    } finally {
      watch.interrupt();
      process.destroyForcibly();
    }
  }

  private static void stop(Process process, long deadlineSeconds, AtomicBoolean stopped) {
    try {
      if (!process.waitFor(deadlineSeconds, TimeUnit.SECONDS)) {
        stopped.set(true);
        process.destroy();
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      // It has ended by itself.
      Thread.currentThread().interrupt();
    }
  }

  private List<Application> applications(Set<String> before) throws IOException {
    return cluster.applications().stream()
        .filter(application -> !before.contains(application.id()))
        .sorted(Comparator.comparing(Application::startedMillis).thenComparing(Application::id))
        .toList();
  }

  private BatchResult result(int code, List<Application> own, List<String> lines)
      throws InterruptedException {
    List<JobResult> jobs = new ArrayList<>();
    for (Application application : own) {
      jobs.add(history.job(application));
    }
    double seconds =
        own.isEmpty()
            ? 0
            : (own.stream().mapToLong(Application::finishedMillis).max().orElse(0)
                    - own.get(0).startedMillis())
                / 1e3;
    return new BatchResult(code, Math.max(0, seconds), jobs, lines);
  }
}
