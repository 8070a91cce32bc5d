// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.hadoop.conf.TierConfig.Resolution;
import io.temptier.testing.FakeKernel;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TierConfigTest {
  private static final String YARN_DIRS = YarnConfiguration.NM_LOCAL_DIRS;
  private static final String OURS = "temptier.local-dirs";
  private static final String MAX_USED = YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE;
  private static final String CHECKS = YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE;
  private static final String MIN_FREE = YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB;
  private static final String RESERVED = YarnConfiguration.NM_SYSTEM_RESERVED_PMEM_MB;
  private static final long DISK_BYTES = 1L << 40;

  /** Loaded once, as reading Hadoop's own defaults takes longest. */
  private static final Configuration DEFAULTS = new YarnConfiguration();

  private final FakeKernel kernel;

  /** Where all is mounted. */
  private final Path root;

  private final Path nvme;
  private final Path hdd;

  /** Two mounted disks, an NVMe and a rotating one, each with a folder. */
  TierConfigTest(@TempDir Path temp) throws IOException {
    kernel = new FakeKernel(temp).disk("nvme0n1", "259:0", 0).disk("sda", "8:0", 1);
    kernel.sized(path -> DISK_BYTES);
    root = kernel.root().resolve("mnt");
    Path fast = kernel.mount("nvme0", "259:0", "ext4", "/dev/nvme0n1", "rw");
    Path slow = kernel.mount("hdd0", "8:0", "ext4", "/dev/sda", "rw");
    nvme = Files.createDirectory(fast.resolve("yarn"));
    hdd = Files.createDirectory(slow.resolve("yarn"));
  }

  private Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(DEFAULTS);
    conf.set(YARN_DIRS, hdd + "," + nvme, "yarn-site.xml");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      String value =
          keysAndValues[i + 1].replace("$NVME", nvme.toString()).replace("$HDD", hdd.toString());
      conf.set(keysAndValues[i], value, "yarn-site.xml");
    }
    return conf;
  }

  /** YARN's dirs and ours, by what stands in ours. */
  private static String[] tagged(String dirs) {
    return new String[] {YARN_DIRS, dirs.replaceAll("\\[\\w+]", ""), OURS, dirs};
  }

  private Resolution resolve(String... keysAndValues) {
    return TierConfig.resolve(conf(keysAndValues), kernel.classifier());
  }

  private static Finding only(Resolution resolution, Severity severity, String key) {
    List<Finding> found =
        resolution.findings().stream()
            .filter(f -> f.severity() == severity && f.key().equals(key))
            .toList();
    assertEquals(1, found.size(), () -> severity + " of " + key + " in " + resolution.findings());
    boolean off = found.get(0).consequence().endsWith(" which behaves as stock Hadoop.");
    assertEquals(severity == Severity.ERROR, off, found::toString);
    return found.get(0);
  }

  private static Finding onlyError(Resolution resolution, String key) {
    assertEquals(
        1,
        resolution.findings().stream().filter(f -> f.severity() == Severity.ERROR).count(),
        resolution.findings()::toString);
    assertTrue(resolution.tiers().isEmpty());
    return only(resolution, Severity.ERROR, key);
  }

  private static void assertSays(Finding finding, String... texts) {
    Texts.has(finding.toString(), texts);
  }

  @Test
  void takesTheDefaultsOfAnEmptyConfiguration() {
    Resolution resolution = resolve();
    assertEquals(List.of(), resolution.findings());
    NodeTiers node = resolution.tiers().orElseThrow();
    assertEquals(TierSettings.DEFAULT, node.settings());
    assertEquals("NVME over DISK", node.layout().toString());
    for (Tier tier : node.layout().tiers()) {
      assertEquals(Reserve.DEFAULT, tier.reserve());
    }
    assertEquals(List.of(nvme, hdd), node.layout().dirs().stream().map(LocalDir::path).toList());
    LocalDir fast = node.layout().dirs().get(0);
    assertFalse(fast.capped());
    assertTrue(
        fast.origin().startsWith("kernel: ") && fast.origin().contains("nvme0n1"), fast::origin);
  }

  @Test
  void mapsEveryKey() {
    Map<String, String> values = new TreeMap<>();
    values.put("temptier.enabled", "TRUE");
    values.put(OURS, "[SSD:200g]$NVME,[REMOTE]$HDD");
    values.put("temptier.accept", "temptier.tier-order,$HDD,$HDD");
    values.put("temptier.tier-order", "REMOTE, ssd");
    values.put("temptier.reserve", "30%");
    values.put("temptier.shift-when-slow", "False");
    values.put("temptier.unknown-size", "1.5m");
    values.put("temptier.large-size", "9g");
    values.put("temptier.fill-limits", "user:etl=40%, kind:cached_block=55.5%");
    values.put("temptier.demotion.cold-after", "3m");
    values.put("temptier.demotion.enabled", "true");
    values.put("temptier.demotion.rate", "12m");
    int percent = 50;
    for (String name : List.of("nvme", "ssd", "disk")) {
      values.put("temptier.reserve." + name, percent - 19 + "%");
      percent++;
    }
    values.put("temptier.reserve.ssd", "300g");
    values.put("temptier.demotion.high", "60%");
    values.put("temptier.demotion.low", "20%");
    values.put("temptier.shuffle.memory", "96m");
    values.put("temptier.shuffle.lane-depth.disk", "7");
    assertEquals(values.keySet(), new TreeSet<>(TierKey.names()), "every key is here");

    String[] all =
        values.entrySet().stream()
            .flatMap(e -> Stream.of(e.getKey(), e.getValue()))
            .toArray(String[]::new);
    Resolution resolution = resolve(all);
    NodeTiers node = resolution.tiers().orElseThrow(() -> new AssertionError(resolution));
    String origin = "tag in yarn-site.xml";
    assertEquals(
        List.of(
            Tier.of(
                Medium.REMOTE,
                List.of(LocalDir.of(hdd, Medium.REMOTE, LocalDir.NO_CAP, origin)),
                Reserve.ofFraction(0.30)),
            Tier.of(
                Medium.SSD,
                List.of(LocalDir.of(nvme, Medium.SSD, 200L << 30, origin)),
                Reserve.ofBytes(300L << 30))),
        node.layout().tiers());
    assertEquals(
        TierSettings.DEFAULT.toBuilder()
            .unknownSizeBytes(3L << 19)
            .largeSizeBytes(9L << 30)
            .limits(FillLimits.create(Map.of(FileKind.CACHED_BLOCK, 0.555), Map.of("etl", 0.4)))
            .build(),
        node.settings());
    DemotionSettings demotion = demotion(all);
    assertEquals(demotion, node.demotion());
    assertTrue(demotion.enabled());
    assertEquals(12L << 20, demotion.bytesPerSecond());
    assertEquals(Duration.ofMinutes(3), demotion.coldAfter());
    assertEquals(DemotionSettings.Marks.of(0.60, true, 0.20, true), demotion.marks());
    assertEquals(List.of(), resolution.findings());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "temptier.enabled; flase; neither true nor false",
        "temptier.unknown-size; 64x; 64m",
        "temptier.demotion.high; 50; % sign",
        "temptier.fill-limits; user:etl; is not like user:NAME=50%",
        "temptier.fill-limits; kind:BLOCK=5%; is none of",
        "temptier.demotion.cold-after; 1000; with a unit",
        "temptier.demotion.cold-after; 0s; not more than nothing",
        "temptier.demotion.cold-after; 2d; Allowed: duration, 1ms to 1d; the default is 1m",
        "temptier.unknown-size; 0; less than 128k",
        "temptier.unknown-size; 8191p; more than 1t",
        "temptier.large-size; 8191p; more than 1p",
        "temptier.reserve; 100%; no file would have room",
        "temptier.demotion.high; 0%; less than 1%",
        "temptier.demotion.low; 100%; more than 99%",
        "temptier.demotion.rate; 1; less than 64k",
        "temptier.shuffle.memory; 1m; less than 4m",
        "temptier.shuffle.memory; 8191p; more than 64g",
        "temptier.shuffle.lane-depth.disk; 0; 1 to 1024",
        "temptier.reserve; 120%; over 100%",
        "temptier.reserve; 15; write 15%",
        "temptier.reserve; lots; not a size",
        "temptier.tier-order; NVME,DSIK; did you mean DISK",
        "temptier.tier-order; NVME,SSD,nvme; NVME is named twice",
        "temptier.local-dirs; [NVEM]$NVME,$HDD; Did you mean NVME",
        "temptier.local-dirs; $NVME,$HDD,/elsewhere; not in yarn.nodemanager.local-dirs",
        "temptier.demotion.enabled; yes; neither true nor false",
        "temptier.demotion.high; 0.8; the default is 80%",
        "temptier.demotion.low; low; the default is 70%",
        "temptier.demotion.low; 80%; starts at 80% (the default of temptier.demotion.high",
        "temptier.demotion.low; 90%; Set temptier.demotion.low to less",
        "temptier.demotion.rate; 0; temptier.demotion.enabled=false",
        "temptier.enable; false; Did you mean temptier.enabled?",
        "tempteir.enabled; false; Did you mean temptier.enabled?",
        "yarn.nodemanager.local-dirs; ' '; no local dir",
        "yarn.nodemanager.local-dirs; [NVME]/nvme0/yarn,$HDD; Tags do not belong here",
        "yarn.nodemanager.local-dirs; yarn/local,$HDD; relative",
      })
  void staysOffWhereTheMeaningIsInDoubt(String key, String value, String text) {
    Resolution resolution = resolve(key, value);
    Finding finding = onlyError(resolution, key);
    assertSays(finding, text);
    assertEquals(finding, resolution.findings().get(0), "the worst comes first");
    assertFalse(finding.remedy().isEmpty());
    if (!value.isBlank()) {
      assertEquals("yarn-site.xml", finding.origin());
    }
  }

  /** One configuration serves nodes of several versions while a new one is rolled out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "temptier.demotion.hi; 70%; Did you mean temptier.demotion.high?",
        "temptier.demotion.threads; 4; Take it out, unless another version",
        "temptier.enable; true; Did you mean temptier.enabled?",
        "temptier.localdirs; /a; Did you mean temptier.local-dirs?",
        "temptier.reserve.nvm; 5%; Did you mean temptier.reserve.nvme?",
        "temptier.reserve.hdd; 5%; Did you mean temptier.reserve.disk?",
        "tempteir.reserve; 5%; Did you mean temptier.reserve?",
        "TempTier.reserve; 5%; Did you mean temptier.reserve?",
        "temptier.reserve.ram_disk; 5%; Take it out, unless another version",
      })
  void aKeyOfAnotherVersionIsAWarning(String key, String value, String text) {
    Resolution resolution = resolve(key, value);
    assertSays(only(resolution, Severity.WARNING, key), text, "no effect");
    assertEquals("NVME over DISK", resolution.tiers().orElseThrow().layout().toString());
    // Somebody else's, near ours.
    assertEquals(List.of(), resolve("temper.threads", "4", "temptier", "x").findings());
  }

  @Test
  void anEntryThatCannotBeReadIsNotSaidToBeMissing() {
    Resolution tag = resolve(OURS, "[NVEM]$NVME,[DISK]$HDD");
    assertEquals(1, tag.findings().size(), () -> tag.findings().toString());
    Resolution tagged =
        resolve(YARN_DIRS, "[NVME]$NVME,[DISK]$HDD", OURS, "[NVME]$NVME,[DISK]$HDD");
    assertTrue(
        tagged.findings().stream().allMatch(f -> f.consequence().contains("Tags do not belong")),
        () -> tagged.findings().toString());
  }

  @Test
  void warningsThatAreAcceptedAreRemarks() {
    Resolution warned = resolve("temptier.zzz", "1", OURS, "[NVME]$NVME");
    Resolution accepted =
        resolve("temptier.zzz", "1", OURS, "[NVME]$NVME", "temptier.accept", "a.b, temptier.zzz");
    assertSays(only(accepted, Severity.INFO, "temptier.zzz"), "no such property", "accepted");
    only(accepted, Severity.WARNING, OURS);
    assertEquals(warned.tiers(), accepted.tiers());
    // No error is accepted away.
    onlyError(
        resolve("temptier.reserve", "x", "temptier.accept", "temptier.reserve"),
        "temptier.reserve");
  }

  @Test
  void findsAllProblemsInOneGo() {
    String wrong =
        "temptier.unknown-size; x; temptier.reserve; y; temptier.demotion.cold-after; z;"
            + " temptier.local-dirs; [Q]$NVME,[DISK:?]$HDD; temptier.enable; 0";
    Resolution resolution = resolve(wrong.split("; ", -1));
    assertEquals(
        6,
        resolution.findings().stream().filter(f -> f.severity() == Severity.ERROR).count(),
        resolution.findings()::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "5%, 90.0, 5%, 15%",
    "9.9%, 90.0, 9.9%, 15%",
    "15%, 80, 15%, 25%",
    "50g, 90.0, 4.88%, 15%",
    "0, 99, 0%, 6%"
  })
  void staysOffWhenYarnWouldTakeTheDirAwayFirst(
      String reserve, String maxUsed, String kept, String wanted) {
    Resolution resolution = resolve("temptier.reserve", reserve, MAX_USED, maxUsed);
    Finding finding = onlyError(resolution, "temptier.reserve");
    assertSays(
        finding,
        "keeps " + kept,
        MAX_USED + "=" + Double.parseDouble(maxUsed),
        "(yarn-site.xml)",
        "Set temptier.reserve to " + wanted,
        "or raise " + MAX_USED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "temptier.local-dirs; [NVME:1t]$NVME,$HDD",
        "temptier.local-dirs; [SSD]$NVME,[DISK]$HDD",
        // Reserves that bite before YARN does, or whose check is off.
        "temptier.reserve; 15%; " + MAX_USED + "; 85",
        "temptier.reserve; 10%; " + MAX_USED + "; 90.0",
        "temptier.reserve; 10%; " + MAX_USED + "; 100",
        "temptier.reserve; 0%; " + MAX_USED + "; 100",
        "temptier.reserve; 0%; " + MAX_USED + "; 120",
        "temptier.reserve; 200g; " + MAX_USED + "; 90.0",
        "temptier.reserve; 1%; " + CHECKS + "; false",
        "temptier.reserve; 1%; " + WatermarkChecks.BY_PERCENT + "; false",
        MIN_FREE + "; 100000",
        MIN_FREE + "; 200000; " + WatermarkChecks.BY_BYTES + "; false",
        // What is no number stops YARN itself; nothing is to be added to its message.
        "temptier.reserve; 10%; " + MAX_USED + "; much",
        // The default marks are lowered below where files spill.
        "temptier.reserve; 40%",
        "temptier.demotion.high; 60%",
        // They stand in core-site.xml, which a NodeManager reads, too.
        "temptier.s3a.endpoints; http://rgw1,http://rgw2",
      })
  void saysNothingOfWhatMayWellBe(String keysAndValues) {
    assertEquals(List.of(), resolve(keysAndValues.split("; ", -1)).findings());
  }

  @ParameterizedTest
  @CsvSource({"85%, 15%, 85%", "90%, 15%, 85%", "80%, 25%, 75%", "96%, 50g, 95.12%"})
  void warnsWhenDemotionWouldStartAfterFilesSpill(String high, String reserve, String spill) {
    Resolution resolution =
        resolve("temptier.demotion.high", high, "temptier.reserve", reserve, MAX_USED, "100");
    assertSays(
        only(resolution, Severity.WARNING, "temptier.demotion.high"),
        "once " + spill + " of it is used",
        "temptier.reserve=" + reserve,
        "Set temptier.demotion.high to less");
    assertTrue(resolution.tiers().isPresent());
  }

  @Test
  void lowersTheDefaultMarksBelowWhereFilesSpill() {
    DemotionSettings.Marks marks = demotion().marks();
    assertMarks(0.80, 0.70, marks.at(0.85));
    assertMarks(0.80, 0.70, marks.at(1));
    assertMarks(0.55, 0.45, marks.at(0.60));
    assertMarks(0, 0, marks.at(0.01));
    DemotionSettings.Marks high = demotion("temptier.demotion.high", "60%").marks();
    assertMarks(0.60, 0.50, high.at(0.85));
    assertMarks(0.60, 0.50, high.at(0.30));
    DemotionSettings.Marks low = demotion("temptier.demotion.low", "5%").marks();
    assertMarks(0.80, 0.05, low.at(0.85));
  }

  private DemotionSettings demotion(String... keysAndValues) {
    return TierConfig.demotion(conf(keysAndValues), new ArrayList<>());
  }

  private static void assertMarks(double high, double low, DemotionSettings.Marks marks) {
    assertEquals(high, marks.high(), 1e-9);
    assertEquals(low, marks.low(), 1e-9);
  }

  @Test
  void comparesWithYarnsMinimumInMegabytesToo() {
    assertSays(
        onlyError(resolve(MIN_FREE, "200000"), "temptier.reserve"),
        "keeps 153.6 GiB",
        MIN_FREE + "=200000 (yarn-site.xml)",
        "195.3 GiB",
        "more than 200000m");
  }

  @Test
  void namesTheKeyOfTheTierThatBitesLate() {
    Finding finding = onlyError(resolve("temptier.reserve.nvme", "1%"), "temptier.reserve.nvme");
    assertSays(finding, nvme.toString(), "yarn-default.xml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "temptier.local-dirs; [NVME]$NVME; WARNING; $HDD|kernel; NVME over DISK",
        "temptier.local-dirs; [NVME:2t]$NVME,$HDD; WARNING; 2 TiB|1 TiB|mounted; NVME over DISK",
        "temptier.local-dirs; [NVME]$NVME,[SSD]$HDD; WARNING; DISK|The tag holds; NVME over SSD",
        "temptier.local-dirs; [RAM_DISK]$NVME,$HDD; INFO; NVME|The tag holds; RAM_DISK over DISK",
        "temptier.local-dirs; [DISK]$NVME,[DISK]$HDD; INFO; one tier, DISK; DISK",
      })
  void saysWhatIsOddAndGoesOn(
      String key, String value, Severity severity, String texts, String layout) {
    Resolution resolution = resolve(key, value);
    assertSays(only(resolution, severity, key), texts.replace("$HDD", hdd.toString()).split("[|]"));
    assertEquals(layout, resolution.tiers().orElseThrow().layout().toString());
  }

  @Test
  void warnsOfADirThatIsNoFolder() throws IOException {
    Path file = Files.createFile(root.resolve("hdd0/file"));
    Resolution resolution = resolve(YARN_DIRS, "$NVME," + file);
    assertSays(only(resolution, Severity.WARNING, YARN_DIRS), "not a folder");
  }

  @Test
  void saysNothingOfBytesWhereTheSizeIsUnknown() {
    Resolution resolution =
        TierConfig.resolve(conf("temptier.reserve", "1g"), kernel.sized(path -> 0).classifier());
    assertEquals(List.of(), resolution.findings());
  }

  @Test
  void warnsOfDirsOnOneFileSystem() throws IOException {
    Path second = Files.createDirectory(nvme.resolveSibling("yarn2"));
    Resolution resolution = resolve(YARN_DIRS, "$HDD,$NVME," + second);
    assertSays(
        only(resolution, Severity.WARNING, YARN_DIRS),
        nvme.toString(),
        second.toString(),
        "one file system",
        "room or speed");
    assertTrue(resolution.tiers().isPresent());
    Resolution tiers = resolve(tagged("[DISK]$HDD,[NVME]$NVME,[SSD]" + second));
    assertSays(only(tiers, Severity.WARNING, OURS), "though they are in different");
  }

  @Test
  void staysOffWhenTwoDirsAreOneFolder() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("link"), nvme);
    Resolution resolution = resolve(YARN_DIRS, "$HDD,$NVME," + link);
    assertSays(onlyError(resolution, YARN_DIRS), link.toString(), "same folder as " + nvme);
  }

  private Resolution accepting(Path dir, String... keysAndValues) {
    Configuration conf = conf(keysAndValues);
    conf.set("temptier.accept", "x.y," + dir, "yarn-site.xml");
    return TierConfig.resolve(conf, kernel.classifier());
  }

  /** The finding, and that the dir counts as slow until the operator means it. */
  private Finding countsAsSlow(Path dir, String... keysAndValues) {
    Resolution resolution = resolve(keysAndValues);
    assertEquals(Set.of(dir), resolution.unfit());
    List<Tier> tiers = resolution.tiers().orElseThrow().layout().tiers();
    assertEquals(Medium.DISK, tiers.get(tiers.size() - 1).medium());
    Set<Path> slowest = new HashSet<>();
    tiers.get(tiers.size() - 1).dirs().forEach(slow -> slowest.add(slow.path()));
    assertTrue(slowest.contains(dir), tiers::toString);
    Resolution meant = accepting(dir, keysAndValues);
    assertEquals(Set.of(), meant.unfit());
    assertEquals("NVME over DISK", meant.tiers().orElseThrow().layout().toString());
    assertTrue(
        meant.findings().stream().noneMatch(f -> f.severity() == Severity.WARNING),
        meant.findings()::toString);
    return only(resolution, Severity.WARNING, OURS);
  }

  @Test
  void aFastDirOnTheRootFileSystemBesideMountsCountsAsSlow() throws IOException {
    Path unmounted = Files.createDirectories(root.resolve("nvme9/yarn"));
    assertSays(
        countsAsSlow(unmounted, tagged("[DISK]$HDD,[NVME]" + unmounted)),
        "root file system (/)",
        "is its disk not mounted",
        "Mount its disk and restart");
    // Where all dirs lie there, stock fills it as well.
    Path other = Files.createDirectories(root.resolve("hdd9/yarn"));
    Resolution trial = resolve(tagged("[DISK]" + other + ",[NVME]" + unmounted));
    assertEquals("NVME over DISK", trial.tiers().orElseThrow().layout().toString());
    assertTrue(trial.findings().toString().contains("TempTier would fill first"));
  }

  @Test
  void aFastDirWithoutExecCountsAsSlow() throws IOException {
    Path mount = kernel.mount("nvme1", "259:0", "ext4", "/dev/nvme0n1", "rw,noexec");
    Path dir = Files.createDirectory(mount.resolve("yarn"));
    Finding finding = countsAsSlow(dir, tagged("$HDD,[NVME]" + dir));
    assertSays(finding, "mounted noexec", "native libraries", "counts as DISK");
  }

  @Test
  void aFastDirThatUsersMayNotEnterCountsAsSlow() throws IOException {
    String[] linux = {
      OURS,
      "[NVME]$NVME,[DISK]$HDD",
      YarnConfiguration.NM_CONTAINER_EXECUTOR,
      "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor"
    };
    // Folders of tests are closed to others themselves.
    for (Path above = nvme; above != null && Files.isWritable(above); above = above.getParent()) {
      Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
      if (above.equals(kernel.root())) {
        break;
      }
    }
    assertEquals(List.of(), resolve(linux).findings());
    Files.setPosixFilePermissions(nvme, PosixFilePermissions.fromString("rwx------"));
    assertSays(countsAsSlow(nvme, linux), "Neither group nor others may enter " + nvme, "755");
    assertEquals(List.of(), resolve(OURS, "[NVME]$NVME,[DISK]$HDD").findings());
    Files.setPosixFilePermissions(nvme, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path above = nvme.getParent();
    Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwx------"));
    assertSays(countsAsSlow(nvme, linux), "may enter " + above + ",");
    Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "temptier.local-dirs; [DISK]$NVME,[NVME]$HDD; temptier.local-dirs",
        "temptier.local-dirs; [SSD]$NVME,[RAM_DISK]$HDD; temptier.local-dirs",
        "temptier.tier-order; DISK,NVME; temptier.tier-order",
      })
  void whatFillsTheSlowerDiskFirstIsAnErrorUnlessItIsMeant(String key, String value, String of) {
    assertSays(
        onlyError(resolve(key, value), of),
        hdd + " is filled before " + nvme,
        "the kernel says DISK",
        "rotates");
    assertTrue(accepting(hdd, key, value).tiers().isPresent());
  }

  /** An SSD RAID that its controller calls rotational, beside a LUN that is said not to rotate. */
  @Test
  void whatTheKernelMayGetWrongIsAWarning() throws IOException {
    kernel.disk("sdq", "65:0", 0);
    Path lun = kernel.mount("lun", "65:0", "ext4", "/dev/sdq", "rw").resolve("yarn");
    Resolution resolution = resolve(tagged("[SSD]$HDD,[DISK]" + lun));
    Finding found =
        resolution.findings().stream()
            .filter(each -> each.consequence().contains("is filled before"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(resolution.findings()));
    assertEquals(Severity.WARNING, found.severity());
    assertTrue(resolution.tiers().isPresent());
  }

  @Test
  void aTmpfsTaggedAsADiskIsAWarning() throws IOException {
    Path memory = kernel.mount("mem", "0:50", "tmpfs", "tmpfs", "rw");
    Resolution resolution = resolve(tagged("[NVME]" + memory + ",$HDD"));
    assertSays(only(resolution, Severity.WARNING, OURS), "Tagged NVME", "RAM_DISK");
  }

  @Test
  void yarnsOwnFoldersOnAFastTierAreTold() throws IOException {
    Path beside = nvme.resolveSibling("logs");
    assertSays(
        only(
            resolve(YarnConfiguration.NM_LOG_DIRS, "/logs," + beside),
            Severity.WARNING,
            YarnConfiguration.NM_LOG_DIRS),
        beside.toString(),
        "the file system of " + nvme,
        "YARN drops it");
    String[] store = {YarnConfiguration.NM_RECOVERY_DIR, beside.toString()};
    assertEquals(List.of(), resolve(store).findings());
    only(
        resolve(store[0], store[1], YarnConfiguration.NM_RECOVERY_ENABLED, "true"),
        Severity.WARNING,
        YarnConfiguration.NM_RECOVERY_DIR);
    String slow = hdd.resolveSibling("logs").toString();
    assertEquals(List.of(), resolve(YarnConfiguration.NM_LOG_DIRS, slow).findings());
  }

  /** Two of the three are told of already. */
  @Test
  void partitionsOfOneDiskAreToldOfOnce() throws IOException {
    StringBuilder dirs = new StringBuilder("$NVME");
    for (int i = 1; i <= 3; i++) {
      kernel.partition("sda", "sda" + i, "8:" + i);
      dirs.append(',').append(kernel.mount("part" + i, "8:" + i, "ext4", "/dev/sda" + i, "rw"));
    }
    assertSays(
        only(resolve(YARN_DIRS, dirs.toString()), Severity.WARNING, YARN_DIRS),
        "part1",
        "part3",
        "the same disks [sda]");
  }

  /** Spark 4.3's refuses links, older ones do not. */
  @Test
  void sparksServiceIsAskedWhetherItFollowsLinks() throws IOException {
    Path jars = root.resolve("spark");
    Path resolver =
        jars.resolve("org/apache/spark/network/shuffle/ExternalShuffleBlockResolver.class");
    Files.createDirectories(resolver.getParent());
    String[] service = {
      YarnConfiguration.NM_AUX_SERVICES,
      "mapreduce_shuffle,spark_43",
      "yarn.nodemanager.aux-services.spark_43.class",
      "org.apache.spark.network.yarn.YarnShuffleService",
      "yarn.nodemanager.aux-services.spark_43.classpath",
      jars.toString()
    };
    Files.writeString(resolver, "older");
    assertEquals(List.of(), resolve(service).findings());

    Files.writeString(resolver, "code of 4.3: verifyBlockPathsAtRead");
    Resolution refused = resolve(service);
    String key = "spark.shuffle.service.verifyBlockPathsAtRead";
    assertSays(only(refused, Severity.WARNING, key), "leave all files to Spark", "Set it to false");
    assertFalse(refused.tiers().orElseThrow().settings().sparkLinks());

    // Which of several services of Spark's each has on its own class path.
    Files.writeString(
        jars.resolve("spark-shuffle-site.xml"),
        "<configuration><property><name>"
            + key
            + "</name><value>false</value></property>"
            + "</configuration>");
    assertEquals(List.of(), resolve(service).findings());
    assertTrue(resolve(service).tiers().orElseThrow().settings().sparkLinks());
  }

  @Test
  void saysWhichFileAValueComesFrom() throws IOException {
    Path site = root.resolve("yarn-site.xml");
    Files.writeString(
        site,
        "<configuration><property><name>temptier.reserve</name><value>x</value></property>"
            + "</configuration>");
    Configuration conf = conf();
    conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    Resolution resolution = TierConfig.resolve(conf, kernel.classifier());
    assertSays(onlyError(resolution, "temptier.reserve"), site.toString());
  }

  @Test
  void survivesAnEmptyConfigurationAndABrokenFile() throws IOException {
    Resolution empty = TierConfig.resolve(new Configuration(false), kernel.classifier());
    assertSays(onlyError(empty, YARN_DIRS), "no local dir", "default");
    Path site = Files.writeString(root.resolve("broken.xml"), "<configuration><property>");
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    Resolution broken = TierConfig.resolve(conf, kernel.classifier());
    assertTrue(broken.tiers().isEmpty());
    assertEquals(Severity.ERROR, broken.findings().get(0).severity());
  }

  private static final Map<String, String> MEMORY_KEYS =
      Map.of(
          "memory",
          YarnConfiguration.NM_PMEM_MB,
          "reserved",
          RESERVED,
          "detect",
          YarnConfiguration.NM_ENABLE_HARDWARE_CAPABILITY_DETECTION);

  /** A tmpfs that holds 8 GiB, on a machine of that much memory. */
  private Path memory(long machineBytes) {
    Path ram = kernel.memory(machineBytes).mount("ram", "0:40", "tmpfs", "tmpfs", "rw");
    kernel.sized(path -> path.startsWith(ram) ? 8L << 30 : DISK_BYTES);
    return ram;
  }

  /**
   * What is said of memory on a machine of 32 GiB, of the dirs tagged so; two properties at most.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[NVME]$HDD; memory=65536;",
        "[RAM_DISK]$RAM,[DISK]$HDD; memory=24576;",
        "[RAM_DISK]$RAM; ;",
        "[RAM_DISK]$RAM,[DISK]$HDD; memory=24577; swaps or kills|less than 24576|may hold 8 GiB,"
            + "|the machine has 32 GiB",
        // The tag does not hide that it is memory.
        "[NVME]$RAM; memory=30000; RAM_DISK dirs",
        // A file system counts once, and no more than its caps.
        "[RAM_DISK]$RAM/a,[RAM_DISK]$RAM/b; memory=32000; may hold 8 GiB,",
        "[RAM_DISK:1g]$RAM/a,[RAM_DISK:2g]$RAM/b; memory=32000; may hold 3 GiB,",
        "[RAM_DISK:90g]$RAM; memory=32000; may hold 8 GiB,",
        // Memory that YARN detects is counted as YARN does.
        "[RAM_DISK]$RAM; detect=true; " + RESERVED + "|25.6 GiB|more than 8192",
        "[RAM_DISK]$RAM; detect=true reserved=8192;",
        "[RAM_DISK]$RAM; detect=true memory=1024;",
      })
  void dirsInMemoryAreCounted(String dirs, @Nullable String settings, @Nullable String says) {
    String tagged = dirs.replace("$RAM", memory(32L << 30) + "").replace("$HDD", hdd.toString());
    Configuration conf = new Configuration(false);
    conf.set(YARN_DIRS, tagged.replaceAll("\\[[^]]*\\]", ""));
    conf.set(OURS, tagged);
    for (String setting : settings == null ? new String[0] : settings.split(" ", -1)) {
      String[] words = setting.split("=", -1);
      conf.set(Objects.requireNonNull(MEMORY_KEYS.get(words[0])), words[1]);
    }
    List<Finding> found =
        TierConfig.resolve(conf, kernel.classifier()).findings().stream()
            .filter(finding -> MEMORY_KEYS.containsValue(finding.key()))
            .toList();
    assertEquals(says == null ? 0 : 1, found.size(), found::toString);
    if (says != null) {
      assertEquals(Severity.WARNING, found.get(0).severity(), found::toString);
      Texts.has(found.get(0).toString(), says.split("[|]", -1));
    }
  }

  @Test
  void withoutMeminfoNothingIsSaid(@TempDir Path empty) {
    assertTrue(new FakeKernel(empty).classifier().memoryBytes().isEmpty());
  }

  @Test
  void nothingIsToBeSetBelowNought() {
    Configuration conf = new Configuration(false);
    conf.set(YARN_DIRS, memory(4L << 30) + "," + hdd);
    String said = TierConfig.resolve(conf, kernel.classifier()).findings().toString();
    assertTrue(said.contains("swaps or kills containers. Give the dirs less:"), said);
    assertFalse(said.contains("Set it to"), said);
  }
}
