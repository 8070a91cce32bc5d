// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.text.Sizes;
import java.util.Optional;

/** What an upload has to go by. */
@AutoValue
public abstract class UploadBufferRequest {

  /** Hadoop's {@code fs.s3a.fast.upload.active.blocks}. */
  public static final int DEFAULT_ACTIVE_BLOCKS = 4;

  /** Hadoop's {@code fs.s3a.multipart.size}. */
  public static final long DEFAULT_PART_BYTES = 64L << 20;

  /** S3A raises smaller parts to this. */
  static final long SMALLEST_PART_BYTES = 5L << 20;

  private static final long LARGEST_PART_BYTES = 2047L << 20;
  private static final int MOST = 100_000;

  /** The buffer somebody insists on. */
  public abstract Optional<UploadBufferPlan.Buffer> wanted();

  /** The container, if it is known. */
  public abstract Optional<ContainerMemory> memory();

  /** Files that one container writes at a time. */
  public abstract int streams();

  /** Blocks of one file that are uploaded at a time. */
  public abstract int activeBlocks();

  public abstract long partBytes();

  /** Checks. */
  public static UploadBufferRequest of(
      Optional<UploadBufferPlan.Buffer> wanted,
      Optional<ContainerMemory> memory,
      int streams,
      int activeBlocks,
      long partBytes) {
    within("streams", streams);
    within("active blocks", activeBlocks);
    if (partBytes < SMALLEST_PART_BYTES || partBytes > LARGEST_PART_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "a part of %s is out of bounds: S3 takes %s and more, a block of S3A holds at most %s",
              Sizes.format(partBytes),
              Sizes.format(SMALLEST_PART_BYTES),
              Sizes.format(LARGEST_PART_BYTES)));
    }
    return new AutoValue_UploadBufferRequest(wanted, memory, streams, activeBlocks, partBytes);
  }

  /** Nothing known: Hadoop's defaults for one stream. */
  public static UploadBufferRequest unknown() {
    return UploadBufferRequest.of(
        Optional.empty(), Optional.empty(), 1, DEFAULT_ACTIVE_BLOCKS, DEFAULT_PART_BYTES);
  }

  private static void within(String what, int number) {
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException(
          what + " of " + number + " is out of bounds: expected 1 to " + MOST);
    }
  }

  /**
   * What the buffers of one container take at most. One block of each file is filled, or waits to
   * be taken, while the others are uploaded.
   */
  public long needBytes() {
    return (long) streams() * (activeBlocks() + 1L) * partBytes();
  }

  /** How {@link #needBytes} comes about, for people. */
  String arithmetic() {
    return String.format(
        "%s %s x (%s active blocks + 1 being filled) x %s = %s",
        streams(),
        streams() == 1 ? "stream" : "streams",
        activeBlocks(),
        Sizes.format(partBytes()),
        Sizes.format(needBytes()));
  }
}
