// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the parts of Tez 0.10.5 ask Hadoop's allocator for, and what they make of it. */
final class TezFileKindTest {
  private static final String PART = "attempt_1418684642047_0006_1_00_000000_0_10003";

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
  void kinds(String path, FileKind kind) {
    assertEquals(kind, FileKind.of(path.replace("{}", PART)));
    String root = "/data/nvme0/usercache/ann/appcache/application_1418684642047_0006/";
    assertEquals(kind, FileKind.of(root + path.replace("{}", PART)));
  }

  @ParameterizedTest
  @CsvSource({
    "output/attempt_1418684642047_0006_m_000003_1/file.out, MAP_OUTPUT",
    "output/attempt_1418684642047_0006_m_000003_1_2/file.out, MAP_OUTPUT",
    "output/attempt_1418684642047_0006_m_000003_1_spill_2.out, SPILL",
    "output/attempt_1418684642047_0006_m_000003_1_spill_2147483647.out, SPILL",
    "filecache/10/work, LOCALIZED_RESOURCE"
  })
  void whatOnlyLooksAlike(String path, FileKind kind) {
    assertEquals(kind, FileKind.of(path));
  }
}
