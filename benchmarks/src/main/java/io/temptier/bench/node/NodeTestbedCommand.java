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
package io.temptier.bench.node;

import io.temptier.bench.calibrate.CalibrateCommand;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
public final class NodeTestbedCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Called by picocli. */
  public NodeTestbedCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().usage(terminal.err(), terminal.ansi());
    return ExitCodes.WRONG_USE;
  }
}
