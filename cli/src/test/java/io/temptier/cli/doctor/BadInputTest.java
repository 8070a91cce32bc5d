// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of bad input, as the operator sees it. */
class BadInputTest {
  private static final String LISTENER =
      "yarn.nodemanager.container-state-transition-listener.classes";

  @TempDir Path dir;

  private Run doctor(Conf conf) {
    return Run.of("doctor", "--conf-dir", conf.write().toString());
  }

  /** Asserts severity, key, place and a word of the consequence. */
  private static void assertFinding(
      Run run, String severity, String key, String place, String word) {
    boolean error = severity.equals("ERROR") || severity.equals("UNKNOWN");
    assertEquals(error ? ExitCodes.FAILED : ExitCodes.FINE, run.code(), run.out());
    String flat = run.out().replaceAll("\\s+", " ");
    String head = severity + " " + key;
    int at = flat.indexOf(head);
    assertTrue(at >= 0, head + " is missing:\n" + run.out());
    int end = flat.indexOf("-->", at);
    String finding = flat.substring(at, end);
    assertTrue(finding.contains("(" + place), place + " is missing:\n" + finding);
    String rest = flat.substring(at);
    assertTrue(rest.contains(word), word + " is missing:\n" + run.out());
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          temptier.local-dirs|[NVMEE]/t-nvme0/yarn,[DISK]/t-hdd0/yarn|ERROR|NVME
          temptier.local-dirs|[NVME]/t-nvme0/yarn,[DISK]/t-nvme0/yarn,[DISK]/t-hdd0/yarn|ERROR|twice
          temptier.local-dirs|[NVME]/t-nvme0/yarn,[DISK]/t-hdd0/yarn,[DISK]/t-hdd1/yarn|ERROR|not in yarn.nodemanager.local-dirs
          temptier.local-dirs|[NVME]t-nvme0/yarn,[DISK]/t-hdd0/yarn|ERROR|absolute
          temptier.local-dirs|[NVME:lots]/t-nvme0/yarn,[DISK]/t-hdd0/yarn|ERROR|size
          temptier.reserve|120%|ERROR|100%
          temptier.reserve|5%|ERROR|yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage
          temptier.reserv|20%|ERROR|temptier.reserve
          temptier.policy|FASTEST|ERROR|FAST_FIRST
          temptier.unknown-size|64 mice|ERROR|size
          """)
  void valuesOfOurs(String key, String value, String severity, String word) {
    Run run = doctor(new Conf(dir).set(Conf.YARN, key, value));
    assertFinding(run, severity, key, "yarn-site.xml, line ", word);
  }

  @Test
  void spacesAroundDirsAreForgiven() {
    Conf conf =
        new Conf(dir)
            .set(Conf.YARN, "temptier.local-dirs", " [NVME]/t-nvme0/yarn ,\n [DISK]/t-hdd0/yarn ");
    Run run = doctor(conf);
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertTrue(run.out().contains("NVME over DISK"), run.out());
  }

  @Test
  void spacesInADirAreTold() {
    Conf conf =
        new Conf(dir)
            .set(Conf.YARN, "temptier.local-dirs", "[NVME]/t nvme0/yarn,[DISK]/t-hdd0/yarn");
    assertFinding(doctor(conf), "ERROR", "temptier.local-dirs", "yarn-site.xml, line ", "space");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:///"})
  void twoDirsOnOneDeviceAndACapOverTheDisk(String scheme) throws IOException {
    Path fast = Files.createDirectory(dir.resolve("fast"));
    Path slow = Files.createDirectory(dir.resolve("slow"));
    Conf conf =
        new Conf(dir)
            .set(Conf.YARN, "yarn.nodemanager.local-dirs", scheme + fast + "," + scheme + slow)
            .set(Conf.YARN, "temptier.local-dirs", "[DISK:8000t]" + fast + ",[DISK]" + slow);
    Run run = doctor(conf);
    assertFinding(run, "WARNING", "temptier.local-dirs", "yarn-site.xml, line ", "one file system");
    assertFinding(run, "WARNING", "temptier.local-dirs", "yarn-site.xml, line ", "over the size");
  }

  @Test
  void aMisspeltListenerStopsTheNodeManager() {
    Run run = doctor(new Conf(dir).set(Conf.YARN, LISTENER, "io.temptier.hadoop.node.NodeTiering"));
    assertFinding(run, "ERROR", LISTENER, "yarn-site.xml, line ", "will not start");
  }

  @Test
  void aListenerInTheWrongFileHasNoEffect() {
    Conf conf = new Conf(dir).unset(Conf.YARN, LISTENER);
    conf.set(Conf.MAPRED, LISTENER, "io.temptier.hadoop.NodeManagerTiering");
    assertFinding(doctor(conf), "ERROR", LISTENER, "not set", "NodeManagers do not read it");
  }

  @Test
  void aMisspeltPropertyOfTheListenerIsGuessed() {
    Conf conf = new Conf(dir).unset(Conf.YARN, LISTENER);
    conf.set(
        Conf.YARN,
        "yarn.nodemanager.container-state-transition-listener.class",
        "io.temptier.hadoop.NodeManagerTiering");
    assertFinding(
        doctor(conf),
        "ERROR",
        LISTENER,
        "not set",
        "Is yarn.nodemanager.container-state-transition-listener.class meant");
  }

  @Test
  void otherListenersAreKept() {
    Run run = doctor(new Conf(dir).set(Conf.YARN, LISTENER, "com.example.Audit"));
    assertFinding(
        run,
        "ERROR",
        LISTENER,
        "yarn-site.xml, line ",
        "<value>com.example.Audit,io.temptier.hadoop.NodeManagerTiering</value>");
    Conf both =
        new Conf(dir)
            .set(Conf.YARN, LISTENER, "com.example.Audit, io.temptier.hadoop.NodeManagerTiering");
    assertEquals(ExitCodes.FINE, doctor(both).code());
  }

  private static final String CONTAINERS = "yarn.nodemanager.admin-env.CLASSPATH";

  /** Nothing fails for it, and nothing is gained. */
  @Test
  void containersWithoutTempTierAreTold() {
    Run run = doctor(new Conf(dir).unset(Conf.YARN, CONTAINERS));
    assertFinding(run, "WARNING", CONTAINERS, "not set", "stock Hadoop places what they write");
    assertTrue(run.out().contains("/opt/temptier/lib/*"), run.out());
  }

  @Test
  void aFolderWithoutTheJarsIsTold() throws IOException {
    Path empty = Files.createDirectories(dir.resolve("temptier-empty"));
    Conf conf = new Conf(dir).set(Conf.YARN, CONTAINERS, empty + "/*");
    assertFinding(
        doctor(conf), "ERROR", CONTAINERS, "yarn-site.xml, line ", "It does not hold io.temptier");
  }

  @Test
  void twoVersionsOnOnePathAreAnError() {
    Conf conf = new Conf(dir);
    conf.jar(conf.lib().resolve("tiered-localdirs-0.0.9.jar"));
    assertFinding(
        doctor(conf), "ERROR", CONTAINERS, "yarn-site.xml, line ", "tiered-localdirs-0.0.9.jar");
  }

  @ParameterizedTest
  @CsvSource({
    "mapred-site.xml, mapreduce.application.classpath",
    "tez-site.xml, tez.cluster.additional.classpath.prefix"
  })
  void aFrameworksOwnClassPathWillDo(String file, String key) {
    Conf conf = new Conf(dir).unset(Conf.YARN, CONTAINERS);
    conf.set(file, key, conf.lib() + "/*");
    Run run = doctor(conf);
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertFalse(run.out().contains("stock Hadoop places"), run.out());
  }

  @Test
  void jarsAmongHadoopsOwnAreFound() throws IOException {
    Path lib = Files.createDirectories(dir.resolve("hadoop/lib"));
    String key = "mapreduce.application.classpath";
    Conf conf = new Conf(dir).unset(Conf.YARN, CONTAINERS).set(Conf.MAPRED, key, lib + "/*");
    String without = "Tasks go on without TempTier";
    assertTrue(doctor(conf).out().contains(without));
    Path jar = Files.createFile(lib.resolve("shuffle-tier-0.1.0.jar"));
    assertTrue(doctor(conf).out().contains(without), "an empty file is no jar");
    conf.jar(jar);
    assertFalse(doctor(conf).out().contains(without), doctor(conf).out());
  }

  @Test
  void finalAndRepeatedPropertiesAreTold() {
    Conf conf = new Conf(dir);
    conf.add(
        Conf.CORE,
        "<property><name>temptier.reserve</name><value>25%</value><final>true</final></property>");
    conf.set(Conf.YARN, "temptier.reserve", "20%");
    conf.add(Conf.YARN, Conf.property("temptier.policy", "ROUND_ROBIN"));
    conf.add(Conf.YARN, Conf.property("temptier.policy", "FAST_FIRST"));
    conf.add(Conf.YARN, "<property><name>temptier.claim.idle</name></property>");
    Run run = doctor(conf);
    String line = "yarn-site.xml, line ";
    assertFinding(run, "WARNING", "temptier.reserve = 20%", line, "25%, and is final");
    assertFinding(run, "WARNING", "temptier.policy = ROUND_ROBIN", line, "says FAST_FIRST");
    assertFinding(run, "WARNING", "temptier.claim.idle", line, "no <value>");
  }

  @Test
  void ourKeysInMapredSiteAreTold() {
    Run run = doctor(new Conf(dir).set(Conf.MAPRED, "temptier.reserve", "20%"));
    assertFinding(run, "WARNING", "temptier.reserve", "mapred-site.xml, line ", "do not read");
  }

  @Test
  void aNodeWithoutShuffleServiceIsTold() {
    String key = "yarn.nodemanager.aux-services";
    Conf conf = new Conf(dir).unset(Conf.YARN, key);
    assertFinding(doctor(conf), "ERROR", key, "", "alone loads nothing");
    // As on a cluster that runs Spark alone.
    conf.unset(Conf.YARN, key + ".mapreduce_shuffle.class");
    assertFinding(doctor(conf), "WARNING", key, "", "cannot fetch");
  }

  @Test
  void stocksShuffleHandlerIsToldFromOurs() {
    String key = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";
    Conf conf = new Conf(dir).unset(Conf.YARN, key);
    Run run = doctor(conf);
    assertFinding(run, "WARNING", key, "default, yarn-default.xml", "slow disks stall it");
    assertTrue(run.out().contains("<value>io.temptier.shuffle.TieredShuffleHandler</value>"));
    conf.set(Conf.YARN, "temptier.enabled", "false");
    assertFalse(doctor(conf).out().contains(key), "switched off is to be stock");
  }

  @Test
  void otherShuffleHandlersAreTold() {
    String key = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";
    Conf conf = new Conf(dir).set(Conf.YARN, key, "io.temptier.shuffle.TierdShuffleHandler");
    assertFinding(doctor(conf), "ERROR", key, "yarn-site.xml, line ", "does not exist");
    conf.set(Conf.YARN, key, "com.example.Shuffle");
    conf.jar(conf.lib().resolve("shuffle.jar"), "com.example.Shuffle");
    assertFalse(doctor(conf).out().contains(key), "somebody else's");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classpath", "remote-classpath"})
  void aShuffleHandlerOfAnotherClassLoaderIsTold(String end) {
    String key = "yarn.nodemanager.aux-services.mapreduce_shuffle." + end;
    Conf conf = new Conf(dir).set(Conf.YARN, key, "/opt/temptier/lib/*");
    assertFinding(doctor(conf), "WARNING", key, "yarn-site.xml, line ", "nothing is demoted");
  }

  /** Demotion starts before files spill, and files spill before YARN drops the disk. */
  @Test
  void watermarksOutOfOrderAreTold() {
    String yarn = "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage";
    Conf conf =
        new Conf(dir)
            .set(Conf.YARN, "temptier.demotion.low", "60%")
            .set(Conf.YARN, "temptier.demotion.high", "75%")
            .set(Conf.YARN, "temptier.reserve", "20%")
            .set(Conf.YARN, yarn, "85");
    assertFalse(doctor(conf).out().contains("WARNING"), "60 < 75 < 80 < 85");
    conf.set(Conf.YARN, "temptier.demotion.high", "80%");
    assertFinding(doctor(conf), "WARNING", "temptier.demotion.high", "yarn-site.xml", "too late");
    conf.set(Conf.YARN, "temptier.demotion.high", "75%").set(Conf.YARN, yarn, "79");
    assertFinding(doctor(conf), "ERROR", "temptier.reserve", "yarn-site.xml", "takes the dir away");
    conf.set(Conf.YARN, yarn, "85").set(Conf.YARN, "temptier.demotion.low", "75%");
    assertFinding(doctor(conf), "ERROR", "temptier.demotion.low", "yarn-site.xml", "stop at once");
  }

  @Test
  void switchedOffIsSaidAndNoError() {
    Conf conf = new Conf(dir).set(Conf.YARN, "temptier.enabled", "false");
    Run run = doctor(conf.unset(Conf.YARN, LISTENER));
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertTrue(run.out().contains("switched off"), run.out());
  }

  @Test
  void anUploadBufferOutsideTheTiersIsTold() {
    Conf conf = new Conf(dir).set(Conf.CORE, "fs.s3a.buffer.dir", "/t-tmp/s3a");
    assertFinding(
        doctor(conf), "WARNING", "fs.s3a.buffer.dir", "core-site.xml, line ", "outside all local");
  }
}
