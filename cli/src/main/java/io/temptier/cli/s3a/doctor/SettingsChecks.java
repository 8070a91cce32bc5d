// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.LocatedProperties;
import io.temptier.cli.doctor.Secrets;
import io.temptier.cli.doctor.SiteChecks;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferPlan.Buffer;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.NearestName;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks of S3A's settings and the jars on the class path that need more than a row of the table of
 * troubles; and a list of all settings, to compare two nodes.
 */
final class SettingsChecks {
  private static final String CONTAINER = "mapreduce.map.memory.mb";
  private static final String ACTIVE_BLOCKS = "fs.s3a.fast.upload.active.blocks";
  private static final int DEFAULT_CONTAINER_MB = 1024;
  private static final List<String> JVM_OPTIONS =
      Immutable.listOf(
          "mapreduce.map.java.opts",
          "mapreduce.reduce.java.opts",
          "mapred.child.java.opts",
          "spark.executor.extraJavaOptions");

  private static final String PART_TIMEOUT = "fs.s3a.connection.part.upload.timeout";
  private static final List<String> TIMEOUTS =
      Immutable.listOf(
          "fs.s3a.connection.establish.timeout",
          "fs.s3a.connection.timeout",
          "fs.s3a.connection.request.timeout",
          "fs.s3a.connection.acquisition.timeout",
          PART_TIMEOUT);

  private static final long LEAST_TIMEOUT_MILLIS = 15_000;
  private static final long LEAST_READAHEAD = 64 << 10;
  private static final long MOST_READAHEAD = 1 << 20;
  private static final long CONNECTIONS = 500;

  /** The last one, as Java takes it. */
  private static final Pattern DIRECT =
      Pattern.compile("(?s).*-XX:MaxDirectMemorySize=(\\d+[kKmMgGtT]?).*");

  private static final Pattern HEAP = Pattern.compile("(?s).*-Xmx(\\d+[kKmMgGtT]?).*");

  private SettingsChecks() {}

  static void openSecrets(BucketSettings settings, Consumer<Finding> found) {
    for (LocatedProperties file : settings.rollout.files()) {
      BucketSettings.SECRETS.stream()
          .filter(key -> file.has(key) && openToAll(file))
          .findFirst()
          .map(key -> StoreTroubles.at(key, "keys.open", settings, file.path, key))
          .ifPresent(found);
    }
  }

  private static boolean openToAll(LocatedProperties file) {
    try {
      return Files.getPosixFilePermissions(file.path).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Compares sizes, numbers and times with what S3A does well with. */
  static void numbers(BucketSettings settings, Consumer<Finding> found) {
    long readahead = settings.size("fs.s3a.readahead.range", -1);
    String policy = settings.value("fs.s3a.experimental.input.fadvise");
    if (readahead >= 0 && settings.value("stream").equals("classic")) {
      if (readahead < LEAST_READAHEAD) {
        found.accept(StoreTroubles.named("readahead.small", settings));
      } else if (readahead > MOST_READAHEAD && !policy.equalsIgnoreCase("sequential")) {
        found.accept(StoreTroubles.named("readahead.large", settings));
      }
    }
    long connections = settings.size("fs.s3a.connection.maximum", -1);
    long threads = settings.size("fs.s3a.threads.max", -1);
    if (connections >= 0 && connections <= threads) {
      long enough = Math.max(CONNECTIONS, 2 * threads);
      found.accept(StoreTroubles.named("pool.small", settings, enough));
    }
    for (String key : TIMEOUTS) {
      if (isShort(settings, key)) {
        String row = key.equals(PART_TIMEOUT) ? "timeout.part" : "timeout.short";
        found.accept(StoreTroubles.at(key, row, settings));
      }
    }
  }

  /** True if a file sets less than S3A takes; 0 is for ever. */
  private static boolean isShort(BucketSettings settings, String key) {
    String value = settings.value(key);
    try {
      return settings.isSet(key)
          && !value.isEmpty()
          && !value.startsWith("0")
          && settings.conf.getTimeDuration(key, 0, TimeUnit.MILLISECONDS) < LEAST_TIMEOUT_MILLIS;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Reports keys that S3A does not read and that have no row of their own. */
  static void unread(BucketSettings settings, Consumer<Finding> found) {
    Set<String> known =
        BucketSettings.hadoop().map(version -> version.keys().keySet()).orElse(Immutable.setOf());
    settings.rollout.keys().stream()
        .filter(key -> key.startsWith("fs.s3a.") && !key.startsWith("fs.s3a.bucket."))
        .filter(key -> !known.isEmpty() && !known.contains(key))
        .filter(key -> StoreTroubles.ALL.stream().noneMatch(row -> row.property.equals(key)))
        .map(key -> StoreTroubles.at(key, "property.unknown", settings, instead(key, known)))
        .forEach(found);
  }

  private static String instead(String key, Set<String> known) {
    return NearestName.of(key, known)
        .map(name -> "Did you mean " + name + "?")
        .orElse("Take it out, or look at its name.");
  }

  /** Checks that blocks have room until they are uploaded: on disk, or in a container's memory. */
  static void buffers(BucketSettings settings, Consumer<Finding> found) {
    Buffer buffer;
    try {
      String name = settings.value(SiteChecks.BUFFER).toUpperCase(Locale.ROOT);
      buffer = name.isEmpty() ? Buffer.DISK : Buffer.valueOf(name);
    } catch (IllegalArgumentException e) {
      // A row of the table says so.
      return;
    }
    int memory = number(settings, CONTAINER, DEFAULT_CONTAINER_MB, found);
    int blocks = number(settings, ACTIVE_BLOCKS, UploadBufferPlan.DEFAULT_ACTIVE_BLOCKS, found);
    long container = (long) (memory > 0 ? memory : DEFAULT_CONTAINER_MB) << 20;
    if (buffer != Buffer.DISK) {
      long need = (blocks + 1L) * settings.partBytes();
      JVM_OPTIONS.forEach(key -> inTask(settings, buffer == Buffer.BYTEBUFFER, key, need, found));
    }
    try {
      UploadBufferPlan plan =
          UploadBufferPlan.of(
              Optional.of(buffer),
              Optional.of(ContainerMemory.of(container)),
              1,
              blocks,
              settings.partBytes());
      if (buffer == Buffer.DISK) {
        onDisk(settings, plan.needBytes()).forEach(found);
      }
    } catch (IllegalArgumentException e) {
      found.accept(StoreTroubles.named("buffer.part", settings, String.valueOf(e.getMessage())));
    } catch (UploadBufferPlan.UnsafeException e) {
      found.accept(StoreTroubles.named("buffer.memory", settings, String.valueOf(e.getMessage())));
    }
  }

  /** Checks that the options of a task's JVM allow the buffers of one file. */
  private static void inTask(
      BucketSettings settings, boolean direct, String key, long need, Consumer<Finding> found) {
    String options = settings.value(key);
    Matcher limit = (direct ? DIRECT : HEAP).matcher(options);
    // Java's default limit on direct memory is that of the heap.
    if (limit.matches() || (limit.usePattern(HEAP).matches() && direct)) {
      long bytes = Sizes.parse(String.valueOf(limit.group(1)));
      if (bytes < need) {
        found.accept(
            StoreTroubles.at(key, "buffer.jvm", settings, Sizes.format(bytes), Sizes.format(need)));
      }
    }
  }

  private static int number(
      BucketSettings settings, String key, int otherwise, Consumer<Finding> found) {
    try {
      return settings.conf.getInt(key, otherwise);
    } catch (NumberFormatException e) {
      found.accept(StoreTroubles.at(key, "buffer.number", settings));
      return otherwise;
    }
  }

  private static List<Finding> onDisk(BucketSettings settings, long needBytes) {
    List<Finding> findings = new ArrayList<>();
    SiteChecks.uploadBuffers(settings.rollout, settings.conf, findings::add);
    String bufferKey = SiteChecks.BUFFER_DIR;
    String key = settings.value(bufferKey).isEmpty() ? "hadoop.tmp.dir" : bufferKey;
    // The same dir in each container.
    boolean fixed =
        settings.isSet(key)
            && !String.valueOf(settings.conf.getRaw(key)).contains("${env.LOCAL_DIRS");
    for (String name : settings.conf.getTrimmedStrings(key)) {
      Path dir = LocalDirsParser.pathOf(name).orElseGet(() -> Paths.get(name).toAbsolutePath());
      String lacks = lacks(dir, needBytes);
      if (!lacks.isEmpty()) {
        findings.add(StoreTroubles.at(key, "buffer.room", settings, lacks));
      }
      if (fixed && findings.stream().allMatch(found -> found.severity() == Severity.INFO)) {
        // What the kernel takes for an HDD, where nobody has compared it with the tiers.
        KernelClassifier.Classification lies = settings.rollout.kernel().classify(dir);
        if (lies.medium() == Medium.DISK && !lies.disks().isEmpty()) {
          findings.add(StoreTroubles.at(key, "buffer.slow", settings, name, lies.why()));
        }
      }
    }
    return findings;
  }

  /** Tells what this machine lacks for a buffer dir; empty when it lacks nothing. */
  private static String lacks(Path dir, long needBytes) {
    Path there = MountPin.existing(dir);
    if (!Files.isDirectory(there) || !Files.isWritable(there)) {
      return there + " is no folder that this user can write to";
    }
    long free = there.toFile().getUsableSpace();
    String room = Sizes.format(free) + " are free, and one file takes up to ";
    return free < needBytes ? room + Sizes.format(needBytes) : "";
  }

  static boolean hasS3a() {
    return Stream.of(
            "org.apache.hadoop.fs.s3a.S3AFileSystem", "software.amazon.awssdk.services.s3.S3Client")
        .noneMatch(name -> where(name).isEmpty());
  }

  /** Each place of a class, with commas between: the one that counts is the first. */
  static String where(String name) {
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return Collections.list(loader.getResources(name.replace('.', '/') + ".class")).stream()
          .map(URL::toString)
          .collect(Collectors.joining(", "));
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns the version of {@code sdk}, or of {@code jackson-core} and {@code -databind}, which go
   * by minor versions.
   */
  static String version(String library) {
    return library.equals("sdk")
        ? constant("software.amazon.awssdk.core.util.VersionInfo", "SDK_VERSION")
        : constant(
                "com.fasterxml.jackson."
                    + (library.equals("jackson-core") ? "core.json" : "databind.cfg")
                    + ".PackageVersion",
                "VERSION")
            .replaceFirst("^(\\d+\\.\\d+).*", "$1");
  }

  /** Reads a constant by name: the doctor goes on where versions do not fit each other. */
  private static String constant(String name, String field) {
    try {
      return String.valueOf(Class.forName(name).getField(field).get(null));
    } catch (ReflectiveOperationException | LinkageError e) {
      return "";
    }
  }

  /** Every property of S3A in effect, with its value and where that comes from. */
  static SortedMap<String, Map<String, String>> inEffect(BucketSettings settings, Secrets secrets) {
    SortedMap<String, Map<String, String>> values = new TreeMap<>();
    Map<String, String> known =
        BucketSettings.hadoop().map(version -> version.keys()).orElseGet(TreeMap::new);
    SortedSet<String> keys = new TreeSet<>(known.keySet());
    keys.addAll(settings.rollout.keys());
    keys.removeIf(key -> !key.startsWith("fs.s3a.") && !key.startsWith(EndpointKey.PREFIX));
    for (String key : keys) {
      String set = settings.value(key);
      String value = secrets.shown(key, set.isEmpty() ? known.getOrDefault(key, "") : set);
      if (!value.isEmpty()) {
        String origin = set.isEmpty() ? "default, in S3A's code" : settings.origin(key);
        values.put(key, Immutable.mapOf("value", value, "origin", origin));
      }
    }
    return values;
  }
}
