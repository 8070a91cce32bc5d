// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.LocalDirChecks;
import io.temptier.cli.doctor.LocatedProperties;
import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBuffer;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.NearestName;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What S3A's settings show by themselves, and no row of the table of troubles can say alone. */
final class SettingsChecks {
  private static final String CONTAINER = "mapreduce.map.memory.mb";
  private static final String ACTIVE_BLOCKS = "fs.s3a.fast.upload.active.blocks";
  private static final int DEFAULT_CONTAINER_MB = 1024;

  private SettingsChecks() {}

  /** Whether secrets lie open. */
  static List<Finding> openSecrets(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (LocatedProperties file : settings.rollout.files()) {
      BucketSettings.SECRETS.stream()
          .filter(key -> !file.of(key).isEmpty() && openToAll(file))
          .findFirst()
          .map(key -> Troubles.at(key, "keys.open", settings, file.path(), key))
          .ifPresent(findings::add);
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
    return settings.rollout.keys().stream()
        .filter(key -> key.startsWith("fs.s3a.") && !key.startsWith("fs.s3a.bucket."))
        .filter(key -> !known.isEmpty() && !known.contains(key))
        .filter(key -> Troubles.all().stream().noneMatch(row -> row.property.equals(key)))
        .map(key -> Troubles.at(key, "property.unknown", settings, instead(key, known)))
        .collect(Immutable.toList());
  }

  private static String instead(String key, Set<String> known) {
    return NearestName.of(key, known)
        .map(name -> "Did you mean " + name + "?")
        .orElse("Take it out, or look at its name.");
  }

  /** Whether blocks have room until they are uploaded: on disk, or in a container's memory. */
  static List<Finding> buffers(BucketSettings settings) {
    String name = settings.value(UploadBufferDirCheck.BUFFER);
    UploadBuffer buffer =
        Stream.of(UploadBuffer.values())
            .filter(each -> each.toString().equalsIgnoreCase(name.isEmpty() ? "disk" : name))
            .findFirst()
            .orElse(null);
    if (buffer == null) {
      // A row of the table says so.
      return Immutable.listOf();
    }
    long needBytes;
    try {
      UploadBufferRequest request =
          UploadBufferRequest.of(
              Optional.of(buffer),
              Optional.of(ContainerMemory.of(container(settings))),
              1,
              settings.conf.getInt(ACTIVE_BLOCKS, UploadBufferRequest.DEFAULT_ACTIVE_BLOCKS),
              settings.partBytes());
      needBytes = request.needBytes();
      if (buffer != UploadBuffer.DISK) {
        UploadBufferPlan unused = UploadBufferPlan.of(request);
      }
    } catch (IllegalArgumentException e) {
      return Immutable.listOf(
          Troubles.named("buffer.part", settings, String.valueOf(e.getMessage())));
    } catch (UnsafePlanException e) {
      return Immutable.listOf(
          Troubles.named("buffer.memory", settings, String.valueOf(e.getMessage())));
    }
    return buffer == UploadBuffer.DISK ? onDisk(settings, needBytes) : Immutable.listOf();
  }

  private static long container(BucketSettings settings) {
    int mebibytes = settings.conf.getInt(CONTAINER, DEFAULT_CONTAINER_MB);
    return (long) (mebibytes > 0 ? mebibytes : DEFAULT_CONTAINER_MB) << 20;
  }

  private static List<Finding> onDisk(BucketSettings settings, long needBytes) {
    List<Finding> findings =
        new ArrayList<>(LocalDirChecks.uploadBuffers(settings.rollout, settings.conf));
    String own = UploadBufferDirCheck.BUFFER_DIR;
    String key = settings.value(own).isEmpty() ? "hadoop.tmp.dir" : own;
    // The same dir in each container.
    boolean fixed =
        settings.isSet(key)
            && !String.valueOf(settings.conf.getRaw(key)).contains("${env.LOCAL_DIRS");
    for (String dir : settings.conf.getTrimmedStrings(key)) {
      String lacks = lacks(local(dir), needBytes);
      if (!lacks.isEmpty()) {
        findings.add(Troubles.at(key, "buffer.room", settings, lacks));
      }
      if (fixed && findings.stream().allMatch(found -> found.severity() == Severity.INFO)) {
        // What the kernel takes for an HDD, where nobody has compared it with the tiers.
        KernelClassifier.Classification lies = settings.rollout.kernel().classify(local(dir));
        if (lies.medium() == Medium.DISK && !lies.disks().isEmpty()) {
          findings.add(Troubles.at(key, "buffer.slow", settings, dir, lies.why()));
        }
      }
    }
    return findings;
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
