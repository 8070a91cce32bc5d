// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.s3a.profile.Profile.Committer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProfileTest {
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
