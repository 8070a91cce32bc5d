// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.Sizes;

/**
 * The memory of a container and what upload buffers may have of it. All in bytes.
 *
 * <p>On the heap: half. The other half is the task's own (sort buffer, readers, row groups).
 * Outside the heap: what heap and JVM leave. YARN kills a container that uses more, whatever {@code
 * -XX:MaxDirectMemorySize} allows; by default that is as much again as the heap. What the JVM
 * itself needs outside its heap counts as Spark counts it ({@code
 * spark.executor.memoryOverheadFactor}): a tenth of the container, at least 384 MiB.
 *
 * @param totalBytes what the container may use
 * @param heapBytes the heap, {@code -Xmx}
 * @param heapGiven whether somebody said so; if not, it follows the container
 */
public record ContainerMemory(long totalBytes, long heapBytes, boolean heapGiven) {
  /** Hadoop's {@code mapreduce.job.heap.memory-mb.ratio}. */
  private static final double HEAP_RATIO = 0.8;

  private static final double JVM_RATIO = 0.1;
  private static final long SMALLEST_JVM_BYTES = 384L << 20;

  /** Checks. */
  public ContainerMemory {
    if (heapBytes <= 0 || totalBytes < heapBytes) {
      throw new IllegalArgumentException(
          "a heap of %s does not go into a container of %s"
              .formatted(Sizes.format(heapBytes), Sizes.format(totalBytes)));
    }
  }

  /** A container whose heap Hadoop derives: 0.8 of it. */
  public static ContainerMemory of(long totalBytes) {
    return new ContainerMemory(totalBytes, (long) (totalBytes * HEAP_RATIO), false);
  }

  /** A container with a heap of that size. */
  public static ContainerMemory of(long totalBytes, long heapBytes) {
    return new ContainerMemory(totalBytes, heapBytes, true);
  }

  /** What the JVM needs beside its heap. */
  public long jvmBytes() {
    return Math.max(SMALLEST_JVM_BYTES, (long) (totalBytes * JVM_RATIO));
  }

  /** What buffers of that kind may have; disk has no bound here. */
  public long roomFor(UploadBuffer buffer) {
    return switch (buffer) {
      case ARRAY -> heapBytes / 2;
      case BYTEBUFFER -> Math.max(0, totalBytes - heapBytes - jvmBytes());
      case DISK -> Long.MAX_VALUE;
    };
  }

  /** How {@link #roomFor} comes about, for people. */
  String arithmetic(UploadBuffer buffer) {
    String heap =
        "a heap of "
            + Sizes.format(heapBytes)
            + (heapGiven ? "" : " (0.8 x " + Sizes.format(totalBytes) + ")");
    return switch (buffer) {
      case ARRAY -> "half of " + heap + " = " + Sizes.format(roomFor(buffer));
      case BYTEBUFFER ->
          "%s less %s less %s for the JVM = %s"
              .formatted(
                  Sizes.format(totalBytes),
                  heap,
                  Sizes.format(jvmBytes()),
                  Sizes.format(roomFor(buffer)));
      case DISK -> "no memory";
    };
  }

  /** The smallest container of this kind in which buffers of that size fit, in MiB. */
  long smallestMib(UploadBuffer buffer, long needBytes) {
    long low = 1;
    long high = 1L << 33;
    while (low < high) {
      long middle = (low + high) >>> 1;
      long total = middle << 20;
      boolean fits =
          heapGiven
              ? total > heapBytes && of(total, heapBytes).roomFor(buffer) >= needBytes
              : of(total).roomFor(buffer) >= needBytes;
      if (fits) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
