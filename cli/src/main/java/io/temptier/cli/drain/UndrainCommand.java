// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.LocalDirConverter;
import io.temptier.cli.Terminal;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
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
    AtomicLong step = new AtomicLong(System.nanoTime());
    boolean drained = DrainMark.unlessItHangs(path, step, () -> DrainMark.of(path).clear());
    terminal
        .out()
        .println(
            drained
                ? "New files go to " + path + " again within seconds."
                : path + " was not being drained.");
    return ExitCodes.FINE;
  }
}
