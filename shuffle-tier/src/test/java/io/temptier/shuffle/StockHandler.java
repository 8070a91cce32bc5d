// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import org.apache.hadoop.mapred.ShuffleHandler;

/** Hadoop's own handler. */
enum StockHandler implements HandlerUnderTest {
  STOCK;

  @Override
  public ShuffleHandler create() {
    return new ShuffleHandler();
  }
}
