// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A cluster that programs are submitted to, as any client does: each in a JVM of its own. Thread
 * safe.
 */
public abstract class HadoopCluster {
  /** The main class of Hadoop's examples. */
  public static final String EXAMPLES = "org.apache.hadoop.examples.ExampleDriver";

  private static final String FS_SHELL = "org.apache.hadoop.fs.FsShell";
  private static final String APPLICATION_CLI = "org.apache.hadoop.yarn.client.cli.ApplicationCLI";

  final WebPages pages;

  HadoopCluster(WebPages pages) {
    this.pages = pages;
  }

  /** A client program of Hadoop, main class first, with the cluster's configuration. */
  abstract ProcessBuilder client(List<String> command);

  /** The same with more options of its JVM, and another class path than the cluster's. */
  final ProcessBuilder client(
      List<String> command, List<String> options, UnaryOperator<String> classPath) {
    ProcessBuilder builder = client(command);
    List<String> line = builder.command();
    int path = line.indexOf("-cp");
    line.set(path + 1, classPath.apply(line.get(path + 1)));
    line.addAll(path, options);
    return builder;
  }

  abstract Path logs();

  abstract String historyUrl();

  /**
   * Properties of a job that is not measured, such as one that makes the input of another: where
   * the cluster is one machine its tasks run in its client, which spares each a JVM.
   */
  abstract Map<String, String> aside();

  /** Arguments of a program that takes properties as {@code -Dkey=value} before its own. */
  public static String[] arguments(Map<String, String> properties, String... own) {
    List<String> arguments = new ArrayList<>();
    properties.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
    arguments.addAll(List.of(own));
    return arguments.toArray(String[]::new);
  }

  public static String[] example(String name, Map<String, String> properties, String... own) {
    return Stream.concat(Stream.of(name), Stream.of(arguments(properties, own)))
        .toArray(String[]::new);
  }

  /**
   * Runs a program of Hadoop's examples jar, such as {@code terasort}, to its end.
   *
   * @param output hears each line that the client prints
   */
  public JobResult example(Consumer<String> output, String... args)
      throws IOException, InterruptedException {
    return program(args[0], output, EXAMPLES, args);
  }

  /**
   * Runs a client program of Hadoop that submits a job, to its end.
   *
   * @return of its last job
   */
  public JobResult program(String name, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    return program(name, ClientProcess.NO_DEADLINE, output, mainClass, args);
  }

  /** The same; its job is killed after so many seconds. */
  public JobResult program(
      String name, long deadlineSeconds, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    return new JobClient(this).run(name, deadlineSeconds, output, command(mainClass, args));
  }

  /**
   * Runs a client program of Hadoop that submits many jobs, to its end. All jobs that are new then
   * are taken for its own.
   *
   * @return also when it failed
   * @throws UnsupportedOperationException where others submit jobs, too
   */
  public BatchResult batch(
      long deadlineSeconds, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    throw new UnsupportedOperationException("not on a cluster that others use, too");
  }

  /**
   * Runs a command of {@code hdfs dfs}.
   *
   * @throws IOException when it fails; the message has its output
   */
  public void fs(String... args) throws IOException, InterruptedException {
    Path log = Files.createTempFile(logs(), "fs-", ".log");
    int code = run(log, command(FS_SHELL, args));
    if (code != 0) {
      String line = "hdfs dfs " + String.join(" ", args);
      throw new IOException(line + " ended with " + code + ":\n" + Files.readString(log));
    }
  }

  /**
   * Opens the bytes of all files that match a glob, one after the other, by name.
   *
   * @return to be closed; ends early when the client fails
   */
  public InputStream cat(String glob) throws IOException {
    Path errors = Files.createTempFile(logs(), "cat-", ".log");
    return client(command(FS_SHELL, "-cat", glob))
        .redirectError(errors.toFile())
        .start()
        .getInputStream();
  }

  /** The lines of all files that match a glob, as UTF-8. */
  public List<String> lines(String glob) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(cat(glob), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }

  /**
   * Asks a NodeManager's {@code /jmx} page.
   *
   * @param node counted from 0
   * @return the matching beans
   */
  public JsonNode nodeBeans(int node, String query) throws IOException {
    throw new IOException("the nodes of this cluster are not asked for " + query);
  }

  /**
   * Kills an application, by Hadoop's own client.
   *
   * @param id such as {@code application_1_0001}
   */
  public void kill(String id) throws IOException, InterruptedException {
    Path log = Files.createTempFile(logs(), "kill-", ".log");
    int unused = run(log, command(APPLICATION_CLI, "application", "-kill", id));
  }

  /** Runs one to its end, and returns its exit code. */
  private int run(Path log, List<String> command) throws IOException, InterruptedException {
    Process process =
        client(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  static List<String> command(String mainClass, String... args) {
    return Stream.concat(Stream.of(mainClass), Stream.of(args)).toList();
  }
}
