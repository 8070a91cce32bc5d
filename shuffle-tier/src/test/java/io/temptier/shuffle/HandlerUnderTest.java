// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.util.function.Supplier;
import org.apache.hadoop.mapred.ShuffleHandler;

/** A shuffle handler that the contract is held against. Where ours does better, a test says why. */
enum HandlerUnderTest {
  STOCK(ShuffleHandler::new),
  TIERED(LaneShuffleHandler::new);

  private final Supplier<ShuffleHandler> constructor;

  HandlerUnderTest(Supplier<ShuffleHandler> constructor) {
    this.constructor = constructor;
  }

  /** A handler that is not inited yet. */
  ShuffleHandler create() {
    return constructor.get();
  }

  /** Whether it is ours. */
  boolean tiered() {
    return this == TIERED;
  }

  /** Bytes of segments that were read and not yet sent; stock keeps no account. */
  static long segmentBytes(ShuffleHandler handler) {
    return handler instanceof LaneShuffleHandler ours ? ours.segmentBytes() : 0;
  }
}
