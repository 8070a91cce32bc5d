// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Plan of a container's upload buffers. Pure.
 *
 * <p>S3A takes a whole block for each file as soon as a byte is written to it, in memory as large
 * as the part size; while {@code fs.s3a.fast.upload.active.blocks} of a file are uploaded one more
 * is filled. Nothing bounds the sum over files, so what can run out is found here or in a job at
 * night. Memory is faster than disk (docs/s3a.md, Uploads), the heap a little faster than direct
 * buffers; so the first of array, bytebuffer and disk that holds all blocks is taken.
 */
@AutoValue
public abstract class UploadBufferPlan {
  /** Medium in which S3A keeps blocks until they are uploaded. */
  public enum Buffer {
    /** Files on local dirs. */
    DISK,
    ARRAY,
    /** Direct buffers outside the heap. */
    BYTEBUFFER;

    /** Returns its name in Hadoop's configuration. */
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

  /** Hadoop's {@code fs.s3a.fast.upload.active.blocks}. */
  public static final int DEFAULT_ACTIVE_BLOCKS = 4;

  /** Hadoop's {@code fs.s3a.multipart.size}. */
  public static final long DEFAULT_PART_BYTES = 64L << 20;

  /** S3A raises smaller parts to this. */
  private static final long SMALLEST_PART_BYTES = 5L << 20;

  private static final long LARGEST_PART_BYTES = 2047L << 20;

  /** More than a container can have open; twice the product of all numbers fits a long. */
  private static final int MOST_STREAMS = 10_000;

  private static final int MOST_BLOCKS = 100_000;

  private static final List<Buffer> IN_MEMORY = Immutable.listOf(Buffer.ARRAY, Buffer.BYTEBUFFER);

  public abstract Buffer buffer();

  /** Files that one container writes at a time. */
  abstract int streams();

  /** Blocks of one file that are uploaded at a time. */
  abstract int activeBlocks();

  abstract long partBytes();

  /** Plans by Hadoop's defaults for one stream, with nothing known. */
  public static UploadBufferPlan unknown() {
    return of(Optional.empty(), Optional.empty(), 1, DEFAULT_ACTIVE_BLOCKS, DEFAULT_PART_BYTES);
  }

  /**
   * Plans; throws {@link UnsafeException} when the buffer that was asked for can run out.
   *
   * @param wanted the buffer somebody insists on
   * @param given the container, if it is known
   * @throws IllegalArgumentException when a number is out of bounds
   */
  public static UploadBufferPlan of(
      Optional<Buffer> wanted,
      Optional<ContainerMemory> given,
      int streams,
      int activeBlocks,
      long partBytes) {
    within("streams", streams, MOST_STREAMS);
    within("active blocks", activeBlocks, MOST_BLOCKS);
    if (partBytes < SMALLEST_PART_BYTES || partBytes > LARGEST_PART_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "a part of %s is out of bounds: S3 takes %s and more, a block of S3A holds at most"
                  + " %s",
              Sizes.format(partBytes),
              Sizes.format(SMALLEST_PART_BYTES),
              Sizes.format(LARGEST_PART_BYTES)));
    }
    UploadBufferPlan disk =
        new AutoValue_UploadBufferPlan(Buffer.DISK, streams, activeBlocks, partBytes);
    if (wanted.equals(Optional.of(Buffer.DISK)) || !(given.isPresent() || wanted.isPresent())) {
      return disk;
    }
    if (!given.isPresent()) {
      throw new UnsafeException(
          String.format(
              "%s buffers need %s, and the container's memory is not given. Give --memory and"
                  + " --streams, or take --buffer disk.",
              wanted.get(), disk.need()));
    }
    ContainerMemory memory = given.get();
    for (Buffer buffer : wanted.map(one -> Immutable.listOf(one)).orElse(IN_MEMORY)) {
      if (disk.needBytes() <= memory.roomFor(buffer)) {
        return new AutoValue_UploadBufferPlan(buffer, streams, activeBlocks, partBytes);
      }
    }
    if (wanted.isPresent()) {
      throw new UnsafeException(
          String.format(
              "%s buffers can run out: they need %s, and there is %s of a heap of %s in a container"
                  + " of %s. Raise --memory or --heap, lower --streams, --active-blocks or"
                  + " --part-size, or take --buffer disk, which needs no memory.",
              wanted.get(),
              disk.need(),
              Sizes.format(memory.roomFor(wanted.get())),
              Sizes.format(memory.heapBytes()),
              Sizes.format(memory.totalBytes())));
    }
    return disk;
  }

  private static void within(String what, int number, int most) {
    if (number < 1 || number > most) {
      throw new IllegalArgumentException(
          what + " of " + number + " is out of bounds: expected 1 to " + most);
    }
  }

  /**
   * Returns the most that the buffers of one container take. One block of each file is filled, or
   * waits to be taken, while the others are uploaded.
   */
  public long needBytes() {
    return streams() * (activeBlocks() + 1L) * partBytes();
  }

  /** Explains {@link #needBytes} to people. */
  String need() {
    return String.format(
        "%s %s x (%s active blocks + 1 being filled) x %s = %s",
        streams(),
        streams() == 1 ? "stream" : "streams",
        activeBlocks(),
        Sizes.format(partBytes()),
        Sizes.format(needBytes()));
  }
}
