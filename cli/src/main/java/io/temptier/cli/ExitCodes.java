// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

/** Exit codes, the same for every command. */
public final class ExitCodes {
  /** The command did what it was asked, and what it looked at is fine. */
  public static final int FINE = 0;

  /** The command failed, or what it looked at is not fine. */
  public static final int FAILED = 1;

  /** The command line itself is wrong; nothing was done. */
  public static final int WRONG_USE = 2;

  /** A doctor got no answer: what it looked at is neither known to be fine nor to be at fault. */
  public static final int UNANSWERED = 3;

  private ExitCodes() {}
}
