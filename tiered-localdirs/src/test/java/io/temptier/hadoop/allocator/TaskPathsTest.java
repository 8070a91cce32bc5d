// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.FileKind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerResourceFailedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ContainerLocalizer;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ResourceLocalizationService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What paths of files tell: their kinds, and the attempts and containers that failed before. */
class TaskPathsTest {
  private final AtomicLong nanos = new AtomicLong(-1);
  private final EarlierFailures failures =
      new EarlierFailures() {
        @Override
        long nanos() {
          return nanos.get();
        }
      };

  @ParameterizedTest
  @CsvSource({
    "output/attempt_1388893800000_0001_m_000000_0/file.out, 0",
    "output/attempt_1388893800000_0001_m_000000_3/file.out, 3",
    "attempt_1388893800000_0001_m_000000_1_spill_7.out, 1",
    "/l/usercache/a/appcache/application_1_1/output/attempt_1_1_r_000001_2/map_0.out, 2",
    "output/attempt_1388893800000_0001_1_00_000000_0_10003/file.out, 0",
    "output/attempt_1388893800000_0001_1_00_000000_2_10003_4/file.out, 2",
    "output/attempt_1388893800000_0001_m_000000_1000/file.out, 0",
    "output/attempt_1388893800000_0001_m_000000_2001/file.out, 1",
    "attempt_, 0",
    "attempt_1_1_m_1_99999999999999999999, 999",
    "output/x, 0",
    "'', 0"
  })
  void aTasksPathTellsItsAttempt(String path, int attempts) {
    assertEquals(attempts, failures.before(path));
  }

  @Test
  void aContainersFailureIsItsApplicationsAndThatOfItsResourcesCache() {
    failures.failed("ann", "application_1_0001", LocalResourceVisibility.PRIVATE);
    assertEquals(1, failures.before("usercache/ann/appcache/application_1_0001/filecache"));
    assertEquals(1, failures.before("usercache/ann/appcache/application_1_0001/container_1"));
    assertEquals(1, failures.before("usercache/ann/filecache"));
    assertEquals(0, failures.before("usercache/ann/appcache/application_1_0002/filecache"));
    assertEquals(0, failures.before("usercache/bob/filecache"));
    assertEquals(0, failures.before("./filecache"));
    failures.failed("bob", "application_1_0002", LocalResourceVisibility.PUBLIC);
    assertEquals(1, failures.before("./filecache"));
    assertEquals(0, failures.before("usercache/bob/filecache"));
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertEquals(0, failures.before("./filecache"), "forgotten");
  }

  private void note(ContainerState after, @Nullable ContainerEvent event) {
    failures.note("ann", "application_1_0001", ContainerState.RUNNING, after, event);
  }

  /** As the localization service says it: without a resource, when a localizer did not work. */
  @Test
  void aLocalizerThatFailsAsAWholeIsAFailureOfPrivateResources() {
    ContainerId id = ContainerId.fromString("container_1_0001_01_000001");
    note(
        ContainerState.LOCALIZATION_FAILED,
        new ContainerResourceFailedEvent(id, null, "no such user"));
    assertEquals(1, failures.before("usercache/ann/filecache"));
    assertEquals(0, failures.before("./filecache"));
  }

  @Test
  void aContainerThatFailsIsNotedOnceItHas() {
    String folder = "usercache/ann/appcache/application_1_0001/filecache";
    note(ContainerState.RUNNING, null);
    assertEquals(0, failures.before(folder));
    note(ContainerState.EXITED_WITH_FAILURE, null);
    assertEquals(1, failures.before(folder));
  }

  @Test
  void theLastFailuresAreRemembered() {
    for (int i = 0; i < 5000; i++) {
      failures.failed("ann", "application_1_" + i, null);
    }
    assertEquals(0, failures.before("usercache/ann/appcache/application_1_0/filecache"));
    assertEquals(1, failures.before("usercache/ann/appcache/application_1_4999/filecache"));
  }

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
