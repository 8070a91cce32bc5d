// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the value of a key: it is refused with a text that a log can hold, or it works. */
@ExtendWith(LeakCheck.class)
class AbsurdValuesTest {
  private static final String DIRS = "yarn.nodemanager.local-dirs";

  /** A sentence or two, and a cut list of dirs. */
  private static final int LONGEST_LINE = 5_000;

  /** Parted by semicolons; the first is empty. A bar stands for a line break. */
  private static final String SHORT =
      "; ;,;true;15%;200%;64m;1s;1e9;FAST_FIRST;NVME;DISK,SSD;NVME,NVME;[NVME]/a;[]/a;[:];/a|/b;/.."
          + ";%s;${temptier.reserve};${no.such.variable};-1;-1s;-1%;0;0s;0%;100%;1ms;8191p"
          + ";999999999ms;999999999d;1e999999999;9223372036854775807;9223372036854775808"
          + ";99999999999999999999%;NaN;Infinity;\u0000;a|b;\uD83D\uDE00";

  private static final List<String> ABSURD =
      Stream.concat(
              Stream.of(SHORT.replace('|', '\n').split(";", -1)),
              Stream.of("x", "9", "\uD83D\uDE00", "[").map(piece -> piece.repeat(100_000)))
          .toList();

  /** Of {@code yarn.nodemanager.local-dirs}. */
  private static final List<String> PIECES =
      List.of(
          "/a;/b/c;/;//;file:;file://;file:///;,;,;,; ;\n;/..;/.;d;%20;host;/e e;:;[NVME]"
              .split(";", -1));

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource(TierKey.class)
  void isRefusedOrWorks(TierKey key) throws IOException {
    for (String value : ABSURD) {
      Configuration conf = new Configuration(false);
      Path fast = Files.createDirectories(temp.resolve("fast"));
      Path slow = Files.createDirectories(temp.resolve("slow"));
      conf.set(DIRS, fast + "," + slow);
      conf.set(TierKey.LOCAL_DIRS.key(), "[NVME]" + fast + ",[DISK]" + slow);
      conf.set(key.key(), value);
      TierConfig.Resolution resolution = TierConfig.resolveElsewhere(conf);
      TierConfig.demotion(conf, new ArrayList<>());
      ShuffleSettings.of(conf);
      for (Finding finding : resolution.findings()) {
        assertTrue(finding.toString().length() < LONGEST_LINE, finding::toString);
        assertTrue(finding.toString().lines().count() == 1, finding::toString);
      }
      boolean refused =
          resolution.findings().stream()
              .anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
      Texts.lacks(resolution.findings().toString(), "Please report this");
      assertEquals(refused, resolution.tiers().isEmpty(), key + "=" + value);
      if (!refused) {
        place(conf, resolution);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(TierKey.class)
  void isRefusedWhereItLeadsToItself(TierKey key) {
    Configuration conf = new Configuration(false);
    conf.set(DIRS, "/a,/b");
    conf.set("one", "${other}+");
    conf.set("other", "${one}+");
    conf.set(key.key(), "${one}");
    String found = TierConfig.resolveElsewhere(conf).findings().toString();
    Texts.has(found, "ERROR", key.key(), "cannot be read");
    Texts.lacks(found, "Please report this");
  }

  private static void place(Configuration conf, TierConfig.Resolution resolution)
      throws IOException {
    long fallbacks = TieredLocalDirs.fallbacks();
    TieredLocalDirAllocator allocator =
        new TieredLocalDirAllocator(DIRS, resolution.tiers().orElseThrow());
    for (int i = 0; i < 2; i++) {
      allocator.getLocalPathForWrite("output/spill" + i + ".out", 1 << 20, conf);
      allocator.getLocalPathForWrite("filecache", -1, conf);
    }
    assertEquals(fallbacks, TieredLocalDirs.fallbacks(), "it threw");
    TieredLocalDirs.closeAll();
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 1234, 20261121})
  void localDirsAreReadAsYarnDoes(long seed) {
    Random random = new Random(seed);
    int compared = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder value = new StringBuilder();
      for (int count = 1 + random.nextInt(8); count > 0; count--) {
        value.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      LocalDirsParser.Parsed ours = LocalDirsParser.parsePlain("k", value.toString(), "o");
      if (ours.findings().stream().anyMatch(f -> f.severity() == Finding.Severity.ERROR)) {
        continue;
      }
      // What we let pass, YARN must let pass too, and take for the same dirs.
      String where = "seed " + seed + ", round " + round + ": \"" + value + "\"";
      assertEquals(
          yarn(value.toString()),
          ours.entries().stream().map(entry -> entry.path().toString()).toList(),
          where);
      compared++;
    }
    assertEquals(true, compared > 1000, "compared " + compared);
  }

  private static List<String> yarn(String value) {
    return Arrays.stream(
            LocalDirsHandlerService.validatePaths(StringUtils.getTrimmedStrings(value)))
        .distinct()
        .toList();
  }
}
