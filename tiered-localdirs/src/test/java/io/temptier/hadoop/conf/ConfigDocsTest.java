// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.GoldenFile;
import io.temptier.fixtures.StableNames;
import io.temptier.testing.FakeKernel;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** {@code docs/configs.md} and the template say what {@link TierKey} says. */
class ConfigDocsTest {
  private static final Path TEMPLATE = Path.of("..", "conf-templates", "yarn-site.xml");
  private static final Set<String> EXAMPLES = Set.of(TierKey.LOCAL_DIRS.key());

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

  private static Configuration template() {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(TEMPLATE.toUri()));
    return conf;
  }

  /** Every default of Hadoop that a daemon or a job of it sees. */
  private static Configuration hadoop() {
    return new JobConf(new YarnConfiguration());
  }

  /** Every property of Hadoop: those with a default, and those that are only named in its code. */
  private static Set<String> hadoopKeys() {
    Set<String> keys = new TreeSet<>(properties(hadoop()).keySet());
    for (Class<?> names : List.of(YarnConfiguration.class, MRJobConfig.class)) {
      for (Field field : names.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
          try {
            keys.add(String.valueOf(field.get(null)));
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    return keys;
  }

  private static Map<String, String> properties(Configuration conf) {
    Map<String, String> properties = new TreeMap<>();
    conf.forEach(property -> properties.put(property.getKey(), property.getValue()));
    return properties;
  }

  @Test
  void theTemplateSetsKeysThatExist() {
    Set<String> hadoop = hadoopKeys();
    Map<String, String> properties = properties(template());
    assertTrue(properties.size() >= 2, properties::toString);
    for (String key : properties.keySet()) {
      boolean known =
          key.startsWith(TierKey.PREFIX)
              ? TierKey.find(key).isPresent()
              : key.startsWith(YarnConfiguration.NM_ADMIN_USER_ENV + ".") || hadoop.contains(key);
      assertTrue(known, () -> "the template sets " + key + ", which nobody reads");
    }
  }

  @Test
  void theTemplateSetsAllKeysButThoseOfSingleMediaToTheirDefaults() {
    Map<String, String> properties = properties(template());
    for (TierKey key : TierKey.values()) {
      if (key.general().isPresent() || key == TierKey.ACCEPT) {
        continue;
      }
      assertTrue(properties.containsKey(key.key()), () -> key + " is missing");
      if (!EXAMPLES.contains(key.key())) {
        assertEquals(key.defaultValue(), properties.get(key.key()), key.key());
      }
    }
    String utilization = YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE;
    assertEquals(hadoop().get(utilization), properties.get(utilization));
  }

  @Test
  void theTemplateGivesEachKeyAReasonAndItsDefault() throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(TEMPLATE.toFile());
    Configuration hadoop = hadoop();
    NodeList list = document.getElementsByTagName("property");
    for (int i = 0; i < list.getLength(); i++) {
      Element property = (Element) list.item(i);
      String key = text(property, "name");
      String description = text(property, "description");
      assertTrue(description.contains("Why: "), () -> key + " has no reason");
      String shipped =
          TierKey.find(key).map(TierKey::defaultValue).orElseGet(() -> raw(hadoop, key));
      String expected = "Default: " + (shipped.isEmpty() ? "none" : shipped);
      assertTrue(
          Pattern.compile(Pattern.quote(expected) + "[.,;]").matcher(description).find(),
          () -> key + " does not say \"" + expected + "\" but: " + description);
    }
  }

  private static String raw(Configuration conf, String key) {
    String value = conf.getRaw(key);
    return value == null ? "" : value;
  }

  private static String text(Element property, String tag) {
    NodeList found = property.getElementsByTagName(tag);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().trim();
  }

  @Test
  void theTemplateResolvesWithoutAnError(@TempDir Path temp) {
    Configuration conf = new YarnConfiguration();
    conf.addResource(template());
    TierConfig.Resolution resolution =
        TierConfig.resolve(conf, new FakeKernel(temp).sized(path -> 1L << 40).classifier());
    NodeTiers tiers =
        resolution.tiers().orElseThrow(() -> new AssertionError(resolution.findings()));
    assertEquals("NVME over DISK", tiers.layout().toString());
  }

  @Test
  void theTemplateNamesTheClassesThatDocsName() {
    Set<String> classes = new TreeSet<>();
    for (String value : new ArrayList<>(properties(template()).values())) {
      if (value.startsWith("io.temptier.")) {
        classes.add(value.split(",", -1)[0]);
      }
    }
    assertEquals(
        Set.of("io.temptier.hadoop.NodeManagerTiering", "io.temptier.shuffle.TieredShuffleHandler"),
        classes);
  }
}
