// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TeraRowsTest {
  private static final TeraRows MADE = new TeraRows(3, 0x1abcdL);

  @Test
  void rowsAreThoseThatTeraGenCounted() throws IOException {
    JobResult teragen =
        job(
            0,
            "INFO mapred.Task: Final Counters for attempt_local1_0001_m_000000_0: Counters: 2",
            "\t\tMap output records=1",
            "\t\tCHECKSUM=7",
            "INFO mapreduce.Job: Counters: 2",
            "\tMap-Reduce Framework",
            "\t\tMap input records=4",
            "\t\tMap output records=3",
            "\torg.apache.hadoop.examples.terasort.TeraGen$Counters",
            "\t\tCHECKSUM=109517");
    assertEquals(MADE, TeraRows.madeBy(teragen));
  }

  @Test
  void aTeraGenThatFailedMadeNone() {
    Texts.thrown(IOException.class, () -> TeraRows.madeBy(job(1, "no room")), "no room");
    assertThrows(IOException.class, () -> TeraRows.madeBy(job(0, "no counters")));
  }

  @Test
  void theSameRowsInOrderHaveNoFault() throws IOException {
    assertEquals("", MADE.fault(validated(3), List.of("checksum\t1abcd")));
    // The sum has 128 bits, TeraGen's counter 64.
    assertEquals("", MADE.fault(validated(3), List.of("checksum\t10000000000001abcd")));
  }

  @Test
  void whatIsMissingChangedOrOutOfOrderIsSaid() throws IOException {
    assertFault("2 rows instead of 3", MADE.fault(validated(2), List.of("checksum\t1abcd")));
    assertFault("1abce instead of 1abcd", MADE.fault(validated(3), List.of("checksum\t1abce")));
    assertFault(
        "misorder in part-r-00000",
        MADE.fault(
            validated(3),
            List.of("checksum\t1abcd", "error\tmisorder in part-r-00000 between 2 and 1")));
    assertFault("reports", MADE.fault(validated(3), List.of()));
    assertFault("teravalidate ended as FAILED", MADE.fault(job(1), List.of()));
  }

  private static void assertFault(String expected, String fault) {
    assertTrue(fault.contains(expected), fault);
  }

  private static JobResult validated(int rows) {
    return job(0, "\t\tMap input records=" + rows, "\t\tReduce output records=1");
  }

  private static JobResult job(int code, String... log) {
    String state = code == 0 ? "SUCCEEDED" : "FAILED";
    return new JobResult(
        "tera", "job_local1_0001", code, 1, 1, 1, state, 1, 1, 0, 0, Map.of(), List.of(log));
  }
}
