// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/**
 * The NodeManager's measurements of a local dir, for tasks: walking a dir and asking for its inodes
 * is too dear for a process that lives for seconds. Properties that a reader does not know are left
 * alone; a state of another version is none.
 */
@AutoValue
public abstract class PublishedState {

  /** Version of this format and of {@code PublishedDevices}'s; 1 where a file names none. */
  private static final String VERSION = "1";

  private static final String VERSION_KEY = "version";

  /** Time of publication, wall clock. */
  public abstract long atMillis();

  /** Bytes under the dir, or {@link DirectoryUsage.Usage#UNKNOWN}. */
  public abstract DirectoryUsage.Usage usage();

  /** Inodes of the file system; 0 when it has no fixed number. */
  public abstract long totalInodes();

  public abstract long freeInodes();

  public static PublishedState of(
      long atMillis, DirectoryUsage.Usage usage, long totalInodes, long freeInodes) {
    return new AutoValue_PublishedState(atMillis, usage, totalInodes, freeInodes);
  }

  /** Publishes atomically at {@code file}. */
  public void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("atMillis", Long.toString(atMillis()));
    properties.setProperty("usageBytes", Long.toString(usage().bytes()));
    properties.setProperty("usageStartedMillis", Long.toString(usage().startedMillis()));
    properties.setProperty("usageFoldersNotListed", Long.toString(usage().foldersNotListed()));
    properties.setProperty("totalInodes", Long.toString(totalInodes()));
    properties.setProperty("freeInodes", Long.toString(freeInodes()));
    publish(properties, file);
  }

  /** Writes {@code properties} at {@code file}, whole and readable by everybody. */
  public static void publish(Properties properties, Path file) throws IOException {
    properties.setProperty(VERSION_KEY, VERSION);
    NodeMarker.publish(file, properties);
  }

  /** Reads {@code file}; empty when it is missing, of another version or makes no sense. */
  public static Optional<PublishedState> read(Path file) {
    return read(
        file,
        properties ->
            PublishedState.of(
                number(properties, "atMillis"),
                DirectoryUsage.Usage.of(
                    number(properties, "usageBytes"),
                    number(properties, "usageStartedMillis"),
                    number(properties, "usageFoldersNotListed")),
                number(properties, "totalInodes"),
                number(properties, "freeInodes")));
  }

  /** Reads what another class published, whose parser throws where it makes no sense. */
  public static <T> Optional<T> read(Path file, Function<Properties, T> parser) {
    try {
      Properties properties = new Properties();
      properties.load(new StringReader(Io.readString(file)));
      return properties.getProperty(VERSION_KEY, VERSION).equals(VERSION)
          ? Optional.of(parser.apply(properties))
          : Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static long number(Properties properties, String key) {
    return Long.parseLong(properties.getProperty(key));
  }
}
