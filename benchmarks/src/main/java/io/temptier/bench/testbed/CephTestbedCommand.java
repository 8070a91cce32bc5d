// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.lab.ceph.CephCluster;
import io.temptier.lab.ceph.CephPrograms;
import io.temptier.lab.ceph.CephSpec;
import io.temptier.lab.ceph.S3Account;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.CephProcess;
import io.temptier.lab.testbed.TestbedHome;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier s3a testbed}. */
@Command(
    name = "testbed",
    description = {
      "A real Ceph with object gateways on this machine's loopback address, to try S3A on.",
      "Runs the programs of Debian's packages; installs nothing."
    },
    synopsisSubcommandLabel = "COMMAND")
public final class CephTestbedCommand {
  private static final String NAME = "s3a-testbed";
  private static final String COMMAND = "temptier s3a testbed";
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");

  /** Adds it to {@code temptier s3a}. */
  public static final class Provider implements CommandProvider {
    @Override
    public String parent() {
      return "s3a";
    }

    @Override
    public List<Object> commands() {
      return List.of(new CephTestbedCommand());
    }
  }

  @Command(
      name = "up",
      description = {
        "Makes a Ceph and starts it: it runs until `down`, and holds nothing before or after.",
        "Anybody on this machine can administer it. Takes some ten seconds."
      },
      exitCodeList = {
        "0:it is up",
        "1:it could not be started, and nothing is left",
        "2:wrong use"
      })
  int up(
      @Mixin Terminal terminal,
      @Mixin LastingFolder folder,
      @Option(
              names = "--osds",
              paramLabel = "N",
              defaultValue = "1",
              description = "Object storage daemons, 1 to 3. Default: ${DEFAULT-VALUE}.")
          int osds,
      @Option(
              names = "--gateways",
              paramLabel = "N",
              defaultValue = "1",
              description = "Object gateways, 1 to 4. Default: ${DEFAULT-VALUE}.")
          int gateways,
      @Option(
              names = "--osd-size",
              paramLabel = "SIZE",
              defaultValue = "24g",
              description =
                  "What one OSD can hold; only what is used takes room. Default:"
                      + " ${DEFAULT-VALUE}.")
          String osdSize)
      throws IOException {
    CephSpec spec;
    try {
      spec = new CephSpec(osds, gateways, Sizes.parse(osdSize));
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
    CommandFailure.ifAny(CephPrograms.hindrance());
    Path path = folder.toMake(NAME, HadoopRuntime.workFolder());
    if (!CephProcess.at(path).isEmpty()) {
      throw LastingFolder.isThere(path, COMMAND, null);
    }
    try (TestbedHome home = TestbedHome.createAt(path)) {
      List<URI> endpoints = start(terminal, spec, home.path());
      home.keep();
      print(terminal, spec, endpoints, new TestbedFiles(home.path()).confDir());
      return ExitCodes.FINE;
    } catch (FileAlreadyExistsException e) {
      throw LastingFolder.isThere(path, COMMAND, e);
    } catch (IOException e) {
      throw new CommandFailure("Ceph could not be started: " + e.getMessage(), e);
    }
  }

  private static List<URI> start(Terminal terminal, CephSpec spec, Path home) throws IOException {
    try (Progress progress = terminal.progress("starting Ceph")) {
      // Not closed: the daemons outlive this command.
      CephCluster cluster = CephCluster.start(home, spec, progress::say);
      progress.say("bucket");
      S3Account account = cluster.newAccount("temptier");
      cluster.makeBucket(account, TestbedFiles.BUCKET);
      new TestbedFiles(home).write(cluster.gateways(), account);
      return cluster.gateways();
    }
  }

  private static void print(Terminal terminal, CephSpec spec, List<URI> endpoints, Path confDir) {
    String bucket = "s3a://" + TestbedFiles.BUCKET + "/";
    String all = endpoints.stream().map(URI::toString).collect(Collectors.joining(", "));
    terminal
        .out()
        .printf(
            """
            %s: %d %s, gateways at %s
              bucket         %s
              configuration  %s, with the keys of its owner%s
            Try it:  temptier s3a doctor --conf-dir %s %s
            End it:  temptier s3a testbed down
            """,
            terminal.styled("bold,green", "Ceph is up"),
            spec.osds(),
            spec.osds() == 1 ? "OSD" : "OSDs",
            all,
            bucket,
            confDir,
            endpoints.size() > 1 ? "; requests go to all gateways" : "",
            confDir,
            bucket);
  }

  @Command(
      name = "down",
      description = "Ends the testbed's daemons and deletes all it holds.",
      exitCodeList = {"0:nothing is left", "1:something refused to go", "2:wrong use"})
  int down(@Mixin Terminal terminal, @Mixin LastingFolder folder) throws IOException {
    folder.remove(NAME, terminal.out());
    return ExitCodes.FINE;
  }

  @Command(
      name = "status",
      description = "Shows the testbed's daemons and how to reach it.",
      exitCodeList = {"0:it is up", "1:it is not", "2:wrong use"})
  int status(@Mixin Terminal terminal, @Mixin LastingFolder folder) throws IOException {
    Path home = folder.home(NAME);
    PrintWriter out = terminal.out();
    List<CephProcess> running = CephProcess.at(home);
    if (running.isEmpty()) {
      out.println(
          Files.exists(home)
              ? "No daemon runs, but " + home + " is there: temptier s3a testbed down"
              : "No testbed is in " + home.getParent());
      return ExitCodes.FAILED;
    }
    List<List<String>> rows = new ArrayList<>();
    for (CephProcess daemon : running) {
      long pid = daemon.handle().pid();
      String memory = memory(Path.of("/proc/" + pid + "/status"));
      rows.add(List.of(daemon.name(), Long.toString(pid), memory));
    }
    Table.of("DAEMON", ">PID", ">MEMORY").print(out, "", rows);
    TestbedFiles files = new TestbedFiles(home);
    List<String> up = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    for (int i = 0; i < files.gateways().size(); i++) {
      String name = "radosgw " + CephCluster.gateway(i);
      boolean runs = running.stream().anyMatch(daemon -> daemon.name().equals(name));
      (runs ? up : ended).add(files.gateways().get(i));
    }
    out.println("Gateways: " + String.join(", ", up));
    if (!ended.isEmpty()) {
      out.println("Ended:    " + String.join(", ", ended));
    }
    out.println("Bucket:   s3a://" + TestbedFiles.BUCKET + "/");
    out.println("Settings: " + files.confDir());
    return ExitCodes.FINE;
  }

  private static String memory(Path status) throws IOException {
    Matcher resident = RESIDENT.matcher(Files.isReadable(status) ? Files.readString(status) : "");
    return resident.find() ? Sizes.format(Long.parseLong(resident.group(1)) << 10) : "-";
  }
}
