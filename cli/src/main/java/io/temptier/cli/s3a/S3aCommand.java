// SPDX-License-Identifier: Apache-2.0
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

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    command.usage(terminal.err(), terminal.ansi());
    return ExitCodes.WRONG_USE;
  }
}
