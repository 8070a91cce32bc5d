// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.fixtures.GoldenFile;
import io.temptier.fixtures.StableNames;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/configs.md} says what {@link TierKey} says. */
class ConfigDocsTest {
  private static final String INTRO =
      """
      # Configuration

      <!-- Generated from TierKey by ConfigDocsTest, which says how to update it. -->

      All properties go into `yarn-site.xml` of the NodeManagers; tasks need none of them. With a wrong
      value the NodeManager says so in the log and runs as stock Hadoop. Other properties:
      [what switches TempTier on](install.md#2-configure), [S3A](s3a.md#gateways), [Spark](spark.md).

      `<medium>` stands for `nvme`, `ssd` or `disk`.

      """;

  private static final String VALUES =
      """

      ## More on three of them

      - **`temptier.large-size`**: files that may become large are localized resources, work dirs, files
        of a task that is tried again, and files of unknown size, each of which needs this room once more
        while it is written. Where no tier has it, they go to the roomiest dir. Of Spark's files only a
        retry's need it.
      - **`temptier.fill-limits`**: kinds are those that `temptier explain --json` names, such as
        `CACHED_BLOCK`, `LOCALIZED_RESOURCE`, `UPLOAD_BUFFER`.
      - **`temptier.shuffle.memory`**: half is for slow media, half for fast media, which need it with TLS
        only.

      ## How values are written

      - **size**: a number with an optional fraction and a binary unit `k`, `m`, `g`, `t` or `p`: `64m`,
        `1.5t`. A number without a unit is bytes.
      - **percentage**: `15%`, `2.5%`. **Duration**: `500ms`, `30s`, `5m`, `1h`, `1d`.
      - **media**, fastest first: @MEDIA@.
      - **list of dirs**: HDFS's tag syntax. `[NVME]/nvme0/yarn` is a dir and its medium.
        `[NVME:200g]/nvme0/yarn` has a cap too: TempTier's files take at most 200 GiB there, and more only
        when [no other dir](operations.md#when-the-whole-node-is-full) takes a file. For `/hdd0/yarn`, and
        for a dir left out, the kernel tells the medium. `file:` before a path is allowed.
      """;

  private static String generate() {
    StringBuilder doc = new StringBuilder(INTRO);
    Arrays.stream(TierKey.values())
        .collect(
            Collectors.groupingBy(
                key -> key.general().map(general -> general + ".<medium>").orElse(key.key()),
                LinkedHashMap::new,
                Collectors.toList()))
        .forEach((name, keys) -> doc.append(item(name, keys)));
    String media =
        Arrays.stream(Medium.values())
            .map(medium -> "`" + medium + "`")
            .collect(Collectors.joining(", "));
    return doc.append(VALUES.replace("@MEDIA@", media)).toString();
  }

  /** The item of a key, or of the keys of all media. */
  private static String item(String name, List<TierKey> keys) {
    TierKey first = keys.get(0);
    return GoldenFile.item(
        "`%s` (%s; %s): %s"
            .formatted(
                name,
                first.valueText(),
                defaultOf(first),
                keys.size() == 1
                    ? first.doc()
                    : first.doc().replaceFirst("`[A-Z_]+`", "`<medium>`")));
  }

  private static String defaultOf(TierKey key) {
    return key.defaultValue().isEmpty()
        ? key.general().map(general -> "default `" + general + "`").orElse("no default")
        : "default `" + key.defaultValue() + "`";
  }

  @Test
  void documentsEveryKey() throws IOException {
    GoldenFile.check("docs/configs.md", generate(), ConfigDocsTest.class);
  }

  @Test
  void namesStay() throws IOException {
    List<String> keys =
        Arrays.stream(TierKey.values())
            .map(key -> key.key() + ": " + key.valueText() + "; " + defaultOf(key))
            .toList();
    StableNames.check("properties in yarn-site.xml", keys, ConfigDocsTest.class);
    List<String> words =
        Stream.<Enum<?>[]>of(Medium.values(), FileKind.values(), Reason.values())
            .flatMap(Arrays::stream)
            .map(word -> word.getDeclaringClass().getSimpleName() + " " + word.name())
            .toList();
    StableNames.check("words in values, JSON and texts", words, ConfigDocsTest.class);
  }
}
