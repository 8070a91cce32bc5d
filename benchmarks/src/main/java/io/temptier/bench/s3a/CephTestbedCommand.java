// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.lab.ceph.CephCluster;
import io.temptier.lab.ceph.CephSpec;
import io.temptier.lab.ceph.S3Account;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.SiteFile;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier s3a testbed}. */
@Command(
    name = "testbed",
    description = {
      "Runs a real Ceph with object gateways on this machine's loopback address, to try S3A on,"
          + " until Ctrl-C; then all of it goes.",
      "Runs the programs of Debian's packages; installs nothing. Anybody on this machine can"
          + " administer it. Takes some ten seconds to start."
    },
    exitCodeList = {"0:it was up", "1:it could not be started, and nothing is left", "2:wrong use"})
public final class CephTestbedCommand implements Callable<Integer> {
  private static final long OSD_BYTES = 24L << 30;

  @Mixin private final Terminal terminal = new Terminal();

  @Option(
      names = "--gateways",
      paramLabel = "N",
      defaultValue = "1",
      description = "Object gateways, 1 to 4. Default: ${DEFAULT-VALUE}.")
  private int gateways;

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

  @Override
  public Integer call() throws InterruptedException {
    CephSpec spec =
        terminal.parse(
            "--gateways",
            Integer.toString(gateways),
            count -> new CephSpec(Integer.parseInt(count), OSD_BYTES));
    CommandFailure.ifAny(CephSpec.hindrance());
    try (TestbedHome home = TestbedHome.create(HadoopRuntime.workFolder());
        Progress progress = terminal.progress("starting Ceph");
        CephCluster cluster = CephCluster.start(home.path(), spec, progress::say)) {
      progress.say("bucket");
      S3Account account = cluster.newAccount("temptier");
      cluster.makeBucket(account, TestbedFiles.BUCKET);
      Path confDir = Files.createDirectories(home.path().resolve("conf"));
      SiteFile.writePrivate(
          confDir.resolve("core-site.xml"), TestbedFiles.properties(cluster.gateways(), account));
      Runnable quiet = progress::close;
      quiet.run();
      String bucket = "s3a://" + TestbedFiles.BUCKET + "/";
      terminal
          .out()
          .printf(
              """
              %s: gateways at %s
                bucket         %s
                configuration  %s, with the keys of its owner
              Try it:  temptier s3a doctor --conf-dir %s %s
              End it:  Ctrl-C
              """,
              terminal.styled("bold,green", "Ceph is up"),
              cluster.gateways().stream().map(URI::toString).collect(Collectors.joining(", ")),
              bucket,
              confDir,
              confDir,
              bucket);
      terminal.out().flush();
      new CountDownLatch(1).await();
      return ExitCodes.FINE;
    } catch (IOException e) {
      throw new CommandFailure("Ceph could not be started: " + e.getMessage(), e);
    }
  }
}
