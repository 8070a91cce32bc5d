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
package io.temptier.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Hadoop's client programs against one cluster, each in a JVM of its own. Thread safe. */
final class Clients {
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

  /** See {@link HadoopCluster}. */
  void fs(String... args) throws IOException, InterruptedException {
    new FsShell(jvm, logs).run(args);
  }

  /** See {@link HadoopCluster}. */
  void kill(String id) throws IOException, InterruptedException {
    Path log = Files.createTempFile(logs, "kill-", ".log");
    Process process =
        jvm.apply(
                command(
                    "org.apache.hadoop.yarn.client.cli.ApplicationCLI", "application", "-kill", id))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      process.waitFor();
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
