// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.workload.DfsFiles.Passed;
import io.temptier.lab.cluster.JobResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DfsFilesTest {
  private final DfsFiles files = new DfsFiles(2, 96);

  @Test
  void readsWhatTestDfsioPrints() {
    Passed passed = files.passed(job("SUCCEEDED", "192", "23.21"));
    assertEquals(23.21, passed.mbPerSecond());
    assertTrue(passed.whole());
  }

  @Test
  void missingBytesAreSeen() {
    assertFalse(files.passed(job("SUCCEEDED", "96", "23.21")).whole());
    assertFalse(files.passed(job("FAILED", "192", "23.21")).whole());
  }

  @Test
  void nothingPrintedIsNothingDone() {
    JobResult silent = TrialsOf.job("NOT SUBMITTED", 0, 0, Map.of(), List.of());
    Passed passed = files.passed(silent);
    assertEquals(0, passed.mbPerSecond());
    assertFalse(passed.whole());
  }

  private static JobResult job(String state, String megabytes, String rate) {
    List<String> log =
        List.of(
            "2026-01-01 00:00:00,000 INFO TestDFSIO: ----- TestDFSIO ----- : write",
            "2026-01-01 00:00:00,000 INFO TestDFSIO:         Number of files: 2",
            "2026-01-01 00:00:00,000 INFO TestDFSIO:  Total MBytes processed: " + megabytes,
            "2026-01-01 00:00:00,000 INFO TestDFSIO:       Throughput mb/sec: " + rate,
            "2026-01-01 00:00:00,000 INFO TestDFSIO:  Average IO rate mb/sec: 99.9");
    return TrialsOf.job(state, 8, 0, Map.of(), log);
  }
}
