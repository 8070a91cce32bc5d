// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The event log of an application of Spark's: a file, or the parts of a rolling one, plain or
 * compressed. What its tasks write for a shuffle stays until the last of them ends, what they spill
 * until they end.
 */
final class SparkEventLog {
  private static final String OPEN = ".inprogress";

  /** Name of a log in a single file, which is the application's id; Spark leaves no dot in that. */
  private static final Pattern SINGLE =
      Pattern.compile("[^.]+(\\.(zstd|lz4|snappy|lzf))?(\\.inprogress)?");

  /** Beginning of every log, whatever its name. */
  private static final String BEGIN = "{\"Event\":\"SparkListener";

  private static final String FOLDER = "eventlog_v2_";

  private static final Pattern PART = Pattern.compile("(?:events_(\\d+)|appstatus)_.*");
  private static final String STATUS = "appstatus_";

  /** Suffix of the part that earlier ones were compacted into. */
  private static final String COMPACTED = ".compact";

  /** Streams of Spark's codecs, by what they end a name with. */
  private static final Map<String, String> CODECS =
      Immutable.mapOf(
          "zstd", "com.github.luben.zstd.ZstdInputStream",
          "lz4", "net.jpountz.lz4.LZ4BlockInputStream",
          "snappy", "org.xerial.snappy.SnappyInputStream",
          "lzf", "com.ning.compress.lzf.LZFInputStream");

  private final FileSystem files;

  /** Parts in the order they were written. */
  private final List<Path> parts;

  /** True if the application writes on, or was killed: the end may be torn. */
  private final boolean open;

  /** A log of files in any order. */
  private SparkEventLog(FileSystem files, List<Path> all) {
    this.files = files;
    this.open = all.stream().anyMatch(file -> file.getName().endsWith(OPEN));
    List<Path> sorted = new ArrayList<>(all);
    sorted.removeIf(file -> file.getName().startsWith(STATUS));
    sorted.sort(Comparator.comparingLong(SparkEventLog::number));
    int begin = Math.max(0, sorted.size() - 1);
    while (begin > 0 && !sorted.get(begin).getName().endsWith(COMPACTED)) {
      begin--;
    }
    this.parts = sorted.subList(begin, sorted.size());
  }

  /** Returns the log a file belongs to; empty when it is none by its name. */
  static Optional<String> key(Path file) {
    Path folder = file.getParent();
    boolean rolling = folder != null && folder.getName().startsWith(FOLDER);
    Matcher name = (rolling ? PART : SINGLE).matcher(file.getName());
    return Optional.of((rolling ? folder : file) + "").filter(key -> name.matches());
  }

  /** The job of a log; empty when it is none, or has no beginning yet. */
  static Optional<Histories.Source> of(FileSystem fs, List<Path> all) throws IOException {
    SparkEventLog log = new SparkEventLog(fs, all);
    if (log.parts.isEmpty() || !log.begins()) {
      return Optional.empty();
    }
    List<JsonNode> starts = new ArrayList<>();
    log.read(
        "SparkListenerApplicationStart",
        event -> {
          starts.add(event);
          return false;
        });
    if (starts.isEmpty() || !starts.get(0).path("Timestamp").isNumber()) {
      return Optional.empty();
    }
    JsonNode start = starts.get(0);
    String id = start.path("App ID").asText(log.parts.get(0).getName());
    long submitMillis = start.path("Timestamp").asLong();
    String user = start.path("User").asText("");
    return Optional.of(
        new Histories.Source(
            id, submitMillis, () -> PastJob.of(id, submitMillis, user, log.tasks())));
  }

  private boolean begins() throws IOException {
    try (InputStream raw = files.open(parts.get(0));
        InputStream text = text(parts.get(0), raw)) {
      byte[] begin = Io.readNBytes(text, BEGIN.length());
      return new String(begin, StandardCharsets.UTF_8).equals(BEGIN);
    }
  }

  private static long number(Path part) {
    Matcher name = PART.matcher(part.getName());
    return name.matches() ? Long.parseLong(name.group(1)) : 0;
  }

  private List<PastJob.Task> tasks() throws IOException {
    List<PastJob.Task> tasks = new ArrayList<>();
    read(
        "SparkListenerTaskEnd",
        event -> {
          if (event.at("/Task End Reason/Reason").asText().equals("Success")) {
            tasks.add(task(event));
          }
          return true;
        });
    return tasks;
  }

  private static PastJob.Task task(JsonNode event) {
    JsonNode metrics = event.path("Task Metrics");
    return PastJob.Task.of(
        event.at("/Task Info/Host").asText(),
        event.at("/Task Info/Launch Time").asLong(),
        event.at("/Task Info/Finish Time").asLong(),
        metrics.at("/Shuffle Write Metrics/Shuffle Bytes Written").asLong(),
        metrics.path("Disk Bytes Spilled").asLong()
            + metrics.at("/Shuffle Read Metrics/Remote Bytes Read To Disk").asLong(),
        PastJob.Task.FETCHES_NOTHING);
  }

  /** Reads one kind of event, until the reader says false. */
  private void read(String kind, Predicate<JsonNode> reader) throws IOException {
    for (Path part : parts) {
      boolean mayBeTorn = open && part.equals(parts.get(parts.size() - 1));
      try {
        if (!read(part, "{\"Event\":\"" + kind + "\"", reader)) {
          return;
        }
      } catch (IOException e) {
        if (!mayBeTorn) {
          throw new IOException(part + " cannot be read: " + e.getMessage(), e);
        }
      }
    }
  }

  private boolean read(Path part, String prefix, Predicate<JsonNode> reader) throws IOException {
    try (InputStream raw = files.open(part);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(text(part, raw), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Most events are others, and some of those are long.
        if (line.startsWith(prefix) && !reader.test(Json.MAPPER.readTree(line))) {
          return false;
        }
      }
      return true;
    }
  }

  private static InputStream text(Path part, InputStream raw) throws IOException {
    String name = part.getName().replace(OPEN, "").replace(COMPACTED, "");
    String codec = name.substring(name.lastIndexOf('.') + 1);
    String stream = CODECS.get(codec);
    if (stream == null) {
      return raw;
    }
    try {
      return Class.forName(stream)
          .asSubclass(InputStream.class)
          .getConstructor(InputStream.class)
          .newInstance(raw);
    } catch (InvocationTargetException e) {
      throw new IOException("it is no " + codec + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IOException(
          String.format(
              "it is compressed by %s, and %s is not on the class path. Add Spark's jars by"
                  + " HADOOP_CLASSPATH=\"$SPARK_HOME/jars/*\", or decompress it first",
              codec, stream),
          e);
    }
  }
}
