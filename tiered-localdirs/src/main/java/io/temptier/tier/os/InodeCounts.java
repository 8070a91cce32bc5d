// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Inodes of a file system. Java has no call for them, so {@code stat -f} of coreutils is asked:
 * about 3 ms, done by the NodeManager every few seconds and by a task only where no NodeManager
 * publishes.
 *
 * @param total inodes the file system was made with; 0 when it makes them as needed or does not say
 * @param free inodes left
 */
public record InodeCounts(long total, long free) {
  /** A file system that does not bound its inodes, or that could not be asked. */
  public static final InodeCounts UNBOUNDED = new InodeCounts(0, 0);

  private static final long TIMEOUT_SECONDS = 5;

  /** Asks for the file system of {@code dir}; {@link #UNBOUNDED} when there is no answer. */
  public static InodeCounts of(Path dir) {
    Process process = null;
    try {
      process =
          new ProcessBuilder("stat", "-f", "-c", "%c %d", dir.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      try (InputStream output = process.getInputStream()) {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
          return UNBOUNDED;
        }
        String[] numbers =
            new String(output.readAllBytes(), StandardCharsets.UTF_8).trim().split(" ", -1);
        return new InodeCounts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Also where no more threads can be had, which waiting for a process takes.
      return UNBOUNDED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return UNBOUNDED;
    } finally {
      if (process != null) {
        process.destroy();
      }
    }
  }
}
