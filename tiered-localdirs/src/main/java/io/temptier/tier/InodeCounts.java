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
package io.temptier.tier;

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
    } catch (IOException | RuntimeException e) {
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
