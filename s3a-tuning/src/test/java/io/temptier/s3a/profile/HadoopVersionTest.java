// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.GoldenFile;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HadoopVersionTest {
  /** The lists against the jars of each version, which Maven puts into target/hadoop-jars. */
  @ParameterizedTest
  @EnumSource
  void theListsAreWhatTheJarsHold(HadoopVersion version) throws Exception {
    SortedMap<String, String> found = new HadoopJars(version.number()).keys();
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
    assertTrue(keys.knows("fs.s3a.s3.signing-algorithm"));
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
}
