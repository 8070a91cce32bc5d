// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.util.ArrayList;
import java.util.List;

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

  private static final List<UploadBuffer> IN_MEMORY =
      Immutable.listOf(UploadBuffer.ARRAY, UploadBuffer.BYTEBUFFER);

  /** Where they go. */
  public abstract UploadBuffer buffer();

  public abstract UploadBufferRequest request();

  /** How that was found, in sentences. */
  public abstract List<String> arithmetic();

  /** Copies the list. */
  public static UploadBufferPlan of(
      UploadBuffer buffer, UploadBufferRequest request, List<String> arithmetic) {
    arithmetic = Immutable.copyOf(arithmetic);
    return new AutoValue_UploadBufferPlan(buffer, request, arithmetic);
  }

  /**
   * Plans.
   *
   * @throws UnsafePlanException when the buffer that was asked for can run out
   */
  public static UploadBufferPlan of(UploadBufferRequest request) throws UnsafePlanException {
    if (request.wanted().isPresent() && request.wanted().get() != UploadBuffer.DISK) {
      return insisted(request, request.wanted().get());
    }
    List<String> lines = new ArrayList<>();
    lines.add("One container buffers at most " + request.arithmetic() + ".");
    if (request.wanted().isPresent()) {
      lines.add("disk, as asked for: no memory; the bytes must fit on the local dirs.");
      return UploadBufferPlan.of(UploadBuffer.DISK, request, lines);
    }
    if (!request.memory().isPresent()) {
      lines.add("disk: without the container's memory nothing else is safe.");
      return UploadBufferPlan.of(UploadBuffer.DISK, request, lines);
    }
    ContainerMemory memory = request.memory().get();
    for (UploadBuffer buffer : IN_MEMORY) {
      boolean fits = request.needBytes() <= memory.roomFor(buffer);
      lines.add(buffer + ": " + memory.arithmetic(buffer) + (fits ? ": fits." : ": too little."));
      if (fits) {
        return UploadBufferPlan.of(buffer, request, lines);
      }
    }
    lines.add("disk: no memory; the bytes must fit on the local dirs.");
    return UploadBufferPlan.of(UploadBuffer.DISK, request, lines);
  }

  private static UploadBufferPlan insisted(UploadBufferRequest request, UploadBuffer buffer)
      throws UnsafePlanException {
    if (!request.memory().isPresent()) {
      throw new UnsafePlanException(
          String.format(
              "%s buffers need %s, and the container's memory is not given. Give --memory and"
                  + " --streams, or take --buffer disk.",
              buffer, request.arithmetic()));
    }
    ContainerMemory memory = request.memory().get();
    long room = memory.roomFor(buffer);
    if (request.needBytes() > room) {
      throw new UnsafePlanException(refusal(request, buffer, memory));
    }
    return UploadBufferPlan.of(
        buffer,
        request,
        Immutable.listOf(
            "One container buffers at most " + request.arithmetic() + ".",
            buffer + ", as asked for: " + memory.arithmetic(buffer) + ": fits."));
  }

  private static String refusal(
      UploadBufferRequest request, UploadBuffer buffer, ContainerMemory memory) {
    long room = memory.roomFor(buffer);
    long perStream = (request.activeBlocks() + 1L) * request.partBytes();
    List<String> changes = new ArrayList<>();
    if (buffer == UploadBuffer.ARRAY && memory.heapGiven()) {
      changes.add("--heap to at least " + mib(2 * request.needBytes()));
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

  private static String mib(long bytes) {
    return ((bytes + (1 << 20) - 1) >> 20) + "m";
  }

  /** What S3A can write of one file: 10,000 parts. */
  public String largestFile() {
    return Sizes.format(10_000 * request().partBytes());
  }
}
