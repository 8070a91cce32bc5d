// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.fixtures.Thorough;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract is what Hadoop's own handler does. */
@Thorough
final class StockShuffleHandlerTest extends ShuffleHandlerContract {
  @BeforeAll
  static void begin() {
    ShuffleContract.tiered = false;
  }

  @AfterAll
  static void end() {
    ShuffleContract.tiered = true;
  }
}
