// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.DirHealth;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The NodeManager's report on the disks below all local dirs, for all who place files on the node:
 * how each answers, and how much it has to do. A task lives too short to see either. It lies in one
 * dir that answers, since what lies in a dir that hangs cannot be read.
 */
@AutoValue
public abstract class PublishedDevices {

  /**
   * The NodeManager publishes at least every three seconds. Less than the ten after which a dir
   * counts as hung: what lies in it is not believed any more by then.
   */
  private static final long FRESH_MILLIS = 8_000;

  private static final String AT = "atMillis";

  public static final PublishedDevices NONE =
      PublishedDevices.of(-FRESH_MILLIS - 1, Immutable.mapOf());

  public abstract long atMillis();

  /** Devices by the dir's path; a dir that is not there is sound and idle, or nobody knows. */
  public abstract Map<String, Device> dirs();

  @AutoValue
  public abstract static class Device {

    public static final Device IDLE = Device.of(DirHealth.SOUND, 0);

    public abstract DirHealth health();

    /** Bytes that its disk moved lately or was given to write. */
    public abstract long busyBytes();

    public static Device of(DirHealth health, long busyBytes) {
      return new AutoValue_PublishedDevices_Device(health, busyBytes);
    }

    private static Device parse(String text) {
      String[] words = text.split(" ", 2);
      // What a later release may say beside these is for its own tasks.
      DirHealth dirHealth = DirHealth.SOUND;
      for (DirHealth health : DirHealth.values()) {
        dirHealth = health.name().equals(words[0]) ? health : dirHealth;
      }
      return Device.of(dirHealth, Math.max(0, Long.parseLong(words[1])));
    }
  }

  public static PublishedDevices of(long atMillis, Map<String, Device> dirs) {
    dirs = Immutable.copyOf(dirs);
    return new AutoValue_PublishedDevices(atMillis, dirs);
  }

  /** Publishes atomically at {@code file}. */
  public void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(AT, Long.toString(atMillis()));
    dirs()
        .forEach(
            (dir, device) ->
                properties.setProperty(dir, device.health() + " " + device.busyBytes()));
    PublishedState.publish(properties, file);
  }

  /** Reads {@code file}; empty when it is missing, of another version or makes no sense. */
  public static Optional<PublishedDevices> read(Path file) {
    return PublishedState.read(
        file,
        properties -> {
          Map<String, Device> dirs = new HashMap<>();
          for (String key : properties.stringPropertyNames()) {
            if (key.startsWith("/")) {
              dirs.put(key, Device.parse(properties.getProperty(key)));
            }
          }
          return of(Long.parseLong(properties.getProperty(AT)), dirs);
        });
  }

  public Device of(Path dir) {
    return dirs().getOrDefault(dir.toString(), Device.IDLE);
  }

  boolean fresh(long nowMillis) {
    return Math.abs(nowMillis - atMillis()) < FRESH_MILLIS;
  }
}
