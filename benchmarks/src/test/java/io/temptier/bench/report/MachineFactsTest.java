// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MachineFactsTest {
  @ParameterizedTest
  @CsvSource({
    "1.01 0.20 0.10, /jobs.json, machine was busy",
    "1.00 2.00 2.00, /jobs.json, ",
    "unknown, /jobs.json, ",
    "0.00 0.00 0.00, 'synthetic, seed 1', synthetic trace"
  })
  void figuresAreDoubtedOnABusyMachineAndOfASyntheticTrace(
      String load, String trace, String doubt) {
    Map<String, String> facts =
        Map.of("cores", "2", MachineFacts.LOAD_BEFORE, load, MachineFacts.TRACE, trace);
    assertEquals(doubt == null ? List.of() : List.of(doubt), MachineFacts.doubts(facts));
  }

  @Test
  void whatIsNotKnownIsNotDoubted() {
    assertEquals(List.of(), MachineFacts.doubts(Map.of()));
  }
}
