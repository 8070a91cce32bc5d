// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TpcdsQueriesTest {
  private static final List<String> STOCK =
      List.of(
          "STEP\ttpcds-tables:/tables:10\tmade\t900",
          "STEP\ttpcds:/tables:q65\t12 rows ab\t100",
          "STEP\ttpcds:/tables:q67\tfailed\t200",
          "STEP\ttpcds:/tables:q97\t1 rows cd\t300");

  @Test
  void anArmIsRightThatGivesWhatStockGives() {
    assertEquals(
        List.of(),
        TpcdsQueries.wrong(
            STOCK,
            List.of(
                "STEP\ttpcds:/tables:q65\t12 rows ab\t50",
                "STEP\ttpcds:/tables:q67\t3 rows ef\t50",
                "STEP\ttpcds:/tables:q97\t1 rows cd\t50")));
  }

  @Test
  void anotherResultAndAMissingOneAreWrong() {
    assertEquals(
        List.of("tpcds:/tables:q65 12 rows ab", "tpcds:/tables:q97 1 rows cd"),
        TpcdsQueries.wrong(STOCK, List.of("STEP\ttpcds:/tables:q65\tfailed\t50")));
  }
}
