// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.FakeKernel;
import io.temptier.tier.text.Finding;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
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

/** The files in {@code conf-templates/} against the keys they set. */
class ConfTemplatesTest {
  private static final Path FOLDER = Path.of("..", "conf-templates");
  private static final Set<String> EXAMPLES = Set.of(TierKey.LOCAL_DIRS.key());

  private static Configuration template(String name) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(FOLDER.resolve(name).toUri()));
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
  void setsKeysThatExist() {
    String name = "yarn-site.xml";
    Set<String> hadoop = hadoopKeys();
    Map<String, String> properties = properties(template(name));
    assertTrue(properties.size() >= 2, properties::toString);
    for (String key : properties.keySet()) {
      boolean known =
          key.startsWith(TierKey.PREFIX)
              ? TierKey.find(key).isPresent()
              : key.startsWith(YarnConfiguration.NM_ADMIN_USER_ENV + ".") || hadoop.contains(key);
      assertTrue(known, () -> name + " sets " + key + ", which nobody reads");
    }
  }

  @Test
  void setsAllKeysButThoseOfSingleMediaToTheirDefaults() {
    Map<String, String> properties = properties(template("yarn-site.xml"));
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
  void givesEachKeyAReasonAndItsDefault() throws Exception {
    String name = "yarn-site.xml";
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(FOLDER.resolve(name).toFile());
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
  void resolvesWithoutAnError(@TempDir Path temp) {
    Configuration conf = new YarnConfiguration();
    conf.addResource(template("yarn-site.xml"));
    TierConfig.Resolution resolution =
        TierConfig.resolve(conf, new FakeKernel(temp).sized(path -> 1L << 40).classifier());
    List<Finding> errors =
        resolution.findings().stream()
            .filter(finding -> finding.severity() == Finding.Severity.ERROR)
            .toList();
    assertEquals(List.of(), errors);
    assertEquals("NVME over DISK", resolution.tiers().orElseThrow().layout().toString());
  }

  @Test
  void namesTheClassesThatDocsName() {
    Set<String> classes = new TreeSet<>();
    for (String value : new ArrayList<>(properties(template("yarn-site.xml")).values())) {
      if (value.startsWith("io.temptier.")) {
        classes.add(value.split(",", -1)[0]);
      }
    }
    assertEquals(
        Set.of("io.temptier.hadoop.NodeManagerTiering", "io.temptier.shuffle.TieredShuffleHandler"),
        classes);
  }
}
