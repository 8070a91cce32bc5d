// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.DiskSpeed;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Mixin of the options that bound what an emulated node can do. Each of its methods says that the
 * command line is wrong where it is.
 */
@Command
public final class EmulationOptions {
  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description =
          "What the node's processes may use of memory, page cache included (default:"
              + " ${DEFAULT-VALUE}).")
  private String memory = "";

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = {
        "A published node, by its tasks for each HDD: twitter-like (3.33: 10 tasks at once on 3"
            + " HDDs) or",
        "intel-lab-like (14: 14 tasks at once on 1 HDD)."
      })
  private @Nullable NodeProfile profile;

  public DiskSpeed speed(Terminal terminal) {
    return slowDisk.speed(terminal);
  }

  public long memoryBytes(Terminal terminal) {
    return terminal.size("--memory", memory);
  }

  /** The published node that was asked for, if any. */
  public Optional<NodeProfile> profile() {
    return Optional.ofNullable(profile);
  }
}
