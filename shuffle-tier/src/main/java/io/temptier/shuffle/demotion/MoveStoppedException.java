// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import java.io.IOException;

/** A move is not to go on. No error: what it made is taken back. */
class MoveStoppedException extends IOException {
  private static final long serialVersionUID = 1;

  private final MoveResult result;

  MoveStoppedException(MoveResult result, String why) {
    super(why);
    this.result = result;
  }

  MoveResult result() {
    return result;
  }
}
