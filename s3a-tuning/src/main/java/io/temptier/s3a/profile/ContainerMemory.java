// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.text.Sizes;

/**
 * The memory of a container and what upload buffers may have of it. All in bytes.
 *
 * <p>On the heap: half. The other half is the task's own (sort buffer, readers, row groups).
 * Outside the heap: what heap and JVM leave. YARN kills a container that uses more, whatever {@code
 * -XX:MaxDirectMemorySize} allows; by default that is as much again as the heap. What the JVM
 * itself needs outside its heap counts as Spark counts it ({@code
 * spark.executor.memoryOverheadFactor}): a tenth of the container, at least 384 MiB.
 */
@AutoValue
public abstract class ContainerMemory {

  /** Hadoop's {@code mapreduce.job.heap.memory-mb.ratio}. */
  private static final double HEAP_RATIO = 0.8;

  private static final double JVM_RATIO = 0.1;
  private static final long SMALLEST_JVM_BYTES = 384L << 20;

  /** What the container may use. */
  public abstract long totalBytes();

  /** The heap, {@code -Xmx}. */
  public abstract long heapBytes();

  /** Whether somebody said so; if not, it follows the container. */
  public abstract boolean heapGiven();

  /** Checks. */
  public static ContainerMemory of(long totalBytes, long heapBytes, boolean heapGiven) {
    if (heapBytes <= 0 || totalBytes < heapBytes) {
      throw new IllegalArgumentException(
          String.format(
              "a heap of %s does not go into a container of %s",
              Sizes.format(heapBytes), Sizes.format(totalBytes)));
    }
    return new AutoValue_ContainerMemory(totalBytes, heapBytes, heapGiven);
  }

  /** A container whose heap Hadoop derives: 0.8 of it. */
  public static ContainerMemory of(long totalBytes) {
    return ContainerMemory.of(totalBytes, (long) (totalBytes * HEAP_RATIO), false);
  }

  /** A container with a heap of that size. */
  public static ContainerMemory of(long totalBytes, long heapBytes) {
    return ContainerMemory.of(totalBytes, heapBytes, true);
  }

  /** What the JVM needs beside its heap. */
  public long jvmBytes() {
    return Math.max(SMALLEST_JVM_BYTES, (long) (totalBytes() * JVM_RATIO));
  }

  /** What buffers of that kind may have; disk has no bound here. */
  public long roomFor(UploadBuffer buffer) {
    switch (buffer) {
      case ARRAY:
        return heapBytes() / 2;
      case BYTEBUFFER:
        return Math.max(0, totalBytes() - heapBytes() - jvmBytes());
      case DISK:
        return Long.MAX_VALUE;
      default:
        throw new AssertionError(buffer);
    }
  }

  /** How {@link #roomFor} comes about, for people. */
  String arithmetic(UploadBuffer buffer) {
    String heap =
        "a heap of "
            + Sizes.format(heapBytes())
            + (heapGiven() ? "" : " (0.8 x " + Sizes.format(totalBytes()) + ")");
    switch (buffer) {
      case ARRAY:
        return "half of " + heap + " = " + Sizes.format(roomFor(buffer));
      case BYTEBUFFER:
        return String.format(
            "%s less %s less %s for the JVM = %s",
            Sizes.format(totalBytes()),
            heap,
            Sizes.format(jvmBytes()),
            Sizes.format(roomFor(buffer)));
      case DISK:
        return "no memory";
      default:
        throw new AssertionError(buffer);
    }
  }

  /** The smallest container of this kind in which buffers of that size fit, in MiB. */
  long smallestMib(UploadBuffer buffer, long needBytes) {
    long low = 1;
    long high = 1L << 33;
    while (low < high) {
      long middle = (low + high) >>> 1;
      long total = middle << 20;
      boolean fits =
          heapGiven()
              ? total > heapBytes() && of(total, heapBytes()).roomFor(buffer) >= needBytes
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
