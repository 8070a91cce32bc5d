// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  public abstract long free();

  /** A number below 0, such as CephFS's or 2^64 - 1, says that nothing is bounded. */
  public static InodeCounts of(long total, long free) {
    return total < 0 || free < 0 ? UNBOUNDED : new AutoValue_InodeCounts(total, free);
  }

  /** Asks for the file system of {@code dir}; {@link #UNBOUNDED} when there is no answer. */
  public static InodeCounts of(Path dir) {
    return of(Immutable.listOf(dir)).getOrDefault(dir, UNBOUNDED);
  }

  /**
   * Asks for the file systems of several dirs by one process, and returns what answered. One that
   * hangs keeps the answers of the others back.
   */
  public static Map<Path, InodeCounts> of(List<Path> dirs) {
    List<String> command = new ArrayList<>(Immutable.listOf("stat", "-f", "-c", "%c %d %n"));
    dirs.forEach(dir -> command.add(dir.toString()));
    Process process = null;
    try {
      process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
              .start();
      process.getOutputStream().close();
      try (InputStream output = process.getInputStream()) {
        if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
          String text = new String(Io.readAllBytes(output), Charset.defaultCharset());
          return parse(Strings.lines(text).collect(Immutable.toList()), dirs);
        }
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Waiting for a process takes a thread, and there may be no more.
      return Immutable.mapOf();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (process != null) {
        process.destroy();
      }
    }
    return Immutable.mapOf();
  }

  static Map<Path, InodeCounts> parse(List<String> lines, List<Path> dirs) {
    Map<Path, InodeCounts> counts = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ", 3);
      // Names count only where a dir did not answer: they may come back in another encoding.
      Path dir = lines.size() == dirs.size() ? dirs.get(i) : Paths.get(words[2]);
      long total = new BigInteger(words[0]).longValue();
      counts.put(dir, InodeCounts.of(total, new BigInteger(words[1]).longValue()));
    }
    return counts;
  }
}
