// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.NeedsCeph;
import io.temptier.lab.testbed.CephProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code temptier s3a testbed} as a user starts it. */
@NeedsCeph
final class CephTestbedIT {
  private static final Path WORK = Path.of("target/s3a-testbed-it").toAbsolutePath();

  @TempDir private Path dir;

  @Test
  void aKilledCommandLeavesNothing() throws Exception {
    Path home = Files.createDirectories(WORK).toRealPath().resolve("s3a-testbed");
    Path log = dir.resolve("log");
    Process up = OtherJvm.temptier(log, List.of("s3a", "testbed", "up", "--dir=" + WORK));
    try {
      while (CephProcess.at(home).stream().noneMatch(p -> p.name().contains("osd"))) {
        assertTrue(up.isAlive(), () -> "it ended early: " + text(log));
        Thread.sleep(50);
      }
    } finally {
      up.destroyForcibly();
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (!CephProcess.at(home).isEmpty() || Files.exists(home)) {
      assertTrue(System.nanoTime() < deadline, () -> CephProcess.at(home) + " of " + home);
      Thread.sleep(50);
    }
    try (Stream<Path> left = Files.list(WORK)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void severalGatewaysAreAllInItsSettingsAndOneThatEndedIsNotShown() throws Exception {
    Path work = Files.createDirectories(Path.of("target/s3a-testbed-gateways-it")).toRealPath();
    try {
      run(0, work, "up", "--gateways=3");
      Configuration conf = new Configuration(false);
      conf.addResource(
          new org.apache.hadoop.fs.Path(
              work.resolve("s3a-testbed/conf/core-site.xml").toUri().toString()));
      List<String> gateways = List.of(conf.getTrimmedStrings("temptier.s3a.endpoints"));
      assertEquals(3, gateways.size(), gateways::toString);
      assertEquals(
          "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
          conf.get("fs.s3a.s3.client.factory.impl"));
      String all = run(0, work, "status");
      assertTrue(all.contains("Gateways: " + String.join(", ", gateways) + "\n"), all);
      CephProcess second =
          CephProcess.at(work.resolve("s3a-testbed")).stream()
              .filter(process -> process.name().equals("radosgw client.rgw.1"))
              .findFirst()
              .orElseThrow();
      assertTrue(second.handle().destroyForcibly());
      second.handle().onExit().get(10, TimeUnit.MINUTES);
      String two = run(0, work, "status");
      assertTrue(two.contains("Gateways: " + gateways.get(0) + ", " + gateways.get(2) + "\n"), two);
      assertTrue(two.contains("Ended:    " + gateways.get(1) + "\n"), two);
    } finally {
      run(0, work, "down");
    }
  }

  private String run(int code, Path work, String command, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("s3a", "testbed", command, "--dir=" + work));
    arguments.addAll(List.of(options));
    Path log = dir.resolve(command);
    Process process = OtherJvm.temptier(log, arguments);
    assertTrue(process.waitFor(10, TimeUnit.MINUTES), command);
    assertEquals(code, process.exitValue(), () -> text(log));
    return text(log);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
