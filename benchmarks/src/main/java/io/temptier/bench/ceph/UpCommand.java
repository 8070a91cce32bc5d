// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.lab.ceph.CephCluster;
import io.temptier.lab.ceph.CephPrograms;
import io.temptier.lab.ceph.CephSpec;
import io.temptier.lab.ceph.S3Account;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.lab.testbed.CephProcess;
import io.temptier.lab.testbed.TestbedHome;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier s3a testbed up}. */
@Command(
    name = "up",
    description = {
      "Makes a Ceph and starts it: it runs until `down`, and holds nothing before or after.",
      "Anybody on this machine can administer it. Takes some ten seconds."
    },
    exitCodeList = {"0:it is up", "1:it could not be started, and nothing is left", "2:wrong use"},
    sortOptions = false)
final class UpCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final TestbedFolder folder = new TestbedFolder();

  @Option(
      names = "--osds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Object storage daemons, 1 to 3. Default: ${DEFAULT-VALUE}.")
  private int osds;

  @Option(
      names = "--gateways",
      paramLabel = "N",
      defaultValue = "1",
      description = "Object gateways, 1 to 4. Default: ${DEFAULT-VALUE}.")
  private int gateways;

  @Option(
      names = "--osd-size",
      paramLabel = "SIZE",
      defaultValue = "24g",
      description =
          "What one OSD can hold; only what is used takes room. Default: ${DEFAULT-VALUE}.")
  private String osdSize = "24g";

  @Override
  public Integer call() throws IOException {
    CephSpec spec = spec();
    CommandFailure.ifAny(CephPrograms.hindrance());
    Path path = folder.home();
    if (!CephProcess.at(path).isEmpty()) {
      throw isThere(path, null);
    }
    try (TestbedHome home = TestbedHome.createAt(path)) {
      List<URI> endpoints = start(spec, home.path());
      home.keep();
      print(spec, endpoints, new TestbedFiles(home.path()).confDir());
      return ExitCodes.FINE;
    } catch (FileAlreadyExistsException e) {
      throw isThere(path, e);
    } catch (IOException e) {
      throw new CommandFailure("Ceph could not be started: " + e.getMessage(), e);
    }
  }

  private List<URI> start(CephSpec spec, Path home) throws IOException {
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

  private CephSpec spec() {
    try {
      return new CephSpec(osds, gateways, Sizes.parse(osdSize));
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }

  private static CommandFailure isThere(Path path, @Nullable IOException cause) {
    return new CommandFailure(
        ("a testbed is in %s already. See it with `temptier s3a testbed status`, end it with"
                + " `temptier s3a testbed down`, or give another --dir.")
            .formatted(path),
        cause);
  }

  private void print(CephSpec spec, List<URI> endpoints, Path confDir) {
    String bucket = "s3a://" + TestbedFiles.BUCKET + "/";
    terminal
        .out()
        .println(
            terminal.styled("bold,green", "Ceph is up")
                + ": "
                + spec.osds()
                + (spec.osds() == 1 ? " OSD" : " OSDs")
                + ", gateways at "
                + endpoints.stream().map(URI::toString).collect(Collectors.joining(", ")));
    terminal.out().println("  bucket         " + bucket);
    terminal
        .out()
        .println(
            "  configuration  "
                + confDir
                + ", with the keys of its owner"
                + (endpoints.size() > 1 ? "; requests go to all gateways" : ""));
    terminal.out().println("Try it:  temptier s3a doctor --conf-dir " + confDir + " " + bucket);
    terminal.out().println("End it:  temptier s3a testbed down");
  }
}
