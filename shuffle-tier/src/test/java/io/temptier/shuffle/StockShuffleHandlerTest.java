// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

/** The contract is what Hadoop's own handler does. */
final class StockShuffleHandlerTest extends ShuffleHandlerContract {
  @Override
  HandlerUnderTest handler() {
    return StockHandler.STOCK;
  }
}
