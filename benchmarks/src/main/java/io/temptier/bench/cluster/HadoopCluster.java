// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A cluster that programs are submitted to, as any client does. */
public interface HadoopCluster {
  /** The main class of Hadoop's examples. */
  String EXAMPLES = "org.apache.hadoop.examples.ExampleDriver";

  /**
   * Arguments of a program that takes properties as {@code -Dkey=value} before its own.
   *
   * @param properties of its job
   * @param own behind them
   */
  static String[] arguments(Map<String, String> properties, String... own) {
    List<String> arguments = new ArrayList<>();
    properties.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
    arguments.addAll(List.of(own));
    return arguments.toArray(String[]::new);
  }

  /** The name of one of the examples, and its {@link #arguments}. */
  static String[] example(String name, Map<String, String> properties, String... own) {
    return Stream.concat(Stream.of(name), Stream.of(arguments(properties, own)))
        .toArray(String[]::new);
  }

  /**
   * Runs a client program of Hadoop that submits a job, to its end.
   *
   * @param name for people
   * @param output hears each line that it prints
   * @return of its last job
   * @throws IOException when it cannot be started, or the JobHistoryServer does not know its job
   */
  JobResult program(String name, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException;

  /**
   * Runs a client program of Hadoop that submits many jobs, to its end.
   *
   * @param deadlineSeconds after which it is ended, with its jobs
   * @param output hears each line that it prints
   * @return also when it failed
   * @throws IOException when it cannot be started, or the ResourceManager does not answer
   * @throws UnsupportedOperationException where others submit jobs, too, which would be taken for
   *     the program's
   */
  BatchResult batch(long deadlineSeconds, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException;

  /**
   * Runs a command of {@code hdfs dfs}.
   *
   * @throws IOException when it fails; the message has its output
   */
  void fs(String... args) throws IOException, InterruptedException;

  /**
   * Opens the bytes of all files that match a glob, one after the other, by name.
   *
   * @return to be closed; ends early when the client fails
   * @throws IOException when the client cannot be started
   */
  InputStream cat(String glob) throws IOException;

  /**
   * The lines of all files that match a glob, as UTF-8.
   *
   * @throws IOException when the client cannot be started
   */
  default List<String> lines(String glob) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(cat(glob), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }

  /**
   * Properties of a job that is not measured, such as one that makes the input of another: where
   * the cluster is one machine its tasks run in its client, which spares each a JVM.
   */
  Map<String, String> aside();

  /**
   * Asks a NodeManager's {@code /jmx} page.
   *
   * @param node counted from 0
   * @param query an object name pattern
   * @return the matching beans
   * @throws IOException when the node does not answer, or is not ours to ask
   */
  default JsonNode nodeBeans(int node, String query) throws IOException {
    throw new IOException("the nodes of this cluster are not asked for " + query);
  }

  /**
   * Kills an application, by Hadoop's own client.
   *
   * @param id such as {@code application_1_0001}
   * @throws IOException when the client cannot be started
   */
  void kill(String id) throws IOException, InterruptedException;
}
