// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.SiteChecks;
import io.temptier.cli.doctor.UploadBufferDirCheck;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.Settings;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What S3A's settings and the jars on the class path show by themselves, and no row of the table of
 * troubles can say alone.
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

  /** The last one, as Java takes it. */
  private static final Pattern DIRECT =
      Pattern.compile("(?s).*-XX:MaxDirectMemorySize=(\\d+[kKmMgGtT]?).*");

  private static final Pattern HEAP = Pattern.compile("(?s).*-Xmx(\\d+[kKmMgGtT]?).*");

  private SettingsChecks() {}

  /** Whether spreading over gateways is set up as it is meant. Asks none of them. */
  static void spreading(BucketSettings settings, Consumer<Finding> found) {
    EndpointSettings.unknownKeys(settings.conf)
        .forEach((key, to) -> found.accept(Troubles.at(key, "gateways.unknown", settings, to)));
    if (settings.value(Settings.FACTORY).equals(Settings.OURS)) {
      try {
        EndpointSettings unused = EndpointSettings.of(settings.conf);
      } catch (IllegalArgumentException e) {
        String why = String.valueOf(e.getMessage());
        String key =
            EndpointKey.names().stream()
                .filter(name -> why.startsWith(name + " = "))
                .findFirst()
                .orElse(EndpointKey.ENDPOINTS.key());
        found.accept(Troubles.at(key, "gateways.unusable", settings, why));
      }
    }
  }

  /** Whether blocks have room until they are uploaded: on disk, or in a container's memory. */
  static void buffers(BucketSettings settings, Consumer<Finding> found) {
    String name = settings.value(UploadBufferDirCheck.BUFFER).toUpperCase(Locale.ROOT);
    int blocks = number(settings, ACTIVE_BLOCKS, UploadBufferPlan.DEFAULT_ACTIVE_BLOCKS);
    long need = (blocks + 1L) * settings.partBytes();
    if (name.matches("|DISK")) {
      onDisk(settings, need, found);
    } else if (name.matches("ARRAY|BYTEBUFFER")) {
      boolean direct = name.equals("BYTEBUFFER");
      JVM_OPTIONS.forEach(key -> inTask(settings, direct, key, need, found));
      long container = (long) number(settings, CONTAINER, DEFAULT_CONTAINER_MB) << 20;
      // The rest is not the heap's, by mapreduce.job.heap.memory-mb.ratio.
      if (need > container / 5 * 4) {
        String sizes = Sizes.format(container) + ", of which one file takes up to ";
        String value = name.toLowerCase(Locale.ROOT);
        found.accept(Troubles.seen("buffer.memory", settings, value, sizes + Sizes.format(need)));
      }
    }
  }

  /** Whether the options of a task's JVM allow the buffers of one file. */
  private static void inTask(
      BucketSettings settings, boolean direct, String key, long need, Consumer<Finding> found) {
    String options = settings.value(key);
    Matcher limit = (direct ? DIRECT : HEAP).matcher(options);
    // Java's default limit on direct memory is that of the heap.
    if (limit.matches() || (limit.usePattern(HEAP).matches() && direct)) {
      long bytes = Sizes.parse(String.valueOf(limit.group(1)));
      if (bytes < need) {
        found.accept(
            Troubles.at(key, "buffer.jvm", settings, Sizes.format(bytes), Sizes.format(need)));
      }
    }
  }

  /** A count; what is none counts as the default: who reads it fails, and names it. */
  private static int number(BucketSettings settings, String key, int otherwise) {
    String value = settings.value(key);
    return value.matches("[1-9]\\d{0,4}") ? Integer.parseInt(value) : otherwise;
  }

  private static void onDisk(BucketSettings settings, long needBytes, Consumer<Finding> found) {
    SiteChecks.uploadBuffers(settings.rollout, settings.conf, found);
    String own = UploadBufferDirCheck.BUFFER_DIR;
    String key = settings.value(own).isEmpty() ? "hadoop.tmp.dir" : own;
    for (String name : settings.conf.getTrimmedStrings(key)) {
      Path dir = LocalDirsParser.pathOf(name).orElseGet(() -> Paths.get(name).toAbsolutePath());
      String lacks = lacks(dir, needBytes);
      if (!lacks.isEmpty()) {
        found.accept(Troubles.at(key, "buffer.room", settings, lacks));
      }
    }
  }

  /** What this machine lacks there; S3A makes a dir that is not there yet below one that is. */
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

  /** Its version, by its name: the doctor goes on where it is missing. */
  static String sdk() {
    try {
      Class<?> version = Class.forName("software.amazon.awssdk.core.util.VersionInfo");
      return String.valueOf(version.getField("SDK_VERSION").get(null));
    } catch (ReflectiveOperationException | LinkageError e) {
      return "";
    }
  }
}
