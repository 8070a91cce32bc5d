// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** TeraValidate's rows, the lines of its report with " ; " between, and what is wrong. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3 | checksum 1abcd |
          # The sum has 128 bits, TeraGen's counter 64.
          3 | checksum 10000000000001abcd |
          2 | checksum 1abcd | 2 rows instead of 3
          3 | checksum 1abce | 1abce instead of 1abcd
          3 | checksum 1abcd ; error misorder in part-r-00000 | misorder in part-r-00000
          3 | | reports
          """)
  void whatIsMissingChangedOrOutOfOrderIsSaid(
      int rows, @Nullable String report, @Nullable String fault) throws IOException {
    List<String> lines = report == null ? List.of() : List.of(report.split(" ; ", -1));
    String said = MADE.fault(validated(rows), lines.stream().map(TeraRowsTest::tabbed).toList());
    assertEquals(fault == null, said.isEmpty(), said);
    assertTrue(fault == null || said.contains(fault), said);
  }

  private static String tabbed(String line) {
    return line.replaceFirst(" ", "\t");
  }

  @Test
  void aTeraValidateThatFailedIsSaid() throws IOException {
    assertTrue(MADE.fault(job(1), List.of()).contains("teravalidate ended as FAILED"));
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
