// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.lab.testbed.CephProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code temptier s3a testbed} as a user starts it. */
@NeedsCeph
final class CephTestbedIT {
  private static final Pattern CONF = Pattern.compile("configuration  (\\S+)/conf, with");

  @TempDir private Path dir;

  @Test
  void allGatewaysAreInItsSettingsAndNothingOutlivesIt() throws Exception {
    Path log = dir.resolve("log");
    Process testbed = OtherJvm.temptier(log, List.of("s3a", "testbed", "--gateways=3"));
    Path home;
    try {
      Eventually.holds(
          "it is up",
          () -> {
            assertTrue(testbed.isAlive(), () -> "it ended early: " + OtherJvm.read(log));
            return OtherJvm.read(log).contains("Ctrl-C");
          });
      Matcher conf = CONF.matcher(OtherJvm.read(log));
      assertTrue(conf.find(), () -> OtherJvm.read(log));
      home = Path.of(conf.group(1));
      Configuration settings = new Configuration(false);
      settings.addResource(
          new org.apache.hadoop.fs.Path(home.resolve("conf/core-site.xml").toUri()));
      assertEquals(3, settings.getTrimmedStrings("temptier.s3a.endpoints").length);
      assertEquals(
          "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
          settings.get("fs.s3a.s3.client.factory.impl"));
      // A monitor, an OSD and the gateways.
      assertEquals(5, CephProcess.at(home).size(), () -> OtherJvm.read(log));
    } finally {
      testbed.destroyForcibly();
    }
    Eventually.holds(
        "nothing is left in " + home,
        () -> CephProcess.at(home).isEmpty() && Files.notExists(home));
  }
}
