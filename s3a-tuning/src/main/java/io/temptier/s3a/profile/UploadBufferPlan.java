// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a container's upload buffers go, with the arithmetic. Pure.
 *
 * <p>S3A takes a whole block for each file as soon as a byte is written to it, in memory as large
 * as the part size; while {@code fs.s3a.fast.upload.active.blocks} of a file are uploaded one more
 * is filled. Nothing bounds the sum over files, so what can run out is found here or in a job at
 * night. Memory is faster than disk (docs/s3a.md, Uploads), the heap a little faster than direct
 * buffers; so the first of array, bytebuffer and disk that holds all blocks is taken.
 */
@AutoValue
public abstract class UploadBufferPlan {
  /** Where S3A keeps blocks until they are uploaded. */
  public enum Buffer {
    /** In files on local dirs. */
    DISK,
    /** In byte arrays on the heap. */
    ARRAY,
    /** In direct buffers outside the heap. */
    BYTEBUFFER;

    /** Its name in Hadoop's configuration. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A plan that can run out of memory; the message says what to change. */
  public static final class UnsafeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsafeException(String message) {
      super(message);
    }
  }

  private static final List<Buffer> IN_MEMORY = Immutable.listOf(Buffer.ARRAY, Buffer.BYTEBUFFER);

  /** Where they go. */
  public abstract Buffer buffer();

  public abstract UploadBufferRequest request();

  /** How that was found, in sentences. */
  public abstract List<String> arithmetic();

  /** Plans; throws {@link UnsafeException} when the buffer that was asked for can run out. */
  public static UploadBufferPlan of(UploadBufferRequest request) {
    Optional<Buffer> wanted = request.wanted();
    List<String> lines = new ArrayList<>();
    lines.add("One container buffers at most " + request.arithmetic() + ".");
    if (wanted.equals(Optional.of(Buffer.DISK))) {
      lines.add("disk, as asked for: no memory; the bytes must fit on the local dirs.");
    } else if (request.memory().isPresent()) {
      ContainerMemory memory = request.memory().get();
      for (Buffer buffer : wanted.map(one -> Immutable.listOf(one)).orElse(IN_MEMORY)) {
        boolean fits = request.needBytes() <= memory.roomFor(buffer);
        lines.add(
            buffer
                + (wanted.isPresent() ? ", as asked for: " : ": ")
                + memory.arithmetic(buffer)
                + (fits ? ": fits." : ": too little."));
        if (fits) {
          return new AutoValue_UploadBufferPlan(buffer, request, Immutable.copyOf(lines));
        }
        if (wanted.isPresent()) {
          throw new UnsafeException(refusal(request, buffer, memory));
        }
      }
      lines.add("disk: no memory; the bytes must fit on the local dirs.");
    } else if (wanted.isPresent()) {
      throw new UnsafeException(
          String.format(
              "%s buffers need %s, and the container's memory is not given. Give --memory and"
                  + " --streams, or take --buffer disk.",
              wanted.get(), request.arithmetic()));
    } else {
      lines.add("disk: without the container's memory nothing else is safe.");
    }
    return new AutoValue_UploadBufferPlan(Buffer.DISK, request, Immutable.copyOf(lines));
  }

  private static String refusal(
      UploadBufferRequest request, Buffer buffer, ContainerMemory memory) {
    long room = memory.roomFor(buffer);
    long perStream = (request.activeBlocks() + 1L) * request.partBytes();
    List<String> changes = new ArrayList<>();
    if (buffer == Buffer.ARRAY && memory.heapGiven()) {
      long mebibyte = 1 << 20;
      changes.add("--heap to at least " + (2 * request.needBytes() + mebibyte - 1) / mebibyte + "m");
    } else {
      changes.add("--memory to at least " + memory.smallestMib(buffer, request.needBytes()) + "m");
    }
    if (room >= perStream) {
      changes.add("--streams to at most " + room / perStream);
    }
    long blocks = room / (request.streams() * request.partBytes()) - 1;
    if (blocks >= 1) {
      changes.add("--active-blocks to at most " + blocks);
    }
    long part = room / (request.streams() * (request.activeBlocks() + 1L));
    if (part >= UploadBufferRequest.SMALLEST_PART_BYTES) {
      changes.add("--part-size to at most " + (part >> 20) + "m");
    }
    return String.format(
        "%s buffers can run out: they need %s, and there is %s. Change one of: %s; or take"
            + " --buffer disk, which needs no memory.",
        buffer, request.arithmetic(), memory.arithmetic(buffer), String.join(", ", changes));
  }
}
