// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.FileKind;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ContainerLocalizer;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ResourceLocalizationService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FileKindTest {
  private static final long UNKNOWN = 64L << 20;
  private static final String CONTAINER = "container_1700000000000_0001_01_000002";
  private static final String APPLICATION = "application_1700000000000_0001/";
  private static final String USER = ContainerLocalizer.USERCACHE + "/hdoop/";

  @ParameterizedTest
  @CsvSource({
    "output/attempt_1_0001_m_000000_0_spill_0.out, SPILL",
    "output/attempt_1_0001_m_000000_0_spill_0.out.index, INDEX",
    "output/spill0.out, SPILL",
    "output/attempt_1_0001_m_000000_0/file.out, MAP_OUTPUT",
    "output/attempt_1_0001_m_000000_0/file.out.index, INDEX",
    "output/attempt_1_0001_r_000000_0/map_3.out, FETCHED_SEGMENT",
    "output/attempt_1_0001_r_000000_0/map_3.out.merged, MERGE",
    "attempt_1_0001_m_000000_0/intermediate.1, MERGE",
    "s3ablock-0001-12345.tmp, UPLOAD_BUFFER",
    "filecache/10, LOCALIZED_RESOURCE",
  })
  void namesOfTasks(String path, FileKind kind) {
    assertEquals(kind, FileKind.of(path));
  }

  @Test
  void whatYarnAsksForWithEveryContainerCountsAsLittle() {
    String appcache = USER + ContainerLocalizer.APPCACHE + "/" + APPLICATION;
    assertKind(FileKind.WORK_DIR, 1 << 20, appcache + CONTAINER);
    String privates = ResourceLocalizationService.NM_PRIVATE_DIR + "/" + APPLICATION + CONTAINER;
    assertKind(FileKind.NM_PRIVATE, 64 << 10, privates + "/launch_container.sh");
    String mounts = ContainerLocalizer.FILECACHE + "/csivolumes";
    assertKind(FileKind.NM_PRIVATE, 64 << 10, USER + mounts + "/" + APPLICATION + CONTAINER);
    assertKind(FileKind.LOCALIZED_RESOURCE, 1 << 20, "./" + ContainerLocalizer.FILECACHE);
  }

  private static void assertKind(FileKind kind, long expectedBytes, String path) {
    assertEquals(kind, FileKind.of(path), path);
    assertEquals(expectedBytes, kind.expectedBytes(UNKNOWN), path);
  }
}
