// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.CephProcess;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier s3a testbed down}. */
@Command(
    name = "down",
    description = "Ends the testbed's daemons and deletes all it holds.",
    exitCodeList = {"0:nothing is left", "1:something refused to go", "2:wrong use"},
    sortOptions = false)
final class DownCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final TestbedFolder folder = new TestbedFolder();

  @Override
  public Integer call() throws IOException {
    Path home = folder.home();
    int running = CephProcess.at(home).size();
    boolean there = Files.exists(home);
    TestbedHome.remove(home);
    terminal
        .out()
        .println(
            there || running > 0
                ? "Ended " + running + " daemons and deleted " + home
                : "No testbed is in " + home.getParent());
    return ExitCodes.FINE;
  }
}
