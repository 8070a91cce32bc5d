// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import com.google.auto.value.AutoValue;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Inodes of a file system. Java has no call for them, so {@code stat -f} of coreutils is asked:
 * about 3 ms, done by the NodeManager every few seconds and by a task only where no NodeManager
 * publishes.
 */
@AutoValue
public abstract class InodeCounts {

  /** A file system that does not bound its inodes, or that could not be asked. */
  public static final InodeCounts UNBOUNDED = InodeCounts.of(0, 0);

  private static final long TIMEOUT_SECONDS = 5;

  /** Inodes the file system was made with; 0 when it makes them as needed or does not say. */
  public abstract long total();

  /** Inodes left. */
  public abstract long free();

  public static InodeCounts of(long total, long free) {
    return new AutoValue_InodeCounts(total, free);
  }

  /** Asks for the file system of {@code dir}; {@link #UNBOUNDED} when there is no answer. */
  public static InodeCounts of(Path dir) {
    Process process = null;
    try {
      process =
          new ProcessBuilder("stat", "-f", "-c", "%c %d", dir.toString())
              .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
              .start();
      process.getOutputStream().close();
      try (InputStream output = process.getInputStream()) {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
          return UNBOUNDED;
        }
        String[] numbers =
            new String(Io.readAllBytes(output), StandardCharsets.UTF_8).trim().split(" ", -1);
        return InodeCounts.of(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
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
