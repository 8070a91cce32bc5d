// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin with the option that bounds an emulated node's memory. */
@Command
public final class MemoryOption {
  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description =
          "What the node's processes may use of memory, page cache included (default:"
              + " ${DEFAULT-VALUE}).")
  private String memory = "";

  /** Creates the mixin; picocli fills it in. */
  public MemoryOption() {}

  /** The bound; says that the command line is wrong if it is none. */
  public long bytes(Terminal terminal) {
    return terminal.size("--memory", memory);
  }
}
