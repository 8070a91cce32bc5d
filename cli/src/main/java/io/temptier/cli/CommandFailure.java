/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure the user can act on. Its message is printed as it is, without a stack trace, and the
 * command exits with {@link ExitCodes#FAILED}.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A failure.
   *
   * @param message what failed, with the values at hand, and what to do about it
   */
  public CommandFailure(String message) {
    super(message);
  }

  /**
   * A failure with its cause, whose stack trace {@code --debug} shows.
   *
   * @param message what failed, with the values at hand, and what to do about it
   * @param cause what brought it about
   */
  public CommandFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Ends the command if something stands in its way.
   *
   * @param hindrance what does, and what to do about it; empty when nothing does
   */
  public static void ifAny(Optional<String> hindrance) {
    if (hindrance.isPresent()) {
      throw new CommandFailure(hindrance.get());
    }
  }
}
