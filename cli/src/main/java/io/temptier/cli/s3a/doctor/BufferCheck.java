// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Rollout;
import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBuffer;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether blocks have room until they are uploaded: on disk, or in a container's memory. */
final class BufferCheck implements SettingsCheck {
  private static final String CONTAINER = "mapreduce.map.memory.mb";
  private static final int DEFAULT_CONTAINER_MB = 1024;

  @Override
  public Topic topic() {
    return Topic.BUFFERS;
  }

  @Override
  public List<Finding> check(Subject subject) {
    Optional<UploadBuffer> buffer = buffer(subject);
    if (buffer.isEmpty()) {
      return List.of(
          subject.finding(
              Severity.ERROR,
              UploadBufferDirCheck.BUFFER,
              "S3A knows no such buffer: no s3a path opens for writing.",
              "Make it disk, array or bytebuffer."));
    }
    UploadBufferRequest request;
    try {
      request =
          new UploadBufferRequest(
              buffer,
              Optional.of(ContainerMemory.of(container(subject))),
              1,
              subject.conf().getInt(Keys.ACTIVE_BLOCKS, UploadBufferRequest.DEFAULT_ACTIVE_BLOCKS),
              subject.conf().getLongBytes(Keys.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES));
    } catch (IllegalArgumentException e) {
      return List.of(
          subject.finding(
              Severity.WARNING,
              Keys.PART_SIZE,
              String.valueOf(e.getMessage()) + ".",
              "Set it between 5M and 2047M; 64M is Hadoop's own."));
    }
    return buffer.get() == UploadBuffer.DISK
        ? onDisk(subject, request.needBytes())
        : inMemory(subject, request);
  }

  private static Optional<UploadBuffer> buffer(Subject subject) {
    String name = subject.value(UploadBufferDirCheck.BUFFER);
    try {
      return Optional.of(
          name.isEmpty() ? UploadBuffer.DISK : UploadBuffer.valueOf(name.toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static long container(Subject subject) {
    int mebibytes = subject.conf().getInt(CONTAINER, DEFAULT_CONTAINER_MB);
    return (long) (mebibytes > 0 ? mebibytes : DEFAULT_CONTAINER_MB) << 20;
  }

  private static List<Finding> inMemory(Subject subject, UploadBufferRequest request) {
    try {
      UploadBufferPlan unused = UploadBufferPlan.of(request);
      return List.of();
    } catch (UnsafePlanException e) {
      return List.of(
          subject.finding(
              Severity.WARNING,
              UploadBufferDirCheck.BUFFER,
              "A map container ("
                  + CONTAINER
                  + ") that writes one file can run out of memory: "
                  + e.getMessage(),
              "temptier s3a profile --memory SIZE --streams N plans it; disk always holds."));
    }
  }

  private static List<Finding> onDisk(Subject subject, long needBytes) {
    List<Finding> findings = new ArrayList<>();
    Rollout rollout = subject.rollout();
    rollout
        .tiers()
        .tiers()
        .ifPresent(
            tiers ->
                UploadBufferDirCheck.check(
                        subject.conf(),
                        tiers.layout(),
                        dir -> rollout.kernel().classify(dir).medium())
                    .forEach(finding -> findings.add(rollout.located(rollout.job(), finding))));
    String key =
        subject.value(UploadBufferDirCheck.BUFFER_DIR).isEmpty()
            ? "hadoop.tmp.dir"
            : UploadBufferDirCheck.BUFFER_DIR;
    for (String dir : subject.conf().getTrimmedStrings(key)) {
      room(subject, key, dir, needBytes).ifPresent(findings::add);
    }
    return findings;
  }

  /** What this machine has there; a dir that is not there yet is made by S3A below one that is. */
  private static Optional<Finding> room(Subject subject, String key, String dir, long needBytes) {
    try {
      Path path = Path.of(dir.startsWith("file:") ? dir.replaceFirst("^file:/*", "/") : dir);
      Path there = path.toAbsolutePath();
      while (there != null && !Files.exists(there)) {
        there = there.getParent();
      }
      if (there == null) {
        return Optional.empty();
      }
      if (!Files.isDirectory(there) || !Files.isWritable(there)) {
        return Optional.of(
            room(subject, key, dir, there + " is no folder that this user can write to"));
      }
      long free = Files.getFileStore(there).getUsableSpace();
      return free >= needBytes
          ? Optional.empty()
          : Optional.of(
              room(
                  subject,
                  key,
                  dir,
                  Sizes.format(free)
                      + " are free, and one file takes up to "
                      + Sizes.format(needBytes)));
    } catch (IOException | InvalidPathException e) {
      return Optional.of(room(subject, key, dir, String.valueOf(e.getMessage())));
    }
  }

  private static Finding room(Subject subject, String key, String dir, String what) {
    return new Finding(
        Severity.ERROR,
        key,
        dir,
        subject.origin(key),
        "On this machine "
            + what
            + ": uploads fail with \"No space available in any of the local"
            + " directories\".",
        "Make room there, or name another dir in " + UploadBufferDirCheck.BUFFER_DIR + ".");
  }
}
