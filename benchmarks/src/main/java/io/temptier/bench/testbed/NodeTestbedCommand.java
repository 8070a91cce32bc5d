// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import picocli.CommandLine.Command;

/** {@code temptier bench testbed}. */
@Command(
    name = "testbed",
    description = {
      "An emulated worker node to try things on: throttled HDDs, a fast disk, a bound on memory.",
      "Each disk is an ext4 on a loop device. Needs root."
    },
    subcommands = {
      NodeUpCommand.class,
      NodeDownCommand.class,
      NodeStatusCommand.class,
      CalibrateCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
public final class NodeTestbedCommand {}
