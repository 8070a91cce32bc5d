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
package io.temptier.cli.s3a;

import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.cli.s3a.doctor.StoreDoctorCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code temptier s3a}, the commands around S3A. Other modules add theirs by a {@link
 * CommandProvider} whose parent is {@code s3a}.
 */
@Command(
    name = "s3a",
    description = "S3A on Ceph's gateway: what to set, and why.",
    subcommands = {ProfileCommand.class, StoreDoctorCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
public final class S3aCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Creates the command; picocli fills it in. */
  public S3aCommand() {}

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    command.usage(terminal.err(), terminal.ansi());
    return ExitCodes.WRONG_USE;
  }
}
