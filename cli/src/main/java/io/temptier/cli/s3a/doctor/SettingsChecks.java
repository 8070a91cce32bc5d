// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.LocalDirChecks;
import io.temptier.cli.doctor.LocatedProperties;
import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.Settings;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBuffer;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.NearestName;
import io.temptier.tier.Sizes;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What S3A's settings show by themselves, and no row of the table of troubles can say alone. */
final class SettingsChecks {
  private static final String CONNECTIONS = "fs.s3a.connection.maximum";
  private static final int DEFAULT_CONNECTIONS = 500;
  private static final int DEFAULT_THREADS = 96;

  /** S3A raises what is below, but for the time of an upload. */
  private static final long LEAST_TIMEOUT_MILLIS = 15_000;

  private static final String PART_TIMEOUT = "fs.s3a.connection.part.upload.timeout";

  private static final String CONTAINER = "mapreduce.map.memory.mb";
  private static final String ACTIVE_BLOCKS = "fs.s3a.fast.upload.active.blocks";
  private static final int DEFAULT_CONTAINER_MB = 1024;

  private SettingsChecks() {}

  /** Whether secrets lie open. */
  static List<Finding> openSecrets(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (LocatedProperties file : settings.rollout().files()) {
      S3aKey.SECRETS.stream()
          .filter(key -> !file.of(key).isEmpty() && openToAll(file))
          .findFirst()
          .map(key -> Troubles.at(key, "keys.open", settings, file.path(), key))
          .ifPresent(findings::addAll);
    }
    return findings;
  }

  private static boolean openToAll(LocatedProperties file) {
    try {
      return Files.getPosixFilePermissions(file.path()).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Whether S3A reads what is set, where no row has more to say of it. */
  static List<Finding> unread(BucketSettings settings) {
    Set<String> known =
        BucketSettings.hadoop().map(version -> version.keys().keySet()).orElse(Immutable.setOf());
    return settings.rollout().keys().stream()
        .filter(key -> key.startsWith("fs.s3a.") && !key.startsWith("fs.s3a.bucket."))
        .filter(key -> !known.isEmpty() && !known.contains(key))
        .filter(key -> Troubles.all().stream().noneMatch(row -> row.property().equals(key)))
        .flatMap(
            key ->
                Troubles.at(
                    key,
                    "property.unknown",
                    settings,
                    NearestName.of(key, known)
                        .map(name -> "Did you mean " + name + "?")
                        .orElse("Take it out, or look at its name."))
                    .stream())
        .collect(Immutable.toList());
  }

  /** Whether S3A waits as long as it is told to. */
  static List<Finding> timeouts(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    Stream.concat(S3aKey.TIMEOUTS.stream(), Stream.of(PART_TIMEOUT))
        .forEach(
            key -> {
              boolean part = key.equals(PART_TIMEOUT);
              String least = part ? Settings.partUpload(partBytes(settings)) : "15s";
              try {
                long millis = settings.conf().getTimeDuration(key, 0, TimeUnit.MILLISECONDS);
                if (settings.isSet(key) && millis > 0 && millis < LEAST_TIMEOUT_MILLIS) {
                  String row = part ? "timeout.part" : "timeout.short";
                  findings.addAll(Troubles.at(key, row, settings, least));
                }
              } catch (NumberFormatException e) {
                findings.addAll(Troubles.at(key, "timeout.none", settings, least));
              }
            });
    return findings;
  }

  /** The size of a part; what is no size counts as the default, and is told elsewhere. */
  static long partBytes(BucketSettings settings) {
    try {
      return settings.conf().getLongBytes(S3aKey.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES);
    } catch (IllegalArgumentException e) {
      return UploadBufferRequest.DEFAULT_PART_BYTES;
    }
  }

  /** Whether each thread that talks to the store can have a connection. */
  static List<Finding> pool(BucketSettings settings) {
    int threads = settings.conf().getInt("fs.s3a.threads.max", DEFAULT_THREADS);
    boolean enough = settings.conf().getInt(CONNECTIONS, DEFAULT_CONNECTIONS) > threads;
    int least = Math.max(DEFAULT_CONNECTIONS, 2 * threads);
    return Troubles.unlessAbout(enough, "pool.small", settings, threads, least);
  }

  /** Whether blocks have room until they are uploaded: on disk, or in a container's memory. */
  static List<Finding> buffers(BucketSettings settings) {
    UploadBuffer buffer;
    try {
      String name = settings.value(UploadBufferDirCheck.BUFFER);
      buffer = UploadBuffer.valueOf(name.isEmpty() ? "DISK" : name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      // A row of the table says so.
      return Immutable.listOf();
    }
    UploadBufferRequest request;
    try {
      request =
          UploadBufferRequest.of(
              Optional.of(buffer),
              Optional.of(ContainerMemory.of(container(settings))),
              1,
              settings.conf().getInt(ACTIVE_BLOCKS, UploadBufferRequest.DEFAULT_ACTIVE_BLOCKS),
              settings
                  .conf()
                  .getLongBytes(S3aKey.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES));
    } catch (IllegalArgumentException e) {
      return Troubles.about("buffer.part", settings, String.valueOf(e.getMessage()));
    }
    if (buffer == UploadBuffer.DISK) {
      return onDisk(settings, request.needBytes());
    }
    try {
      UploadBufferPlan unused = UploadBufferPlan.of(request);
      return Immutable.listOf();
    } catch (UnsafePlanException e) {
      return Troubles.about("buffer.memory", settings, String.valueOf(e.getMessage()));
    }
  }

  private static long container(BucketSettings settings) {
    int mebibytes = settings.conf().getInt(CONTAINER, DEFAULT_CONTAINER_MB);
    return (long) (mebibytes > 0 ? mebibytes : DEFAULT_CONTAINER_MB) << 20;
  }

  private static List<Finding> onDisk(BucketSettings settings, long needBytes) {
    List<Finding> findings =
        new ArrayList<>(LocalDirChecks.uploadBuffers(settings.rollout(), settings.conf()));
    String own = UploadBufferDirCheck.BUFFER_DIR;
    String key = settings.value(own).isEmpty() ? "hadoop.tmp.dir" : own;
    // The same dir in each container.
    boolean fixed =
        settings.isSet(key)
            && !String.valueOf(settings.conf().getRaw(key)).contains("${env.LOCAL_DIRS");
    for (String dir : settings.conf().getTrimmedStrings(key)) {
      String lacks = lacks(local(dir), needBytes);
      if (!lacks.isEmpty()) {
        findings.addAll(Troubles.at(key, dir, "buffer.room", settings, lacks));
      }
      if (fixed && findings.stream().allMatch(found -> found.severity() == Severity.INFO)) {
        findings.addAll(slow(settings, key, dir));
      }
    }
    return findings;
  }

  /** What the kernel takes for an HDD, where nobody has compared it with the tiers. */
  private static List<Finding> slow(BucketSettings settings, String key, String dir) {
    KernelClassifier.Classification lies = settings.rollout().kernel().classify(local(dir));
    return lies.medium() != Medium.DISK || lies.disks().isEmpty()
        ? Immutable.listOf()
        : Troubles.at(key, "buffer.slow", settings, dir, lies.why());
  }

  private static Path local(String dir) {
    return LocalDirsParser.pathOf(dir).orElseGet(() -> Paths.get(dir).toAbsolutePath());
  }

  /**
   * What this machine lacks there; a dir that is not there yet is made by S3A below one that is.
   */
  private static String lacks(Path dir, long needBytes) {
    Path there = dir;
    try {
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      long free = Files.getFileStore(there).getUsableSpace();
      if (!Files.isDirectory(there) || !Files.isWritable(there)) {
        return there + " is no folder that this user can write to";
      }
      String room = Sizes.format(free) + " are free, and one file takes up to ";
      return free < needBytes ? room + Sizes.format(needBytes) : "";
    } catch (IOException | InvalidPathException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
