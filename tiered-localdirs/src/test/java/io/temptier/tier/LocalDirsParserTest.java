// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDirsParser.Entry;
import io.temptier.tier.LocalDirsParser.Parsed;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalDirsParserTest {
  private static final String KEY = "temptier.local-dirs";

  private static final List<Medium> MEDIA = List.of(Medium.values());

  private static Parsed parse(String value) {
    return LocalDirsParser.parse(KEY, value, "yarn-site.xml");
  }

  private static Parsed parsePlain(String value) {
    return LocalDirsParser.parsePlain("yarn.nodemanager.local-dirs", value, "yarn-site.xml");
  }

  private static Entry entry(String path, Medium medium, long capBytes) {
    return Entry.of(Path.of(path), Optional.of(medium), capBytes);
  }

  private static Entry untagged(String path) {
    return Entry.of(Path.of(path), Optional.empty(), LocalDir.NO_CAP);
  }

  @Test
  void readsTagsCapsAndBareDirs() {
    Parsed parsed = parse("[NVME:200g]/nvme0/yarn,[DISK]/hdd0/yarn,/untagged,[ssd:0]/ssd0");
    assertEquals(
        List.of(
            entry("/nvme0/yarn", Medium.NVME, 200L << 30),
            entry("/hdd0/yarn", Medium.DISK, LocalDir.NO_CAP),
            untagged("/untagged"),
            entry("/ssd0", Medium.SSD, 0)),
        parsed.entries());
    assertEquals(List.of(), parsed.findings());
  }

  @Test
  void trimsAsYarnDoes() {
    String value =
        """

            [NVME: 1.5t ] /nvme0/yarn ,
        \t[ disk ]/hdd0//yarn/\s
            file:/a, file:///b/../c
        """;
    Parsed parsed = parse(value);
    assertEquals(
        List.of(
            entry("/nvme0/yarn", Medium.NVME, 3L << 39),
            entry("/hdd0/yarn", Medium.DISK, LocalDir.NO_CAP),
            untagged("/a"),
            untagged("/c")),
        parsed.entries());
    assertEquals(List.of(), parsed.findings());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[NVEM]/a; NVEM; NVME",
        "[HDD]/a; HDD; DISK",
        "[NVME:200x]/a; cap; 200g",
        "[NVME:]/a; cap; 200g",
        "[NVME:-1]/a; cap; 200g",
        "[NVME:99999999p]/a; cap; 200g",
        "'[NVME]/a;[DISK]/b'; semicolon; Write a comma",
        "[]/a; empty; RAM_DISK",
        "[:200g]/a; empty; RAM_DISK",
        "[NVME]; no dir; [NVME]/nvme0/yarn",
        "[NVME:200g; closing; [NVME:200g]/nvme0/yarn",
        "[NVME][DISK]/a; relative; absolute",
        "a/b; relative; absolute",
        "./a; relative; absolute",
        "~/a; relative; absolute",
        "file:a; relative; absolute",
        "(NVME)/a; relative; [NVME]/nvme0/yarn",
        "/a[NVME]; behind the dir; [NVME]/nvme0/yarn",
        "[DISK]${env.DIR}/a; not replaced; Define",
        "hdfs://nn/a; scheme is hdfs; absolute",
        "C:/a; scheme is C; absolute",
        "//host/a; host stands for a host; one slash",
        "file://host/a; host stands for a host; three",
        "/../a; above the root; Write",
        "/a /b; comma missing; commas",
        "/a\u00a0; space; commas",
        "/a\u200b; space; commas",
        "/a\u0000b; control; commas",
      })
  void refusesWhatIsOdd(String value, String what, String remedy) {
    Parsed parsed = parse(value);
    assertEquals(List.of(), parsed.entries());
    assertEquals(1, parsed.findings().size(), parsed::toString);
    Finding finding = parsed.findings().get(0);
    assertEquals(Severity.ERROR, finding.severity());
    assertEquals(KEY, finding.key());
    assertEquals(value, finding.value());
    assertEquals("yarn-site.xml", finding.origin());
    assertTrue(finding.consequence().contains(what), finding::toString);
    assertTrue(finding.consequence().endsWith("behaves as stock Hadoop."), finding::toString);
    assertTrue(finding.remedy().contains(remedy), finding::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a,/a", "[NVME]/a,[DISK]/a", "/a,/b,/a/", "/a,/x/../a", "/a,file:/a"})
  void refusesADirListedTwice(String value) {
    Parsed parsed = parse(value);
    assertEquals(1, parsed.findings().size(), parsed::toString);
    assertEquals(Severity.ERROR, parsed.findings().get(0).severity());
    assertTrue(parsed.findings().get(0).consequence().contains("/a is listed twice"));
    assertEquals(1, parsed.entries().stream().filter(e -> e.path().equals(Path.of("/a"))).count());
  }

  @Test
  void warnsOfEmptyEntriesNestedDirsAndVariables() {
    Parsed parsed = parse("/a,,/a/b,/c/${user}/d,");
    assertEquals(
        List.of(untagged("/a"), untagged("/a/b"), untagged("/c/${user}/d")), parsed.entries());
    assertEquals(
        List.of(Severity.WARNING, Severity.WARNING, Severity.WARNING),
        parsed.findings().stream().map(Finding::severity).toList());
  }

  @Test
  void leavesYarnItsOwnOddities() {
    Parsed parsed = parsePlain("/a b,/c,/c,//localhost/d");
    assertEquals(List.of(untagged("/a b"), untagged("/c"), untagged("/d")), parsed.entries());
    assertEquals(
        List.of(Severity.WARNING, Severity.WARNING),
        parsed.findings().stream().map(Finding::severity).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME]/a", "a", "/a,,/b", "//host/d", "/a/../.."})
  void refusesInYarnsListWhatYarnDoesNotMeanEither(String value) {
    assertEquals(Severity.ERROR, parsePlain(value).findings().get(0).severity());
  }

  @ParameterizedTest
  @CsvSource({
    "NVEM, NVME",
    "nvm, NVME",
    "HDD, DISK",
    "hdd, DISK",
    "RAMDISK, RAM_DISK",
    "RAM-DISK, RAM_DISK",
    "ARCHIVE, DISK",
    "PMEM, NVDIMM",
    "DSIK, DISK",
    "SDD, SSD",
    "lustre, REMOTE"
  })
  void theMediumThatIsMeantIsGuessed(String tag, Medium medium) {
    assertEquals(Optional.of(medium), NearestName.ofMedium(tag));
  }

  @Test
  void nothingIsGuessedWhereNothingIsNear() {
    assertEquals(Optional.empty(), NearestName.ofMedium("FLOPPY"));
    assertEquals(Optional.empty(), NearestName.ofMedium(""));
    assertEquals(Optional.empty(), NearestName.of("abc", List.of()));
  }

  @Test
  void aGuessSurvivesHostileLength() {
    String hostile = "n".repeat(1_000_000);
    assertEquals(Optional.empty(), NearestName.of(hostile, List.of("temptier.enabled")));
  }

  /** What placement prints of a dir can be pasted into the configuration. */
  @ParameterizedTest
  @ValueSource(longs = {1, 42, 20261121, 987654321})
  void printedDirsParseBack(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<LocalDir> dirs = randomDirs(random);
      String value = String.join(",", dirs.stream().map(LocalDir::toString).toList());
      Parsed parsed = parse(value);
      String where = "seed " + seed + ", round " + round + ": " + value;
      assertFalse(
          parsed.findings().stream().anyMatch(f -> f.severity() == Severity.ERROR),
          () -> where + " " + parsed.findings());
      assertEquals(
          dirs.stream()
              .map(d -> Entry.of(d.path(), Optional.of(d.medium()), d.capBytes()))
              .toList(),
          parsed.entries(),
          where);
    }
  }

  /** Whatever is thrown at it, it answers, and no entry it lets pass is unfit for placement. */
  @ParameterizedTest
  @ValueSource(longs = {3, 99, 20261121})
  void neverThrowsNorPassesAnUnfitDir(long seed) {
    Random random = new Random(seed);
    String alphabet = "[]:,/. \n\\%${}abNVMEDISK019gt-_~*\u0000\u00e4\ud83d\ude00\t\"'";
    for (int round = 0; round < 5000; round++) {
      StringBuilder value = new StringBuilder();
      for (int length = random.nextInt(40); length > 0; length--) {
        value.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      Set<Path> seen = new LinkedHashSet<>();
      for (Entry entry : parse(value.toString()).entries()) {
        String where = "seed " + seed + ", round " + round + ": " + value;
        assertTrue(entry.path().isAbsolute(), where);
        assertEquals(entry.path().normalize(), entry.path(), where);
        assertTrue(entry.capBytes() >= 0, where);
        assertTrue(seen.add(entry.path()), where);
      }
    }
  }

  private static List<LocalDir> randomDirs(Random random) {
    String letters = "abcXYZ019._-+@=:%~#[]()ä";
    Set<Path> paths = new LinkedHashSet<>();
    for (int count = 1 + random.nextInt(12); count > 0; count--) {
      StringBuilder path = new StringBuilder();
      for (int names = 1 + random.nextInt(4); names > 0; names--) {
        path.append('/').append((char) ('a' + random.nextInt(26)));
        for (int length = random.nextInt(8); length > 0; length--) {
          path.append(letters.charAt(random.nextInt(letters.length())));
        }
      }
      paths.add(Path.of(path.toString()));
    }
    List<LocalDir> dirs = new ArrayList<>();
    for (Path path : paths) {
      Medium medium = MEDIA.get(random.nextInt(MEDIA.size()));
      long cap =
          random.nextBoolean() ? LocalDir.NO_CAP : random.nextLong() >>> (1 + random.nextInt(62));
      dirs.add(LocalDir.of(path, medium, cap, "test"));
    }
    return dirs;
  }
}
