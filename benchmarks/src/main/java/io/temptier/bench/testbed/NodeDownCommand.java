// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier bench testbed down}. */
@Command(
    name = "down",
    description = {
      "Ends what runs on the testbed, and removes its disks, limits and folder.",
      "Removes what killed runs of any benchmark left, too."
    },
    exitCodeList = {"0:nothing is left", "1:something refused to go", "2:wrong use"},
    sortOptions = false)
final class NodeDownCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodeFolder folder = new NodeFolder();

  @Override
  public Integer call() throws IOException {
    Path home = folder.home();
    boolean there = Files.exists(home);
    TestbedHome.remove(home);
    for (Path parent : folder.parents()) {
      if (Files.isDirectory(parent)) {
        TestbedHome.sweep(parent);
      }
    }
    terminal.out().println(there ? "Removed " + home : "No testbed is in " + home.getParent());
    return ExitCodes.FINE;
  }
}
