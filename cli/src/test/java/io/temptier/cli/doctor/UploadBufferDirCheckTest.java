// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UploadBufferDirCheckTest {
  private static final TierLayout TIERS =
      layout(dir("/nvme0/yarn", Medium.NVME), dir("/hdd0/yarn", Medium.DISK));

  private static LocalDir dir(String path, Medium medium) {
    return LocalDir.of(Path.of(path), medium, LocalDir.NO_CAP, "test");
  }

  private static TierLayout layout(LocalDir... dirs) {
    return TierLayout.of(List.of(dirs), List.of(Medium.values()), medium -> Reserve.DEFAULT);
  }

  /** Hadoop's defaults, and S3A in use. */
  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.addResource("core-default.xml");
    conf.set("fs.s3a.endpoint", "http://rgw1:8080");
    return conf;
  }

  private static List<Finding> check(Configuration conf, TierLayout layout, Medium outside) {
    return UploadBufferDirCheck.check(conf, layout, dir -> outside);
  }

  private static Finding only(List<Finding> findings) {
    assertEquals(1, findings.size(), findings.toString());
    return findings.get(0);
  }

  @Test
  void nothingToSayWithoutS3a() {
    Configuration conf = new Configuration(false);
    assertEquals(List.of(), check(conf, TIERS, Medium.DISK));
    conf.addResource("core-default.xml");
    assertEquals(List.of(), check(conf, TIERS, Medium.DISK));
    conf.set(UploadBufferDirCheck.BUFFER_DIR, "/tmp/s3a");
    conf.set("fs.defaultFS", "s3a://bucket/");
    assertEquals(1, check(conf, TIERS, Medium.DISK).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"array", "bytebuffer", " ByteBuffer "})
  void buffersInMemoryLieNowhere(String buffer) {
    Configuration conf = conf();
    conf.set(UploadBufferDirCheck.BUFFER, buffer);
    conf.set(UploadBufferDirCheck.BUFFER_DIR, "/tmp/s3a");
    assertEquals(List.of(), check(conf, TIERS, Medium.DISK));
  }

  @ParameterizedTest
  @CsvSource({
    "/tmp/s3a, DISK, WARNING, 'outside all local dirs, on DISK, while there is NVME'",
    "/tmp/s3a, SSD, WARNING, 'outside all local dirs, on SSD, while there is NVME'",
    "/tmp/s3a, NVME, INFO, 'outside all local dirs, on NVME: what'",
    "/tmp/s3a, RAM_DISK, INFO, 'outside all local dirs, on RAM_DISK: what'",
    "file:///tmp/s3a, REMOTE, WARNING, 'outside all local dirs, on REMOTE'",
    "/hdd0/yarn/s3a, DISK, WARNING, 'on DISK, in the local dir /hdd0/yarn but in no container'",
    "tmp/s3a, DISK, WARNING, 'not absolute'"
  })
  void fixedDirsAreJudgedByTheirMedium(
      String dir, Medium outside, Severity severity, String consequence) {
    Configuration conf = conf();
    conf.set(UploadBufferDirCheck.BUFFER_DIR, dir);
    Finding finding = only(check(conf, TIERS, outside));
    assertEquals(severity, finding.severity());
    assertEquals(dir, finding.value());
    assertTrue(finding.consequence().contains(consequence), finding.consequence());
    assertTrue(finding.remedy().contains(UploadBufferDirCheck.DEFAULT_DIR), finding.remedy());
  }
}
