// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import io.temptier.fixtures.GoldenFile;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/configs.md} says what {@link TierKey} says. */
class ConfigDocsTest {
  private static final String INTRO =
      """
      # Configuration

      <!-- Generated from TierKey by ConfigDocsTest, which says how to update it. -->

      All properties go into `yarn-site.xml` of the NodeManagers. Tasks need none of them: they read
      what their node resolved. `temptier doctor` checks a folder of configuration files before it is
      rolled out, and the NodeManager checks the same at start. With a value that cannot be what was
      meant, TempTier stays off on the node, says so in the log, and the node behaves as stock Hadoop.

      | property | default | value | meaning |
      |---|---|---|---|
      """;

  private static final String VALUES =
      """

      ## How values are written

      - **size**: a number with an optional fraction and a unit `k`, `m`, `g`, `t` or `p`; units are
        binary, as everywhere in Hadoop: `64m`, `200g`, `1.5t`. A number without a unit is bytes.
      - **percentage**: a number with a `%` sign, 0 to 100: `15%`, `2.5%`.
      - **duration**: a whole number with a unit `ms`, `s`, `m`, `h` or `d`: `500ms`, `30s`.
      - **media**, fastest first: @MEDIA@.
      - **list of dirs**: HDFS's tag syntax. `[NVME]/nvme0/yarn` is a dir and what it lies on,
        `[NVME:200g]/nvme0/yarn` keeps at most 200 GiB of TempTier's files there (a cap of 0 takes
        none), `/hdd0/yarn` is classified from the kernel. Entries are separated by commas, blanks
        around them are dropped, `file:` before a path is allowed.

      ## Switching it on

      | file | property | value |
      |---|---|---|
      | `yarn-site.xml` | `yarn.nodemanager.container-state-transition-listener.classes` | `io.temptier.hadoop.NodeManagerTiering` |
      | `yarn-site.xml` | `yarn.nodemanager.aux-services.mapreduce_shuffle.class` | `io.temptier.shuffle.TieredShuffleHandler` |
      | `mapred-site.xml` | `mapreduce.job.map.output.collector.class` | `io.temptier.mapreduce.TieredMapOutputCollector` |
      | `mapred-site.xml` | `mapreduce.job.reduce.shuffle.consumer.plugin.class` | `io.temptier.mapreduce.TieredShuffle` |

      Templates with a reason for each property are in `conf-templates/`.
      """;

  private static String generate() {
    StringBuilder doc = new StringBuilder(INTRO);
    for (TierKey key : TierKey.values()) {
      String none = key.general().map(general -> "`" + general + "`").orElse("none");
      String defaultValue = key.defaultValue().isEmpty() ? none : "`" + key.defaultValue() + "`";
      doc.append(
          String.format(
              "| `%s` | %s | %s | %s |\n", key.key(), defaultValue, key.valueText(), key.doc()));
    }
    String media =
        Arrays.stream(Medium.values())
            .map(medium -> "`" + medium + "`")
            .collect(Collectors.joining(", "));
    return doc.append(VALUES.replace("@MEDIA@", media)).toString();
  }

  @Test
  void documentsEveryKey() throws IOException {
    GoldenFile.check("docs/configs.md", generate(), ConfigDocsTest.class);
  }
}
