// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.text.Finding;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our reading of {@code yarn.nodemanager.local-dirs} against YARN's own. */
class LocalDirsAsYarnTest {
  private static final List<String> PIECES =
      List.of(
          "/a;/b/c;/;//;file:;file://;file:///;,;,;,; ;\n;/..;/.;d;%20;host;/e e;:;[NVME]"
              .split(";", -1));

  @ParameterizedTest
  @ValueSource(longs = {5, 1234, 20261121})
  void readsTheSameDirs(long seed) {
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
