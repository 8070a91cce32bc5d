// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.lab.ceph.CephCluster;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.lab.testbed.CephProcess;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier s3a testbed status}. */
@Command(
    name = "status",
    description = "Shows the testbed's daemons and how to reach it.",
    exitCodeList = {"0:it is up", "1:it is not", "2:wrong use"},
    sortOptions = false)
final class CephStatusCommand implements Callable<Integer> {
  private static final String RESIDENT = "VmRSS:";

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final TestbedFolder folder = new TestbedFolder();

  @Override
  public Integer call() throws IOException {
    Path home = folder.home();
    List<CephProcess> running = CephProcess.at(home);
    if (running.isEmpty()) {
      terminal
          .out()
          .println(
              Files.exists(home)
                  ? "No daemon runs, but " + home + " is there: temptier s3a testbed down"
                  : "No testbed is in " + home.getParent());
      return ExitCodes.FAILED;
    }
    Table table = new Table("DAEMON", ">PID", ">MEMORY");
    for (CephProcess daemon : running) {
      long pid = daemon.handle().pid();
      table.row(daemon.name(), Long.toString(pid), memory(pid));
    }
    table.lines("").forEach(terminal.out()::println);
    TestbedFiles files = new TestbedFiles(home);
    List<String> up = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    List<String> gateways = files.gateways();
    for (int i = 0; i < gateways.size(); i++) {
      String name = "radosgw " + CephCluster.gateway(i);
      boolean runs = running.stream().anyMatch(daemon -> daemon.name().equals(name));
      (runs ? up : ended).add(gateways.get(i));
    }
    terminal.out().println("Gateways: " + String.join(", ", up));
    if (!ended.isEmpty()) {
      terminal.out().println("Ended:    " + String.join(", ", ended));
    }
    terminal.out().println("Bucket:   s3a://" + TestbedFiles.BUCKET + "/");
    terminal.out().println("Settings: " + files.confDir());
    return ExitCodes.FINE;
  }

  /** What it holds in memory, as the kernel says. */
  private static String memory(long pid) throws IOException {
    Path status = Path.of("/proc/" + pid + "/status");
    if (Files.isReadable(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(RESIDENT)) {
          return Sizes.format(Long.parseLong(line.replaceAll("\\D", "")) << 10);
        }
      }
    }
    return "-";
  }
}
