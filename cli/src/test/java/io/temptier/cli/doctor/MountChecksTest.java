// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor says of containers that see no more of the node than what is mounted. */
class MountChecksTest {
  private static final String RUNTIMES = "yarn.nodemanager.runtime.linux.allowed-runtimes";
  private static final String FAST = "/t-nvme0/yarn/.temptier:/t-nvme0/yarn/.temptier";
  private static final String SLOW = "/t-hdd0/yarn/.temptier:/t-hdd0/yarn/.temptier";
  private static final String CLAIMS =
      "/t-nvme0/yarn/.temptier/claims:/t-nvme0/yarn/.temptier/claims,"
          + "/t-hdd0/yarn/.temptier/claims:/t-hdd0/yarn/.temptier/claims";

  @TempDir Path dir;

  private Conf allowing(String runtimes) {
    return new Conf(dir).set(Conf.YARN, RUNTIMES, runtimes);
  }

  private static String key(String runtime, String mode) {
    return "yarn.nodemanager.runtime.linux." + runtime + ".default-" + mode + "-mounts";
  }

  private static String doctor(Conf conf) {
    Run run = Run.of("doctor", "--conf-dir", conf.write().toString());
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker", "runc"})
  void whatIsMissingIsSaidAsItIsToBePasted(String runtime) {
    String reading = key(runtime, "ro");
    String writing = key(runtime, "rw");
    String said = doctor(allowing("default, " + runtime).set(Conf.YARN, reading, "/x:/y"));
    String mended = "/x:/y," + FAST + "," + SLOW;
    assertTrue(said.contains("WARNING " + reading), said);
    assertTrue(said.contains(Paste.property(reading, mended)), said);
    assertTrue(said.contains(runtime + ".allowed.ro-mounts"), said);
    assertTrue(said.contains(Paste.property(writing, CLAIMS)), said);
    assertTrue(said.contains(runtime + ".allowed.rw-mounts"), said);
    Conf conf = allowing(runtime).set(Conf.YARN, reading, mended).set(Conf.YARN, writing, CLAIMS);
    assertFalse(doctor(conf).contains(runtime));
  }

  @Test
  void aMountAboveIsEnoughAndOneElsewhereIsNot() {
    Conf conf = allowing("docker").set(Conf.YARN, key("docker", "rw"), "/t-nvme0:/t-nvme0");
    conf.set(Conf.YARN, key("docker", "ro"), "/t-hdd0/yarn/.temptier:/temptier");
    String said = doctor(conf);
    assertTrue(said.contains(SLOW), said);
    assertFalse(said.contains("/t-nvme0/yarn/.temptier"), said);
  }

  /** Hadoop starts no container with a default mount of three parts. */
  @Test
  void aMountWithAModeIsReplaced() {
    String reading = key("docker", "ro");
    String said = doctor(allowing("docker").set(Conf.YARN, reading, FAST + ":ro," + SLOW));
    assertTrue(said.contains(Paste.property(reading, SLOW + "," + FAST)), said);
  }

  @Test
  void withoutSuchContainersNothingIsToBeMounted() {
    assertFalse(doctor(allowing("default,javasandbox")).contains("-mounts"));
    assertFalse(doctor(new Conf(dir)).contains("-mounts"));
  }
}
