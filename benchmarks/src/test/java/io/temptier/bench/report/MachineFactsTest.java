// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MachineFactsTest {
  @ParameterizedTest
  @CsvSource({"1.01 0.20 0.10, true", "1.00 2.00 2.00, false", "unknown, false"})
  void figuresAreDoubtedOnABusyMachine(String load, boolean doubted) {
    Map<String, String> facts = Map.of("cores", "2", MachineFacts.LOAD_BEFORE, load);
    assertEquals(doubted ? List.of("machine was busy") : List.of(), MachineFacts.doubts(facts));
  }
}
