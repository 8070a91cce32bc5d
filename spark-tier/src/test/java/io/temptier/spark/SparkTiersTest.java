// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  private static Path home(Path root) {
    return root.resolve("usercache/ann/appcache/application_1_0001/blockmgr-" + root.getFileName());
  }

  private static String why(SparkConf conf, List<Path> homes) {
    return String.valueOf(
        assertThrows(SparkTiers.StockException.class, () -> SparkTiers.of(conf, homes))
            .getMessage());
  }
}
