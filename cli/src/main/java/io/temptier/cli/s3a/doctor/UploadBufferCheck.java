// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.LocalDirChecks;
import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBuffer;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.Sizes;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether blocks have room until they are uploaded: on disk, or in a container's memory. */
final class UploadBufferCheck {
  private static final String CONTAINER = "mapreduce.map.memory.mb";
  private static final String ACTIVE_BLOCKS = "fs.s3a.fast.upload.active.blocks";
  private static final int DEFAULT_CONTAINER_MB = 1024;

  private UploadBufferCheck() {}

  static List<Finding> check(BucketSettings settings) {
    UploadBuffer buffer;
    try {
      String name = settings.value(UploadBufferDirCheck.BUFFER);
      buffer = UploadBuffer.valueOf(name.isEmpty() ? "DISK" : name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return Troubles.about("buffer.unknown", settings);
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
