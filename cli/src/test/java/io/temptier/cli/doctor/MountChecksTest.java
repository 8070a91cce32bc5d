// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor says of containers that see no more of the node than what is mounted. */
class MountChecksTest {
  private static final String FAST = "/t-nvme0/yarn/.temptier:/t-nvme0/yarn/.temptier";
  private static final String SLOW = "/t-hdd0/yarn/.temptier:/t-hdd0/yarn/.temptier";
  private static final String CLAIMS =
      "/t-nvme0/yarn/.temptier/claims:/t-nvme0/yarn/.temptier/claims,"
          + "/t-hdd0/yarn/.temptier/claims:/t-hdd0/yarn/.temptier/claims";

  @TempDir Path dir;

  private Conf allowing(String runtimes) {
    String key = "yarn.nodemanager.runtime.linux.allowed-runtimes";
    return new Conf(dir).set(Conf.YARN, key, runtimes);
  }

  private static String key(String runtime, String mode) {
    return "yarn.nodemanager.runtime.linux." + runtime + ".default-" + mode + "-mounts";
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker", "runc"})
  void whatIsMissingIsSaidAsItIsToBePasted(String runtime) {
    String reading = key(runtime, "ro");
    String writing = key(runtime, "rw");
    String mended = "/x:/y," + FAST + "," + SLOW;
    Conf conf = allowing("default, " + runtime).set(Conf.YARN, reading, "/x:/y");
    conf.says(
        "WARNING " + reading, Troubles.property(reading, mended), runtime + ".allowed.ro-mounts");
    conf.says(
        "WARNING " + writing, Troubles.property(writing, CLAIMS), runtime + ".allowed.rw-mounts");
    conf.set(Conf.YARN, reading, mended).set(Conf.YARN, writing, CLAIMS);
    assertFalse(conf.ready().contains(runtime));
  }

  @Test
  void aMountAboveIsEnoughAndOneElsewhereIsNot() {
    Conf conf = allowing("docker").set(Conf.YARN, key("docker", "rw"), "/t-nvme0:/t-nvme0");
    conf.set(Conf.YARN, key("docker", "ro"), "/t-hdd0/yarn/.temptier:/temptier");
    String said = conf.ready();
    assertTrue(said.contains(SLOW), said);
    assertFalse(said.contains("/t-nvme0/yarn/.temptier"), said);
  }

  /** Hadoop starts no container with a default mount of three parts. */
  @Test
  void aMountWithAModeIsReplaced() {
    String reading = key("docker", "ro");
    allowing("docker")
        .set(Conf.YARN, reading, FAST + ":ro," + SLOW)
        .says("WARNING " + reading, Troubles.property(reading, SLOW + "," + FAST));
  }

  @Test
  void withoutSuchContainersNothingIsToBeMounted() {
    assertFalse(allowing("default,javasandbox").ready().contains("-mounts"));
  }
}
