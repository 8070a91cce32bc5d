// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.GoldenFile;
import io.temptier.s3a.endpoint.EndpointKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code conf-templates/} for S3A: made from the profiles, and read as Hadoop and Spark would. */
class TemplatesTest {
  private static final Path FOLDER = Path.of("..", "conf-templates");
  private static final String OF_HADOOP = "spark.hadoop.";

  static Set<String> names() {
    return Templates.all().keySet();
  }

  static List<String> siteFiles() {
    return names().stream().filter(name -> name.endsWith(".xml")).toList();
  }

  @ParameterizedTest
  @MethodSource("names")
  void areWhatTheProfilesSay(String name) throws IOException {
    String expected = String.valueOf(Templates.all().get(name));
    GoldenFile.check("conf-templates/" + name, expected, TemplatesTest.class);
  }

  @Test
  void noneIsLeftFromAnEarlierWorkload() throws IOException {
    Set<String> expected = new TreeSet<>(names());
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.contains("-s3a"))
          .forEach(found::add);
    }
    assertEquals(expected, found);
  }

  @ParameterizedTest
  @MethodSource("siteFiles")
  void setOnlyWhatEveryHadoopReads(String name) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(FOLDER.resolve(name).toUri()));
    List<String> keys = new ArrayList<>();
    conf.forEach(property -> keys.add(property.getKey()));
    assertTrue(keys.size() >= 1, keys::toString);
    for (String key : keys) {
      for (HadoopVersion version : HadoopVersion.TRIED) {
        assertTrue(
            version.knows(key) || EndpointKey.names().contains(key),
            () -> name + ": Hadoop " + version + " has no " + key);
      }
    }
  }

  /**
   * So that one file can serve a cluster in the middle of an upgrade; but for mixed's readahead,
   * which for 3.4.2 alone is another.
   */
  @ParameterizedTest
  @EnumSource
  void sayTheSameAsEachVersionsProfile(S3aWorkload workload) throws Exception {
    for (HadoopVersion version : HadoopVersion.TRIED) {
      Profile profile = Templates.profile(workload, version);
      boolean differs = workload == S3aWorkload.MIXED && version == HadoopVersion.V3_4_2;
      assertEquals(
          settings(Templates.profile(workload), differs),
          settings(profile, differs),
          version.number());
    }
  }

  private static List<S3aSetting> settings(Profile profile, boolean withoutReadahead) {
    return profile.settings().stream()
        .filter(setting -> !(withoutReadahead && setting.key().equals(Settings.READAHEAD)))
        .toList();
  }

  @Test
  void sparksPropertiesAreItsOwnOrHadoops() throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String line : Files.readAllLines(FOLDER.resolve(Templates.SPARK))) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        int blank = line.indexOf(' ');
        properties.put(line.substring(0, blank), line.substring(blank + 1));
      }
    }
    Set<String> ofSpark = new TreeSet<>();
    for (String key : properties.keySet()) {
      if (!key.startsWith(OF_HADOOP)) {
        ofSpark.add(key);
        continue;
      }
      for (HadoopVersion version : HadoopVersion.TRIED) {
        assertTrue(version.knows(key.substring(OF_HADOOP.length())), key);
      }
    }
    assertEquals(
        Set.of("spark.sql.parquet.output.committer.class", "spark.sql.sources.commitProtocolClass"),
        ofSpark);
    assertEquals("magic", properties.get(OF_HADOOP + Templates.COMMITTER));
    assertEquals(
        "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory",
        properties.get(OF_HADOOP + Templates.COMMITTERS));
  }
}
