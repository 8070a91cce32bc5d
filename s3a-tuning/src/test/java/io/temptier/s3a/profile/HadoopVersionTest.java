// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.GoldenFile;
import io.temptier.s3a.profile.Profile.Committer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each version reads, and what its profiles set. */
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

  private static final Path DOCS = Path.of("..", "docs", "s3a.md");

  /** What was measured; {@link #DOCS} leads there. */
  private static final Path RESULTS = Path.of("..", "docs", "results.md");

  /** Times, percentages and factors. */
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])\\d+(?:\\.\\d+)?(?= (?:ms|s|times|against)\\b| %)");

  private static Profile profile(S3aWorkload workload, HadoopVersion version, Committer committer) {
    return Profile.of(
        workload,
        version,
        committer,
        List.of(URI.create("http://rgw1:8080")),
        UploadBufferPlan.unknown());
  }

  private static Map<String, String> values(Profile profile) {
    Map<String, String> values = new LinkedHashMap<>();
    for (S3aSetting setting : profile.settings()) {
      assertEquals(null, values.put(setting.key(), setting.value()), setting.key() + " twice");
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void everySettingIsReadByThatHadoopAndHasItsReasons(HadoopVersion version) throws IOException {
    String docs = Files.readString(DOCS);
    String results = Files.readString(RESULTS);
    for (S3aWorkload workload : S3aWorkload.values()) {
      for (Committer committer : Committer.values()) {
        Profile profile = profile(workload, version, committer);
        assertTrue(values(profile).size() >= 8, () -> values(profile).toString());
        int numbers = 0;
        for (S3aSetting setting : profile.settings()) {
          assertTrue(version.knows(setting.key()), setting.key());
          assertTrue(setting.isReadBy(version), setting.key());
          for (String text : List.of(setting.why(), setting.cost())) {
            assertTrue(text.endsWith(".") && !text.contains("  "), setting.key() + ": " + text);
          }
          assertFalse(setting.value().isBlank(), setting.key());
          numbers += numbersInTheDocs(setting, docs, results);
        }
        assertTrue(numbers >= 4, "only " + numbers);
      }
    }
  }

  /** What a reason says was measured, an operator can look up where its source says. */
  private static int numbersInTheDocs(S3aSetting setting, String docs, String results) {
    for (String source : setting.sources().split("; ", -1)) {
      assertTrue(source.matches("(document|measurement|Hadoop) \\(.+\\)"), setting::sources);
      String heading = source.replaceFirst("measurement \\(docs/s3a.md, (.+)\\)", "### $1");
      assertTrue(
          !source.startsWith("measurement") || docs.contains("\n" + heading + "\n"),
          () -> setting.key() + ": no " + heading);
    }
    int found = 0;
    Matcher number = NUMBER.matcher(setting.why() + " " + setting.cost());
    while (number.find()) {
      found++;
      String text = number.group();
      assertTrue(
          Pattern.compile("(?<![\\d.])" + Pattern.quote(text) + "(?!\\d)")
              .matcher(docs + results)
              .find(),
          () -> setting.key() + ": " + text + " is in neither docs/s3a.md nor docs/results.md");
      assertTrue(
          setting.sources().matches(".*(document|measurement) .*"),
          () -> setting.key() + " has numbers of nobody: " + text);
    }
    return found;
  }

  /** Other reads are in conf-templates. */
  @ParameterizedTest
  @CsvSource({"V3_3_6, ", "V3_4_2, classic"})
  void mixedReadsAheadAsFarAsItBeatsThatVersionsDefault(HadoopVersion version, String stream) {
    Map<String, String> values = values(profile(S3aWorkload.MIXED, version, Committer.MAGIC));
    assertEquals(stream, values.get(Settings.STREAM));
    assertEquals("normal", values.get(Settings.FADVISE));
    assertEquals("256K", values.get(Settings.READAHEAD));
  }

  /** On AWS SDK 1: no signer of SDK 2, and by name what there is not. */
  @ParameterizedTest
  @EnumSource
  void hadoop33GetsOnlyWhatItReads(S3aWorkload workload) {
    Profile profile = profile(workload, HadoopVersion.V3_3_6, Committer.MAGIC);
    Map<String, String> values = values(profile);
    Map<String, String> remarks = profile.remarks();
    for (String key :
        List.of("fs.s3a.s3.signing-algorithm", "fs.s3a.optimized.copy.from.local.enabled")) {
      assertFalse(values.containsKey(key), key);
      assertEquals("left out: not for Hadoop 3.3.6.", remarks.get(key));
    }
    assertFalse(remarks.containsKey("fs.s3a.performance.flags"), "there is none to leave out");
    assertTrue(String.valueOf(remarks.get("Hadoop 3.3.6")).contains("Try the result first"));
  }

  /** The other one is in conf-templates. */
  @Test
  void theDirectoryCommitterBringsWhatItNeeds() {
    Map<String, String> directory =
        values(profile(S3aWorkload.MIXED, HadoopVersion.V3_5_0, Committer.DIRECTORY));
    assertEquals("directory", directory.get(TemplatesTest.COMMITTER));
    assertEquals("append", directory.get("fs.s3a.committer.staging.conflict-mode"));
    assertFalse(directory.containsKey("fs.s3a.committer.magic.enabled"));
  }

  @ParameterizedTest
  @EnumSource
  void remarksFollowTheVersion(HadoopVersion version) {
    Set<String> about = profile(S3aWorkload.MIXED, version, Committer.MAGIC).remarks().keySet();
    assertTrue(about.contains("fs.s3a.fast.upload"), about::toString);
    boolean later = version.compareTo(HadoopVersion.V3_4_2) > 0;
    assertEquals(later, about.contains("fs.s3a.checksum.generation"));
    assertEquals(later, about.contains("fs.s3a.request.md5.header"));
    assertEquals(version == HadoopVersion.V3_5_0, about.contains("jackson-core"));
  }
}
