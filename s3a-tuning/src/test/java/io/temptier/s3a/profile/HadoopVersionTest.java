// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.GoldenFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HadoopVersionTest {
  private static final List<String> ARTIFACTS =
      List.of("hadoop-aws", "hadoop-common", "hadoop-mapreduce-client-core");

  /** Where hadoop-aws and what it builds on name their properties. */
  private static final List<String> CONSTANTS =
      List.of(
          "org.apache.hadoop.fs.s3a.Constants",
          "org.apache.hadoop.fs.s3a.audit.S3AAuditConstants",
          "org.apache.hadoop.fs.s3a.commit.CommitConstants",
          "org.apache.hadoop.fs.s3a.commit.InternalCommitterConstants",
          "org.apache.hadoop.fs.s3a.auth.delegation.DelegationConstants",
          "org.apache.hadoop.fs.Options$OpenFileOptions",
          "org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory");

  /** What matters to S3A's users; a name that ends in a dot is a prefix of others. */
  private static final Pattern KEY =
      Pattern.compile(
          "(fs\\.s3a|fs\\.option\\.openfile|mapreduce\\.outputcommitter"
              + "|mapreduce\\.fileoutputcommitter|mapreduce\\.job\\.heap)\\.[^%]*[^.%]");

  /** A constant of the compiler's in the class that uses it. */
  private static final String OF_LINES = "mapreduce.job.input.file.option.";

  private static final String STREAM_TYPE = "fs.s3a.input.stream.type";

  /** The lists against the jars of each version, which Maven puts into target/hadoop-jars. */
  @ParameterizedTest
  @EnumSource
  void theListsAreWhatTheJarsHold(HadoopVersion version) throws Exception {
    SortedMap<String, String> found = keys(version.number());
    assertTrue(found.size() > 130, () -> "only " + found.size());
    StringBuilder list = new StringBuilder("# Made from Hadoop's jars by HadoopVersionTest.\n");
    for (Map.Entry<String, String> entry : found.entrySet()) {
      String value = entry.getValue();
      list.append(entry.getKey()).append(value.isEmpty() ? "" : "\t" + value).append('\n');
    }
    GoldenFile.check(
        "s3a-tuning/src/main/resources/io/temptier/s3a/profile/"
            + HadoopVersion.resource(version.number()),
        list.toString(),
        HadoopVersionTest.class);
  }

  @Test
  void defaultsComeFromFilesAndFromCode() {
    HadoopVersion keys = HadoopVersion.V3_4_2;
    assertEquals(Optional.of("64K"), keys.defaultOf("fs.s3a.readahead.range"));
    assertEquals(
        Optional.of("131072"), keys.defaultOf("fs.s3a.vectored.read.min.seek.size"), "code only");
    assertEquals(Optional.empty(), keys.defaultOf("fs.s3a.endpoint"));
    assertTrue(keys.knows("fs.s3a.endpoint"));
    assertFalse(keys.knows("fs.s3a.checksum.generation"));
    assertTrue(HadoopVersion.V3_4_3.knows("fs.s3a.checksum.generation"));
    assertFalse(keys.knows("fs.s3a.readahead.rnage"));
  }

  @ParameterizedTest
  @CsvSource({
    "' 3.4.3', 3.4.3",
    "3.3.0, 3.3.6",
    "3.3.6, 3.3.6",
    "3.4.0, 3.4.1",
    "3.4.1, 3.4.1",
    "3.4.1-amzn-2, 3.4.1",
    "3.4.3-SNAPSHOT, 3.4.3",
    "3.4.4, 3.4.3",
    "3.5.1, 3.5.0",
    "3.2.4, ''",
    "3.6.0, ''",
    "three, ''",
  })
  void aReleaseIsTakenByTheListsOfItsLine(String asked, String expected) {
    assertEquals(expected, HadoopVersion.of(asked).map(HadoopVersion::number).orElse(""));
  }

  /** Every property, with its default or an empty text. */
  private static SortedMap<String, String> keys(String version) throws Exception {
    SortedMap<String, String> keys = new TreeMap<>();
    try (URLClassLoader loader = loader(version)) {
      for (String name : CONSTANTS) {
        readConstants(Class.forName(name, true, loader), keys);
      }
      for (String name : List.of("core-default.xml", "mapred-default.xml")) {
        readDefaults(loader, name, keys);
      }
      if (readsPrefix(loader)) {
        keys.put(OF_LINES + "fs.option.openfile.read.policy", "");
      }
      if ("default".equals(keys.get(STREAM_TYPE))) {
        keys.put(STREAM_TYPE, defaultStream(loader));
      }
    }
    return keys;
  }

  /** The version's own Hadoop; the libraries under it are those of this build. */
  private static URLClassLoader loader(String version) throws IOException {
    List<String> names = new ArrayList<>();
    ARTIFACTS.forEach(artifact -> names.add(artifact + "-" + version));
    if (version.compareTo("3.4.2") < 0) {
      // Later ones do without.
      names.add("commons-collections-3.2.2");
    }
    List<URL> urls = new ArrayList<>();
    for (String name : names) {
      Path jar = Path.of("target", "hadoop-jars", name + ".jar");
      if (!Files.exists(jar)) {
        throw new AssertionError(
            jar + " is missing: Maven copies it in generate-test-resources of s3a-tuning");
      }
      urls.add(jar.toUri().toURL());
    }
    String separator = System.getProperty("path.separator", ":");
    for (String entry : System.getProperty("java.class.path", "").split(separator, -1)) {
      if (ARTIFACTS.stream().noneMatch(entry::contains)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  private static void readConstants(Class<?> constants, Map<String, String> keys)
      throws IllegalAccessException {
    Map<String, String> values = new HashMap<>();
    for (Field field : constants.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && !field.getType().isArray()) {
        values.put(field.getName(), String.valueOf(field.get(null)));
      }
    }
    values.forEach(
        (name, value) -> {
          if (KEY.matcher(value).matches() && !name.contains("DEFAULT")) {
            String fallback = values.getOrDefault(name + "_DEFAULT", "");
            keys.put(value, values.getOrDefault("DEFAULT_" + name, fallback));
          }
        });
  }

  /** Whether Hadoop's reader of lines hands properties on to the file it opens. */
  private static boolean readsPrefix(ClassLoader loader) throws IOException {
    try (InputStream in =
        loader.getResourceAsStream(
            "org/apache/hadoop/mapreduce/lib/input/LineRecordReader.class")) {
      return in != null
          && new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).contains(OF_LINES);
    }
  }

  private static void readDefaults(ClassLoader loader, String name, Map<String, String> keys)
      throws Exception {
    Configuration defaults = new Configuration(false);
    try (InputStream in = loader.getResourceAsStream(name)) {
      defaults.addResource(in, name);
      int unused = defaults.size();
    }
    for (Map.Entry<String, String> property : defaults) {
      if (KEY.matcher(property.getKey()).matches()) {
        String value = String.valueOf(defaults.getRaw(property.getKey()));
        keys.put(property.getKey(), value.strip().replaceAll("\\s+", " "));
      }
    }
  }

  /** What "default" stands for is a constant of an enum, which has the public name as a method. */
  private static String defaultStream(ClassLoader loader) throws Exception {
    Object type =
        Class.forName("org.apache.hadoop.fs.s3a.impl.streams.StreamIntegration", true, loader)
            .getField("DEFAULT_STREAM_TYPE")
            .get(null);
    return String.valueOf(type.getClass().getMethod("getName").invoke(type));
  }
}
