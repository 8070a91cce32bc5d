// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Hadoop's client programs against one cluster, each in a JVM of its own. Thread safe. */
final class Clients {
  private static final String FS_SHELL = "org.apache.hadoop.fs.FsShell";
  private static final String APPLICATION_CLI = "org.apache.hadoop.yarn.client.cli.ApplicationCLI";

  private final Function<List<String>, ProcessBuilder> jvm;
  private final Path logs;
  private final JobClient jobs;

  /**
   * For a cluster.
   *
   * @param jvm makes of a main class and its arguments a process with the cluster's configuration
   * @param logs the folder of their logs, which is there
   * @param historyUrl of the JobHistoryServer
   */
  Clients(Function<List<String>, ProcessBuilder> jvm, Path logs, Rest rest, String historyUrl) {
    this.jvm = jvm;
    this.logs = logs;
    this.jobs = new JobClient(jvm, rest, historyUrl);
  }

  /** See {@link HadoopCluster}. */
  JobResult program(String name, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    return jobs.run(name, output, command(mainClass, args));
  }

  /** See {@link PseudoCluster#batch}. */
  BatchResult batch(
      PseudoCluster cluster,
      long deadlineSeconds,
      Consumer<String> output,
      String mainClass,
      String... args)
      throws IOException, InterruptedException {
    return new BatchClient(cluster, jobs).run(deadlineSeconds, output, command(mainClass, args));
  }

  /** See {@link HadoopCluster}. */
  void fs(String... args) throws IOException, InterruptedException {
    Path log = Files.createTempFile(logs, "fs-", ".log");
    int code = run(log, command(FS_SHELL, args));
    if (code != 0) {
      throw new IOException(
          "hdfs dfs "
              + String.join(" ", args)
              + " ended with "
              + code
              + ":\n"
              + Files.readString(log));
    }
  }

  /** See {@link HadoopCluster}. */
  InputStream cat(String glob) throws IOException {
    Path errors = Files.createTempFile(logs, "cat-", ".log");
    return jvm.apply(command(FS_SHELL, "-cat", glob))
        .redirectError(errors.toFile())
        .start()
        .getInputStream();
  }

  /** See {@link HadoopCluster}. */
  void kill(String id) throws IOException, InterruptedException {
    int unused =
        run(
            Files.createTempFile(logs, "kill-", ".log"),
            command(APPLICATION_CLI, "application", "-kill", id));
  }

  /** Runs one to its end, and returns its exit code. */
  private int run(Path log, List<String> command) throws IOException, InterruptedException {
    Process process =
        jvm.apply(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> command(String mainClass, String... args) {
    List<String> command = new ArrayList<>(List.of(mainClass));
    command.addAll(List.of(args));
    return command;
  }
}
