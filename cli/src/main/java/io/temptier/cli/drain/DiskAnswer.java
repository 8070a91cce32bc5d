// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.Deadline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** What a disk is asked that may not answer: one that is to be pulled may well be such. */
final class DiskAnswer {
  private static final Duration HANGS = Duration.ofMinutes(2);

  private DiskAnswer() {}

  /**
   * The answer of a dir's disk to a question such as "read its marker". Ends the command when there
   * is none in time, or it is a failure.
   */
  static <T> T of(Path dir, String question, Callable<T> work) throws InterruptedException {
    return of(dir, question, new AtomicLong(System.nanoTime()), work);
  }

  /**
   * The answer to a question that takes many steps, each of which is to end in time.
   *
   * @param step when the last one ended, {@link System#nanoTime}
   */
  static <T> T of(Path dir, String question, AtomicLong step, Callable<T> work)
      throws InterruptedException {
    try {
      return Deadline.within(HANGS, "to " + question, step, work);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          ("The disk of %s or of another local dir hangs: to %s, nothing came for %d s. Nothing new"
                  + " is placed in a dir that does not answer. Take it out of"
                  + " yarn.nodemanager.local-dirs and temptier.local-dirs, and restart the"
                  + " NodeManager.")
              .formatted(dir, question, HANGS.toSeconds()),
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandFailure failure) {
        throw failure;
      }
      throw new CommandFailure("Cannot " + question + " in " + dir + ": " + e.getCause(), e);
    }
  }
}
