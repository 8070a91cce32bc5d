// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import java.io.IOException;

/** A move is not to go on. No error: what it made is taken back. */
public class MoveStoppedException extends IOException {
  private static final long serialVersionUID = 1;

  private final MoveResult result;

  public MoveStoppedException(MoveResult result, String why) {
    super(why);
    this.result = result;
  }

  public MoveResult result() {
    return result;
  }
}
