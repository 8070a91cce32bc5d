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
package io.temptier.cli;

import java.util.List;

/**
 * Adds commands to {@code temptier}. Found by {@link java.util.ServiceLoader}, so that a module can
 * bring a command without the command line knowing the module. The release has no such module, so
 * that the help marks these commands by {@link #MARK}.
 *
 * <p>{@code --help}, {@code --version} and {@code --debug} are inherited by every command. A
 * command is a {@link java.util.concurrent.Callable} of an {@link ExitCodes exit code}; it reports
 * a failure by throwing {@link CommandFailure} and wrong use by throwing picocli's {@code
 * ParameterException}. {@link Terminal} and {@link JsonFile} are mixins it may use.
 */
@FunctionalInterface
public interface CommandProvider {
  /** Ends the description of a command that only a source checkout has. */
  String MARK = "(source checkout only)";

  /**
   * New instances of the commands.
   *
   * @return objects whose classes carry picocli's {@code @Command}
   */
  List<Object> commands();

  /**
   * The command below which they are found, such as {@code s3a} for {@code temptier s3a testbed}.
   *
   * @return its name, or an empty text for {@code temptier} itself
   */
  default String parent() {
    return "";
  }
}
