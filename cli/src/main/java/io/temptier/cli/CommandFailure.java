// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure the user can act on. Its message is printed as it is, without a stack trace, and the
 * command exits with {@link ExitCodes#FAILED}.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A message says what failed, with the values at hand, and what to do about it. */
  public CommandFailure(String message) {
    super(message);
  }

  /** Failure with a cause, whose stack trace {@code --debug} shows. */
  public CommandFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Ends the command if something stands in its way, which says what to do about it. */
  public static void ifAny(Optional<String> hindrance) {
    if (hindrance.isPresent()) {
      throw new CommandFailure(hindrance.get());
    }
  }
}
