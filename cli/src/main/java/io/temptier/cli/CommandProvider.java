// SPDX-License-Identifier: Apache-2.0
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
  /** Ends the description of a command that only a checkout and the benchmarks' tarball have. */
  String MARK = "(not in the release)";

  /** New instances of the commands, whose classes carry picocli's {@code @Command}. */
  List<Object> commands();

  /**
   * The command below which they are found, such as {@code s3a} for {@code temptier s3a testbed};
   * empty for {@code temptier} itself.
   */
  default String parent() {
    return "";
  }
}
