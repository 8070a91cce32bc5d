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
import io.temptier.tier.Immutable;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.Sizes;
import io.temptier.tier.kernel.KernelClassifier;
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
  private static final int DEFAULT_CONTAINER_MB = 1024;

  private UploadBufferCheck() {}

  static List<Finding> check(BucketSettings settings) {
    Optional<UploadBuffer> buffer = buffer(settings);
    if (!buffer.isPresent()) {
      return settings.finding(
          Severity.ERROR,
          UploadBufferDirCheck.BUFFER,
          "S3A knows no such buffer: no s3a path opens for writing.",
          "Make it disk, array or bytebuffer.");
    }
    UploadBufferRequest request;
    try {
      request =
          UploadBufferRequest.of(
              buffer,
              Optional.of(ContainerMemory.of(container(settings))),
              1,
              settings
                  .conf()
                  .getInt(S3aKey.ACTIVE_BLOCKS, UploadBufferRequest.DEFAULT_ACTIVE_BLOCKS),
              settings
                  .conf()
                  .getLongBytes(S3aKey.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES));
    } catch (IllegalArgumentException e) {
      return settings.finding(
          Severity.WARNING,
          S3aKey.PART_SIZE,
          String.valueOf(e.getMessage()) + ".",
          "Set it between 5M and 2047M; 64M is Hadoop's own.");
    }
    return buffer.get() == UploadBuffer.DISK
        ? onDisk(settings, request.needBytes())
        : inMemory(settings, request);
  }

  private static Optional<UploadBuffer> buffer(BucketSettings settings) {
    String name = settings.value(UploadBufferDirCheck.BUFFER);
    try {
      return Optional.of(
          name.isEmpty() ? UploadBuffer.DISK : UploadBuffer.valueOf(name.toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static long container(BucketSettings settings) {
    int mebibytes = settings.conf().getInt(CONTAINER, DEFAULT_CONTAINER_MB);
    return (long) (mebibytes > 0 ? mebibytes : DEFAULT_CONTAINER_MB) << 20;
  }

  private static List<Finding> inMemory(BucketSettings settings, UploadBufferRequest request) {
    try {
      UploadBufferPlan unused = UploadBufferPlan.of(request);
      return Immutable.listOf();
    } catch (UnsafePlanException e) {
      return settings.finding(
          Severity.WARNING,
          UploadBufferDirCheck.BUFFER,
          "A map container (mapreduce.map.memory.mb) that writes one file can run out of memory: "
              + e.getMessage(),
          "temptier s3a profile --memory SIZE --streams N plans it; disk always holds.");
    }
  }

  private static List<Finding> onDisk(BucketSettings settings, long needBytes) {
    List<Finding> findings =
        new ArrayList<>(LocalDirChecks.uploadBuffers(settings.rollout(), settings.conf()));
    String key =
        settings.value(UploadBufferDirCheck.BUFFER_DIR).isEmpty()
            ? "hadoop.tmp.dir"
            : UploadBufferDirCheck.BUFFER_DIR;
    for (String dir : settings.conf().getTrimmedStrings(key)) {
      room(settings, key, dir, needBytes).ifPresent(findings::add);
      if (isFixed(settings, key)
          && findings.stream().allMatch(finding -> finding.severity() == Severity.INFO)) {
        findings.addAll(slow(settings, key, dir));
      }
    }
    return findings;
  }

  /** Whether it is the same dir in each container. */
  private static boolean isFixed(BucketSettings settings, String key) {
    return settings.isSet(key)
        && !String.valueOf(settings.conf().getRaw(key)).contains("${env.LOCAL_DIRS");
  }

  /** What the kernel takes for an HDD, where nobody has compared it with the tiers. */
  private static List<Finding> slow(BucketSettings settings, String key, String dir) {
    KernelClassifier.Classification lies = settings.rollout().kernel().classify(local(dir));
    return lies.medium() != Medium.DISK || lies.disks().isEmpty()
        ? Immutable.listOf()
        : settings.finding(
            Severity.WARNING,
            key,
            String.format(
                "On this machine %s is on an HDD (%s): each block is written to it and read from"
                    + " it before it is uploaded.",
                dir, lies.why()),
            "Name a dir on an SSD, or buffer in memory: temptier s3a profile --memory SIZE"
                + " --streams N plans it.");
  }

  private static Path local(String dir) {
    return LocalDirsParser.pathOf(dir).orElseGet(() -> Paths.get(dir).toAbsolutePath());
  }

  /** What this machine has there; a dir that is not there yet is made by S3A below one that is. */
  private static Optional<Finding> room(
      BucketSettings settings, String key, String dir, long needBytes) {
    String what;
    try {
      Path there = local(dir);
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      long free = Files.getFileStore(there).getUsableSpace();
      if (!Files.isDirectory(there) || !Files.isWritable(there)) {
        what = there + " is no folder that this user can write to";
      } else if (free < needBytes) {
        what =
            String.format(
                "%s are free, and one file takes up to %s",
                Sizes.format(free), Sizes.format(needBytes));
      } else {
        return Optional.empty();
      }
    } catch (IOException | InvalidPathException e) {
      what = String.valueOf(e.getMessage());
    }
    return Optional.of(
        Finding.of(
            Severity.ERROR,
            key,
            dir,
            settings.origin(key),
            "On this machine "
                + what
                + ": uploads fail with \"No space available in any of the local directories\".",
            "Make room there, or name another dir in fs.s3a.buffer.dir."));
  }
}
