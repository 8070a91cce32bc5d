// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.cli.main.Main;
import io.temptier.lab.process.JavaCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** JVMs beside the tests', with the same class path. */
public final class OtherJvm {
  private static final List<String> SMALL = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

  private OtherJvm() {}

  /** {@code temptier} as a user starts it, to be started. */
  public static ProcessBuilder temptier(List<String> arguments) {
    return new ProcessBuilder(
        JavaCommand.likeThis(SMALL, Main.class, arguments.toArray(new String[0])));
  }

  /**
   * Starts {@code temptier} as a user does.
   *
   * @param log where all it prints goes
   */
  public static Process temptier(Path log, List<String> arguments) throws IOException {
    return temptier(arguments).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }
}
