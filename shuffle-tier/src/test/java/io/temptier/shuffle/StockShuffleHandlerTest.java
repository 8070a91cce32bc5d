// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.fixtures.Thorough;

/** The contract is what Hadoop's own handler does. */
@Thorough
final class StockShuffleHandlerTest extends ShuffleHandlerContract {
  @Override
  HandlerUnderTest handler() {
    return StockHandler.STOCK;
  }
}
