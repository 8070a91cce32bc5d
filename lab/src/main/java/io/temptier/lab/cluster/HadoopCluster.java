// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster that programs are submitted to, as any client does: each in a JVM of its own. Thread
 * safe.
 */
public abstract class HadoopCluster {
  public static final String EXAMPLES = "org.apache.hadoop.examples.ExampleDriver";

  private static final String FS_SHELL = "org.apache.hadoop.fs.FsShell";
  private static final String APPLICATION_CLI = "org.apache.hadoop.yarn.client.cli.ApplicationCLI";

  private static final Pattern PROGRESS = Pattern.compile("map \\d+% reduce \\d+%");

  final WebPages pages;

  HadoopCluster(WebPages pages) {
    this.pages = pages;
  }

  /** A client program of Hadoop, main class first, with the cluster's configuration. */
  abstract ProcessBuilder client(List<String> command);

  /** Makes a client with more options of its JVM, and another class path than the cluster's. */
  final ProcessBuilder client(
      List<String> command, List<String> options, UnaryOperator<String> classPath) {
    ProcessBuilder builder = client(command);
    List<String> line = builder.command();
    int path = line.indexOf("-cp");
    line.set(path + 1, classPath.apply(line.get(path + 1)));
    line.addAll(path, options);
    return builder;
  }

  abstract String historyUrl();

  /**
   * Properties of a job that is not measured, such as one that makes the input of another: where
   * the cluster is one machine its tasks run in its client, which spares each a JVM.
   */
  abstract Map<String, String> aside();

  /** Arguments of a program that takes properties as {@code -Dkey=value} before its own. */
  public static String[] arguments(Map<String, String> properties, String... own) {
    List<String> options = new ArrayList<>();
    properties.forEach((key, value) -> options.add("-D" + key + "=" + value));
    return Shell.line(options, own).toArray(String[]::new);
  }

  public static String[] example(String name, Map<String, String> properties, String... own) {
    return Shell.line(name, arguments(properties, own)).toArray(String[]::new);
  }

  /**
   * Runs a program of Hadoop's examples jar, such as {@code terasort}, to its end.
   *
   * @param output hears each line that the client prints
   */
  public JobResult example(Consumer<String> output, String... args)
      throws IOException, InterruptedException {
    return program(args[0], ClientProcess.NO_DEADLINE, output, EXAMPLES, args);
  }

  public JobResult example(String... args) throws IOException, InterruptedException {
    return example(line -> {}, args);
  }

  /**
   * Runs a client program of Hadoop that submits a job, to its end.
   *
   * @param deadlineSeconds after which its job is killed
   * @return of its last job
   */
  public JobResult program(
      String name, long deadlineSeconds, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    return new JobClient(this).run(name, deadlineSeconds, output, Shell.line(mainClass, args));
  }

  /**
   * Runs a command of {@code hdfs dfs}.
   *
   * @throws IOException when it fails; the message has its output
   */
  public void fs(String... args) throws IOException, InterruptedException {
    ClientProcess ended = run(FS_SHELL, args);
    if (ended.exitCode() != 0) {
      throw new IOException(
          "hdfs dfs %s ended with %s:\n%s"
              .formatted(String.join(" ", args), ended.exitCode(), String.join("\n", ended.log())));
    }
  }

  /**
   * Opens the bytes of all files that match a glob, one after the other, by name.
   *
   * @return to be closed; ends early when the client fails
   */
  public InputStream cat(String glob) throws IOException {
    return client(Shell.line(FS_SHELL, "-cat", glob))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
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
   * Kills an application, by Hadoop's own client.
   *
   * @param id such as {@code application_1_0001}
   */
  public void kill(String id) throws IOException, InterruptedException {
    ClientProcess unused = run(APPLICATION_CLI, "application", "-kill", id);
  }

  /**
   * Moves an application to another queue, by Hadoop's own client.
   *
   * @param id such as {@code application_1_0001}
   */
  public void move(String id, String queue) throws IOException, InterruptedException {
    ClientProcess ended = run(APPLICATION_CLI, "application", "-appId", id, "-changeQueue", queue);
    if (ended.exitCode() != 0) {
      throw new IOException(id + " stays where it is: " + String.join("\n", ended.log()));
    }
  }

  private ClientProcess run(String mainClass, String... args)
      throws IOException, InterruptedException {
    ProcessBuilder client = client(Shell.line(mainClass, args));
    return ClientProcess.run(client, ClientProcess.NO_DEADLINE, (late, log) -> {}, line -> {});
  }

  /** Says how far a job is, of all that its client prints. */
  public static Consumer<String> progress(String name, Consumer<String> progress) {
    return line -> {
      Matcher matcher = PROGRESS.matcher(line);
      if (matcher.find()) {
        progress.accept(name + ": " + matcher.group());
      }
    };
  }

  /**
   * Application as the ResourceManager knows it.
   *
   * @param id such as {@code application_1_0001}
   * @param finalStatus such as {@code SUCCEEDED}, {@code UNDEFINED} while it runs
   * @param startedTime milliseconds since the epoch
   * @param finishedTime the same, 0 while it runs
   */
  public record Application(
      String id,
      String name,
      String state,
      String finalStatus,
      long startedTime,
      long finishedTime) {
    private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");

    public boolean ended() {
      return ENDED.contains(state);
    }

    String jobId() {
      return id.replace("application_", "job_");
    }

    /** Returns the seconds from its submission to its end; 0 while it runs. */
    double seconds() {
      return ended() ? (finishedTime - startedTime) / 1e3 : 0;
    }
  }
}
