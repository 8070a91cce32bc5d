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
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs {@code hdfs dfs} on a cluster. */
final class FsShell {
  private static final String MAIN = "org.apache.hadoop.fs.FsShell";

  private final Function<List<String>, ProcessBuilder> jvm;
  private final Path logs;

  /** As {@link Clients#Clients} takes them. */
  FsShell(Function<List<String>, ProcessBuilder> jvm, Path logs) {
    this.jvm = jvm;
    this.logs = logs;
  }

  /** See {@link HadoopCluster#fs}. */
  void run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(MAIN));
    command.addAll(List.of(args));
    Path log = Files.createTempFile(logs, "fs-", ".log");
    Process process =
        jvm.apply(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            "hdfs dfs "
                + String.join(" ", args)
                + " ended with "
                + code
                + ":\n"
                + Files.readString(log));
      }
    } finally {
      process.destroyForcibly();
    }
  }

  /** See {@link PseudoCluster#cat}. */
  InputStream cat(String glob) throws IOException {
    Path errors = Files.createTempFile(logs, "cat-", ".log");
    return jvm.apply(List.of(MAIN, "-cat", glob))
        .redirectError(errors.toFile())
        .start()
        .getInputStream();
  }
}
