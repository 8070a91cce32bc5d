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

import io.temptier.cli.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** JVMs beside the tests', with the same class path. */
public final class OtherJvm {
  private static final List<String> SMALL = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

  private OtherJvm() {}

  /** {@code temptier} as a user starts it, to be started. */
  public static ProcessBuilder temptier(List<String> arguments) {
    return of(SMALL, Main.class, arguments.toArray(new String[0]));
  }

  /**
   * Starts {@code temptier} as a user does.
   *
   * @param log where all it prints goes
   */
  public static Process temptier(Path log, List<String> arguments) throws IOException {
    return temptier(arguments).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /**
   * A JVM to be started.
   *
   * @param options of the JVM
   * @param main its main class
   * @param arguments for that
   */
  public static ProcessBuilder of(List<String> options, Class<?> main, String... arguments) {
    return new ProcessBuilder(JavaCommand.likeThis(options, main, arguments));
  }
}
