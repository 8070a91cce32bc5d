// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.LocalDirConverter;
import io.temptier.cli.Terminal;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code temptier undrain}. */
@Command(
    name = "undrain",
    description = "Ends what temptier drain began: new files go to the local dir again.",
    exitCodeList = {"0:new files go there", "1:that cannot be had", "2:wrong use"},
    sortOptions = false)
public final class UndrainCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Parameters(
      paramLabel = "DIR",
      converter = LocalDirConverter.class,
      description = "The local dir, as in yarn.nodemanager.local-dirs.")
  private Path path = Paths.get("");

  @Override
  public Integer call() throws InterruptedException {
    DrainMark mark = DrainMark.of(path);
    terminal
        .out()
        .println(
            mark.clear()
                ? "New files go to " + mark.dir() + " again within seconds."
                : mark.dir() + " was not being drained.");
    return ExitCodes.FINE;
  }
}
