// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.demo.Ledger.Phase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PhaseTest {
  private static final String APP = "usercache/u/appcache/application_1_0001/";

  @ParameterizedTest
  @CsvSource({
    "output/attempt_1_0001_m_000000_0_spill_0.out, MAP_SPILL",
    "output/attempt_1_0001_m_000000_0/file.out, MAP_OUTPUT",
    "output/attempt_1_0001_m_000000_0/file.out.index, INDEX",
    "output/attempt_1_0001_m_000000_0/intermediate.1, MAP_MERGE",
    "output/attempt_1_0001_r_000000_0/map_3.out, REDUCE_SEGMENT",
    "output/attempt_1_0001_r_000000_0/map_3.out.merged, REDUCE_MERGE",
    "output/attempt_1_0001_m_000000_0/.temptier-demotion.copy, DEMOTION",
    "container_1_0001_01_000002/job.xml, WORK_DIR",
    "container_1_0001_01_000002/file.out, WORK_DIR",
    "filecache/10/job.jar, LOCALIZED",
  })
  void aFileOnDiskHasThePhaseOfItsPath(String path, Phase phase) {
    assertEquals(phase, Phase.ofFile(APP + path));
  }

  @ParameterizedTest
  @CsvSource({
    "filecache/10/a.jar, LOCALIZED",
    "usercache/u/filecache/11/a.jar, LOCALIZED",
    "nmPrivate/application_1_0001/container_1_0001_01_000002/launch_container.sh, OTHER",
  })
  void theNodeManagersOwnFilesAreToldApart(String path, Phase phase) {
    assertEquals(phase, Phase.ofFile(path));
  }
}
