// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * How much the disk of each local dir moved lately or was given to write, as the NodeManager
 * publishes it: a task lives too short to see it, and what waits in the page cache is in no claim.
 *
 * @param atMillis when it was published, wall clock
 * @param bytes by the dir's path; a dir that is not there is idle, or nobody knows
 */
public record PublishedTraffic(long atMillis, Map<String, Long> bytes) {
  /** A NodeManager whose disks are at work says so again long before. */
  private static final long FRESH_MILLIS = 10_000;

  private static final String AT = "atMillis";

  public PublishedTraffic {
    bytes = Map.copyOf(bytes);
  }

  /**
   * Publishes atomically at {@code file}.
   *
   * @throws IOException when the folder is missing or not writable
   */
  public void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(AT, Long.toString(atMillis));
    bytes.forEach((dir, moved) -> properties.setProperty(dir, Long.toString(moved)));
    PublishedState.publish(properties, file);
  }

  /** Reads {@code file}; empty when it is missing, of another version or makes no sense. */
  public static Optional<PublishedTraffic> read(Path file) {
    try {
      Properties properties = PublishedState.published(file);
      long atMillis = Long.parseLong(properties.getProperty(AT));
      Map<String, Long> bytes = new HashMap<>();
      for (String key : properties.stringPropertyNames()) {
        if (key.startsWith("/")) {
          bytes.put(key, Math.max(0, Long.parseLong(properties.getProperty(key))));
        }
      }
      return Optional.of(new PublishedTraffic(atMillis, bytes));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Whether it was published lately. */
  boolean fresh(long nowMillis) {
    return Math.abs(nowMillis - atMillis) < FRESH_MILLIS;
  }
}
