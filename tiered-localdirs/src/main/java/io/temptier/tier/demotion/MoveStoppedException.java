// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import java.io.IOException;

/** A move is not to go on. No error: what it made is taken back. */
public class MoveStoppedException extends IOException {
  private static final long serialVersionUID = 1;

  /** Result of a move. Whatever it is, the output can be read as before. */
  public enum MoveResult {
    /** The data lies below, a link in its old place. */
    MOVED,
    /** No slower tier has room above its reserve. */
    NO_ROOM,
    /** Another batch runs: one at a time does. */
    NOT_YET,
    /** The slower device is busy with shuffle reads, or rests after an error. */
    BUSY,
    /** The application ended, the output changed, or demotion is being stopped. */
    GIVEN_UP,
    FAILED
  }

  private final MoveResult result;

  public MoveStoppedException(MoveResult result, String why) {
    super(why);
    this.result = result;
  }

  public MoveResult result() {
    return result;
  }
}
