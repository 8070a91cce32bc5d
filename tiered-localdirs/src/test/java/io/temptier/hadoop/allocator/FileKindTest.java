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
  private static final String TEZ = "attempt_1418684642047_0006_1_00_000000_0_10003";
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
    // What only looks like Tez's.
    "output/attempt_1418684642047_0006_m_000003_1/file.out, MAP_OUTPUT",
    "output/attempt_1418684642047_0006_m_000003_1_2/file.out, MAP_OUTPUT",
    "output/attempt_1418684642047_0006_m_000003_1_spill_2.out, SPILL",
    "output/attempt_1418684642047_0006_m_000003_1_spill_2147483647.out, SPILL",
    "filecache/10/work, LOCALIZED_RESOURCE",
  })
  void namesOfTasks(String path, FileKind kind) {
    assertEquals(kind, FileKind.of(path));
  }

  /** What the parts of Tez 0.10.5 ask Hadoop's allocator for, and what they make of it. */
  @ParameterizedTest
  @CsvSource({
    // TezTaskOutputFiles, for both sorters and for the unordered writer.
    "output/{}/file.out, MAP_OUTPUT",
    "output/{}/file.out.index, INDEX",
    "output/{}_0/file.out, SPILL",
    "output/{}_12/file.out, SPILL",
    "output/{}_12/file.out.index, INDEX",
    // The same for the shuffle handler of Tez itself.
    "dag_1/output/{}/file.out, MAP_OUTPUT",
    "dag_1/output/{}_0/file.out, SPILL",
    "dag_1/output/{}_0/file.out.index, INDEX",
    // MapOutput and DiskFetchedInput: asked for, fetched by the fetcher of a number, then whole.
    "{}_src_10_spill_-1.out, FETCHED_SEGMENT",
    "{}_src_10_spill_-1.out7, FETCHED_SEGMENT",
    "dag_1/{}_src_10_spill_-1.out, FETCHED_SEGMENT",
    // The same in a pipelined shuffle.
    "{}_src_10_spill_0.out, FETCHED_SEGMENT",
    "{}_src_10_spill_3.out12, FETCHED_SEGMENT",
    // MergeManager.InMemoryMerger, asked for as a segment; OnDiskMerger; finalMerge.
    "{}_src_10_spill_-1.out.merged, MERGE",
    "{}_src_10_spill_-1, MERGE",
    "{}_src_10_spill_3, MERGE",
    "{}_src_10_spill_-1.merged4, MERGE",
    "{}_src_10_spill_2147483647.out, MERGE",
    "{}_src_10_spill_2147483647.out.merged, MERGE",
    // TezMerger.
    "{}/intermediate.1, MERGE",
    // MRTask.
    "work, WORK_DIR"
  })
  void namesOfTez(String path, FileKind kind) {
    assertEquals(kind, FileKind.of(path.replace("{}", TEZ)));
    String root = "/data/nvme0/usercache/ann/appcache/application_1418684642047_0006/";
    assertEquals(kind, FileKind.of(root + path.replace("{}", TEZ)));
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
