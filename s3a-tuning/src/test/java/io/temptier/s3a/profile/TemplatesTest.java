// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.GoldenFile;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.Programs;
import io.temptier.s3a.endpoint.EndpointKey;
import java.io.IOException;
import java.net.URI;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code conf-templates/} for S3A: made from the profiles, and read as Hadoop and Spark would; and
 * for Ceph, with what it says itself where it is installed.
 */
class TemplatesTest {
  private static final Path FOLDER = Path.of("..", "conf-templates");
  private static final String OF_HADOOP = "spark.hadoop.";
  private static final String SPARK = "spark-defaults-s3a.conf";

  static final String COMMITTER = "fs.s3a.committer.name";

  private static final HadoopVersion LAST = HadoopVersion.V3_5_0;
  private static final String VERSIONS =
      HadoopVersion.TRIED.stream().map(HadoopVersion::number).collect(joining(", "));

  static Set<String> names() {
    return all().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void areWhatTheProfilesSay(String name) throws IOException {
    String expected = String.valueOf(all().get(name));
    GoldenFile.check("conf-templates/" + name, expected, TemplatesTest.class);
  }

  @Test
  void noneIsLeftFromAnEarlierWorkload() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertEquals(
          names(),
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.contains("-s3a"))
              .collect(toSet()));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void setOnlyWhatEveryHadoopReads(String name) throws IOException {
    List<String> keys = new ArrayList<>();
    if (name.equals(SPARK)) {
      for (String line : Files.readAllLines(FOLDER.resolve(name))) {
        if (line.startsWith(OF_HADOOP)) {
          keys.add(line.substring(OF_HADOOP.length()).split(" ", 2)[0]);
        }
      }
    } else {
      Configuration conf = new Configuration(false);
      conf.addResource(new org.apache.hadoop.fs.Path(FOLDER.resolve(name).toUri()));
      conf.forEach(property -> keys.add(property.getKey()));
    }
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
      Profile profile = profile(workload, version);
      boolean differs = workload == S3aWorkload.MIXED && version == HadoopVersion.V3_4_2;
      assertEquals(
          settings(profile(workload, LAST), differs), settings(profile, differs), version.number());
    }
  }

  private static List<S3aSetting> settings(Profile profile, boolean withoutReadahead) {
    return profile.settings().stream()
        .filter(setting -> !(withoutReadahead && setting.key().equals(Settings.READAHEAD)))
        .toList();
  }

  /** Every file that is made from the profiles, with its text. */
  private static Map<String, String> all() {
    Map<String, String> files = new LinkedHashMap<>();
    for (S3aWorkload workload : S3aWorkload.values()) {
      files.put("core-site-s3a-" + workload + ".xml", coreSite(workload));
    }
    files.put("core-site-s3a-gateways.xml", gateways());
    files.put("mapred-site-s3a.xml", mapReduce());
    files.put(SPARK, spark());
    return files;
  }

  private static Profile profile(S3aWorkload workload, HadoopVersion version) {
    List<URI> example = List.of(URI.create("http://rgw.example.com:8080"));
    return Profile.of(
        workload, version, Profile.Committer.MAGIC, example, UploadBufferPlan.unknown());
  }

  private static String coreSite(S3aWorkload workload) {
    List<String> head = new ArrayList<>();
    head.add(
        "S3A on Ceph's gateway for Hadoop "
            + VERSIONS
            + ", workload "
            + workload
            + ": "
            + workload.meaning()
            + ". Merge it into core-site.xml; put your gateway where EDIT stands.");
    head.add("");
    head.add("Made from the profiles. For one Hadoop, and upload buffers planned by memory:");
    head.add("temptier s3a profile (workload: " + workload + ")");
    return SiteXml.write(profile(workload, LAST), head, Set.of(Settings.ENDPOINT));
  }

  private static String gateways() {
    List<String> head =
        List.of(
            "What spreads S3A's requests over several gateways without a load balancer, for Hadoop "
                + VERSIONS
                + ". Merge it into core-site.xml beside one of core-site-s3a-*.xml, where"
                + " TempTier's jars are on the class path; put your gateways where EDIT stands. For"
                + " a bucket alone: fs.s3a.bucket.BUCKET.s3.client.factory.impl.");
    List<URI> examples =
        List.of(
            URI.create("http://rgw1.example.com:8080"), URI.create("http://rgw2.example.com:8080"));
    return SiteXml.write(
        LAST, head, Settings.spread(examples), Set.of(EndpointKey.ENDPOINTS.key()));
  }

  private static String mapReduce() {
    List<String> head =
        List.of(
            "What MapReduce needs to commit to s3a without renaming, for Hadoop "
                + VERSIONS
                + ". Merge it into mapred-site.xml of the machines that submit jobs. The committer"
                + " itself is named in core-site-s3a-*.xml; one job alone can take another with"
                + " -Dfs.s3a.committer.name=directory.");
    return SiteXml.write(LAST, head, settingsOfMapReduce(), Set.of());
  }

  private static String spark() {
    StringBuilder text = new StringBuilder();
    comment(
        text,
        "What Spark needs to commit to s3a without renaming. Merge it into spark-defaults.conf. The"
            + " other properties of S3A come from core-site.xml, by HADOOP_CONF_DIR.");
    comment(
        text,
        "The jars of Spark's module hadoop-cloud must be on the class path of driver and executors:"
            + " without them every job fails with ClassNotFoundException.");
    for (S3aSetting setting : settingsOfSpark()) {
      append(text, setting.key(), setting);
    }
    List<S3aSetting> ofHadoop = new ArrayList<>(Settings.named("magic"));
    ofHadoop.addAll(settingsOfMapReduce());
    for (S3aSetting setting : ofHadoop) {
      append(text, OF_HADOOP + setting.key(), setting);
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String key, S3aSetting setting) {
    text.append('\n');
    comment(text, "Why: " + setting.why());
    comment(text, "Costs: " + setting.cost());
    comment(text, "Source: " + setting.sources() + ".");
    text.append(key).append(' ').append(setting.value()).append('\n');
  }

  private static void comment(StringBuilder text, String paragraph) {
    SiteXml.wrap(paragraph, "# ").forEach(line -> text.append(line).append('\n'));
  }

  /** For mapred-site.xml. */
  private static List<S3aSetting> settingsOfMapReduce() {
    return List.of(
        S3aSetting.of(
            "mapreduce.outputcommitter.factory.scheme.s3a",
            "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory",
            "Gives jobs whose output is on s3a the committer that "
                + COMMITTER
                + " names. Hadoop's default, set because the committer has no effect without it.",
            "None. Do not set mapreduce.outputcommitter.factory.class, which would take its place.",
            "Hadoop (mapred-default.xml); measurement (docs/s3a.md, Committers)",
            false));
  }

  /** For spark-defaults.conf, beside the properties of Hadoop. */
  private static List<S3aSetting> settingsOfSpark() {
    String spark = "Spark (Integration with Cloud Infrastructures)";
    return List.of(
        S3aSetting.of(
            "spark.sql.sources.commitProtocolClass",
            "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol",
            "Lets Spark SQL ask Hadoop for the committer of the path, instead of its own that"
                + " renames.",
            "Needs Spark's hadoop-cloud module on its class path, and no dynamic overwrite of"
                + " partitions.",
            spark,
            false),
        S3aSetting.of(
            "spark.sql.parquet.output.committer.class",
            "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter",
            "Parquet insists on a committer of its own class; this one passes on to the path's.",
            "Needs Spark's hadoop-cloud module on its class path.",
            spark,
            false));
  }

  private static final Path CEPH = FOLDER.resolve("ceph-rgw.conf");
  private static final String DEFAULT = "Default: ";

  @TempDir private Path folder;

  /** An option with the comment above it. */
  private record Option(String section, String name, String value, String comment) {
    String shipped() {
      return comment.substring(comment.indexOf(DEFAULT) + DEFAULT.length()).strip();
    }
  }

  private static final List<Option> OPTIONS = new ArrayList<>();

  @BeforeAll
  static void parse() throws IOException {
    OPTIONS.clear();
    String section = "";
    StringBuilder comment = new StringBuilder();
    for (String line : Files.readAllLines(CEPH)) {
      if (line.startsWith("#")) {
        comment.append(line.substring(1).strip()).append('\n');
      } else if (line.startsWith("[") && line.endsWith("]")) {
        section = line.substring(1, line.length() - 1);
      } else if (line.isEmpty()) {
        comment.setLength(0);
      } else {
        int sign = line.indexOf(" = ");
        assertTrue(sign > 0, () -> "no option: " + line);
        OPTIONS.add(
            new Option(
                section, line.substring(0, sign), line.substring(sign + 3), comment.toString()));
      }
    }
    assertTrue(OPTIONS.size() >= 5, OPTIONS::toString);
  }

  @Test
  void givesEachOptionOnceForAGatewayWithItsReasons() {
    Set<String> seen = new TreeSet<>();
    for (Option option : OPTIONS) {
      for (String part : List.of("Why: ", "Costs: ", "Source: ", DEFAULT)) {
        assertTrue(
            option.comment().contains(part), () -> option.name() + " lacks \"" + part + "\"");
      }
      assertTrue(option.section().startsWith("client"), option::toString);
      assertTrue(option.name().startsWith("rgw_"), option::toString);
      assertTrue(seen.add(option.section() + "/" + option.name()), option::toString);
    }
    assertTrue(seen.contains("client.rgw.osd2/rgw_frontends"), "a second gateway");
  }

  @Test
  @NeedsCeph
  void cephTakesItAndHasTheDefaultsItNames() throws IOException {
    List<String> stock = showConfig(Files.writeString(folder.resolve("empty.conf"), ""), "osd1");
    List<String> ours = showConfig(CEPH, "osd1");
    for (Option option : OPTIONS) {
      String name = option.name() + " = ";
      assertEquals(List.of(name + option.shipped()), starting(stock, name));
      assertEquals(List.of(name + option.value()), starting(ours, name));
    }
  }

  private static List<String> starting(List<String> lines, String prefix) {
    return lines.stream().filter(line -> line.startsWith(prefix)).toList();
  }

  private static List<String> showConfig(Path file, String gateway) throws IOException {
    String name = "client.rgw." + gateway;
    List<String> command = List.of("ceph-conf", "--show-config", "-c", file.toString(), "-n", name);
    return Programs.said(command).lines().toList();
  }
}
