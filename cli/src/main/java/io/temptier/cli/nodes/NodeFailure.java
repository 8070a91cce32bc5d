// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.CommandFailure;
import org.jspecify.annotations.Nullable;

/** Why a daemon did not tell what it was asked: in a few words, and with what to do about it. */
public final class NodeFailure extends Exception {
  private static final long serialVersionUID = 1L;
  private static final String WITHOUT = "does not run TempTier";

  private final String brief;

  /** A failure: {@code brief} fits a column of a table, the message says what to do. */
  public NodeFailure(String brief, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.brief = brief;
  }

  /** A NodeManager answers, and does not run TempTier. */
  static NodeFailure withoutTempTier(String message) {
    return new NodeFailure(WITHOUT, message, null);
  }

  public String brief() {
    return brief;
  }

  /** Whether a NodeManager answered that does not run TempTier. */
  public boolean withoutTempTier() {
    return brief.equals(WITHOUT);
  }

  /** The same as the failure of a command that asks one node only. */
  public CommandFailure ofCommand() {
    return new CommandFailure(String.valueOf(getMessage()), this);
  }
}
