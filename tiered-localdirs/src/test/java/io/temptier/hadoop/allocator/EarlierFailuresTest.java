// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerResourceFailedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EarlierFailuresTest {
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
}
