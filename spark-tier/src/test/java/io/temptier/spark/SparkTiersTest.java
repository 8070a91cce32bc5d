// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkTiersTest {
  @TempDir Path temp;

  private Path nvme = Path.of("/");
  private Path hdd = Path.of("/");

  private static LocalDir nvme(Path path) {
    return LocalDir.of(path, Medium.NVME, LocalDir.NO_CAP, "test");
  }

  private static LocalDir disk(Path path) {
    return LocalDir.of(path, Medium.DISK, LocalDir.NO_CAP, "test");
  }

  /** What a NodeManager of two dirs leaves in its markers. */
  static NodeTiers node(Path fast, Path slow, boolean demotes) {
    return NodeTiers.of(
        TierLayout.of(
            List.of(disk(slow), nvme(fast)), List.of(Medium.values()), any -> Reserve.DEFAULT),
        TierSettings.DEFAULT,
        DemotionSettings.of(demotes, DemotionSettings.DEFAULT.marks(), 1 << 20, Duration.ZERO));
  }

  @BeforeEach
  void makeDirs() throws Exception {
    nvme = Files.createDirectories(temp.resolve("nvme"));
    hdd = Files.createDirectories(temp.resolve("hdd"));
  }

  @Test
  void onYarnTheMarkerTells() throws Exception {
    NodeTiers node = node(nvme, hdd, false);
    NodeMarker.write(hdd, node);
    NodeMarker.write(nvme, node);
    SparkConf conf = new SparkConf(false).set("spark.master", "yarn");
    SparkTiers tiers = SparkTiers.of(conf, List.of(home(hdd), home(nvme)));
    assertEquals(List.of(disk(hdd), nvme(nvme)), tiers.dirOf());
    assertEquals(Medium.NVME, tiers.tiers().layout().tiers().get(0).medium());
    assertEquals(node.demotion(), tiers.tiers().demotion());
    assertEquals(List.of(nvme, hdd), tiers.roots());
  }

  @Test
  void onYarnAServiceThatFollowsNoLinkIsTold() throws Exception {
    NodeTiers node = node(nvme, hdd, false);
    TierSettings refuses = node.settings().toBuilder().sparkLinks(false).build();
    NodeMarker.write(hdd, NodeTiers.of(node.layout(), refuses, node.demotion()));
    SparkConf conf = new SparkConf(false).set("spark.master", "yarn");
    List<Path> homes = List.of(home(hdd), home(nvme));
    assertEquals(2, SparkTiers.of(conf, homes).dirOf().size(), "without the service");
    conf.set("spark.shuffle.service.enabled", "true");
    Texts.has(why(conf, homes), "the shuffle service follows no link", "AtRead=false");
  }

  @Test
  void onYarnWithoutAMarkerItIsSparks() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.master", "yarn")
            .set(SparkTiers.DIRS_KEY, "[NVME]" + nvme + ",[DISK]" + hdd);
    String why = why(conf, List.of(home(hdd), home(nvme)));
    assertTrue(why.contains("no NodeManager with TempTier left its marker in"), why);
  }

  @Test
  void aNodeThatIsSwitchedOffSaysSo() throws Exception {
    SparkConf conf = new SparkConf(false).set("spark.master", "yarn");
    NodeMarker.write(hdd, node(nvme, hdd, true));
    NodeMarker.remove(hdd, "temptier.enabled=false (yarn-site.xml)");
    String why = why(conf, List.of(home(nvme), home(hdd)));
    Texts.has(
        why,
        "is off in the NodeManager of this node, which says in "
            + hdd
            + "/.temptier/off: temptier.enabled=false (yarn-site.xml)");
  }

  @Test
  void elsewhereTheTagsTell() throws Exception {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.master", "spark://host:7077")
            .set(SparkTiers.DIRS_KEY, "[NVME:5g]" + nvme + ",[DISK]" + hdd);
    SparkTiers tiers =
        SparkTiers.of(
            conf,
            List.of(
                hdd.resolve("spark-1/executor-2/blockmgr-3"),
                nvme.resolve("spark-1/executor-2/blockmgr-4")));
    assertEquals(List.of(hdd, nvme), tiers.dirOf().stream().map(LocalDir::path).toList());
    assertEquals(5L << 30, tiers.dirOf().get(1).capBytes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[NVMEE]$NVME,[DISK]$HDD; Did you mean NVME",
        "[NVME]$NVME; does not list the dir that $HOME is in",
        "[DISK]$NVME,[DISK]$HDD; all on one medium"
      })
  void dirsThatMakeNoTiersAreSparks(String dirs, String expected) {
    String tagged = dirs.replace("$NVME", nvme.toString()).replace("$HDD", hdd.toString());
    SparkConf conf = new SparkConf(false).set(SparkTiers.DIRS_KEY, tagged);
    String why = why(conf, List.of(home(hdd), home(nvme)));
    assertTrue(why.contains(expected.replace("$HOME", home(hdd).toString())), why);
  }

  private SparkConf tagged(String... more) {
    SparkConf conf = new SparkConf(false).set("spark.master", "local");
    conf.set(SparkTiers.DIRS_KEY, "[NVME]" + nvme + ",[DISK]" + hdd);
    for (String one : more) {
      String[] parts = one.split("=", 2);
      conf.set("spark.temptier." + parts[0], parts[1]);
    }
    return conf;
  }

  /** Spark resolves links, and makes its folders in what they lead to. */
  @Test
  void aDirMayBeALinkOrAUri() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), nvme);
    SparkConf conf = tagged().set(SparkTiers.DIRS_KEY, "[NVME]" + link + ",[DISK]file://" + hdd);
    SparkTiers tiers = SparkTiers.of(conf, List.of(home(hdd), home(nvme)));
    assertEquals(List.of(hdd, nvme), tiers.dirOf().stream().map(LocalDir::path).toList());
  }

  @Test
  void ofDirsInOneAnotherTheInnerOneIsMeant() throws Exception {
    SparkConf conf = tagged().set(SparkTiers.DIRS_KEY, "[DISK]" + temp + ",[NVME]" + nvme);
    SparkTiers tiers = SparkTiers.of(conf, List.of(home(hdd), home(nvme)));
    assertEquals(List.of(temp, nvme), tiers.dirOf().stream().map(LocalDir::path).toList());
  }

  /** A Worker's executors have folders of their own in each dir. */
  @Test
  void executorsOfAWorkerShareADir() throws Exception {
    String worker = "/spark-" + UUID.randomUUID();
    SparkConf conf = tagged("tier-order=RAM_DISK").remove(SparkTiers.DIRS_KEY);
    Path home = Path.of(hdd + worker + "/executor-" + UUID.randomUUID() + "/blockmgr-1");
    assertTrue(why(conf, List.of(home)).endsWith("[[DISK]" + hdd + "]"), why(conf, List.of(home)));
  }

  @Test
  void allThatExecutorsReadCanBeSet() throws Exception {
    SparkTiers tiers =
        SparkTiers.of(
            tagged(
                "reserve=20g",
                "reserve.nvme=10%",
                "unknown-size=8m",
                "large-size=1g",
                "fill-limits=kind:CACHED_BLOCK=60%",
                "demotion.enabled=false",
                "demotion.high=60%",
                "demotion.rate=1m"),
            List.of(home(hdd), home(nvme)));
    assertEquals(
        List.of(Reserve.ofFraction(0.1), Reserve.ofBytes(20L << 30)),
        tiers.tiers().layout().tiers().stream().map(Tier::reserve).toList());
    assertEquals(8 << 20, tiers.tiers().settings().unknownSizeBytes());
    assertEquals(1 << 30, tiers.tiers().settings().largeSizeBytes());
    assertEquals("kind:CACHED_BLOCK=60%", tiers.tiers().settings().limits().toString());
    DemotionSettings demotion = tiers.tiers().demotion();
    assertFalse(demotion.enabled());
    assertEquals(0.6, demotion.marks().high());
    assertEquals(1 << 20, demotion.bytesPerSecond());
  }

  @Test
  void whatIsNotSetIsAsOnYarn() throws Exception {
    SparkTiers tiers = SparkTiers.of(tagged(), List.of(home(hdd), home(nvme)));
    assertEquals(TierSettings.DEFAULT, tiers.tiers().settings());
    assertEquals(DemotionSettings.DEFAULT, tiers.tiers().demotion());
    assertEquals(Reserve.DEFAULT, tiers.tiers().layout().tiers().get(0).reserve());
  }

  @Test
  void aWrongValueLeavesAllToSparkAndIsNamedAsItWasSet() {
    String why = why(tagged("reserve=much"), List.of(home(hdd), home(nvme)));
    Texts.has(why, "spark.temptier.reserve=much (Spark's configuration): ", "the default is 15%");
    assertFalse(why.contains("Hadoop") || why.contains("this node"), why);
  }

  @ParameterizedTest
  @CsvSource({
    "local, drivr=true, Did you mean spark.temptier.driver?",
    "local, resrve=20%, Did you mean spark.temptier.reserve?",
    "local, colour=red, docs/spark.md lists all",
    "local, homes=fast, There is no property",
    "local, shuffle.memory=64m, only a NodeManager goes by temptier.shuffle.memory",
    "yarn, reserve=20%, Set temptier.reserve there"
  })
  void whatHasNoEffectIsTold(String master, String set, String expected) {
    SparkConf conf = tagged(set, "demotion=true").remove(SparkTiers.DIRS_KEY);
    List<String> told = SparkKeys.idle(conf.set("spark.master", master));
    assertEquals(1, told.size(), told::toString);
    Texts.has(told.get(0), "spark.temptier." + set.split("=", -1)[0], expected);
  }

  @Test
  void aServiceThatRefusesLinksIsToldFromOthers() throws Exception {
    ClassLoader newer = spark("newer", "code of 4.3: verifyBlockPathsAtRead");
    ClassLoader older = spark("older", "code");
    SparkConf conf = new SparkConf(false);
    assertFalse(SparkTiers.refusesLinks(conf, newer), "there is no service");
    conf.set("spark.shuffle.service.enabled", "true");
    assertTrue(SparkTiers.refusesLinks(conf, newer));
    assertFalse(SparkTiers.refusesLinks(conf, older), "before 4.3");
    conf.set("spark.shuffle.service.verifyBlockPathsAtRead", "false");
    assertFalse(SparkTiers.refusesLinks(conf, newer), "switched off");
  }

  /** A class path whose shuffle service has that code. */
  private ClassLoader spark(String name, String code) throws IOException {
    Path jars = temp.resolve(name);
    Path resolver =
        jars.resolve("org/apache/spark/network/shuffle/ExternalShuffleBlockResolver.class");
    Files.createDirectories(resolver.getParent());
    Files.writeString(resolver, code);
    return new URLClassLoader(new URL[] {jars.toUri().toURL()}, null);
  }

  private static Path home(Path root) {
    return root.resolve("usercache/ann/appcache/application_1_0001/blockmgr-" + root.getFileName());
  }

  private static String why(SparkConf conf, List<Path> homes) {
    return String.valueOf(
        assertThrows(SparkTiers.StockException.class, () -> SparkTiers.of(conf, homes))
            .getMessage());
  }
}
