// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.text.Sizes;

/**
 * The memory of a container and what upload buffers may have of it. All in bytes.
 *
 * <p>On the heap: half. The other half is the task's own (sort buffer, readers, row groups).
 * Outside the heap: what heap and JVM leave, and no more than the heap, which is Java's default for
 * {@code -XX:MaxDirectMemorySize}. YARN kills a container that uses more than it has. What the JVM
 * itself needs outside its heap counts as Spark counts it ({@code
 * spark.executor.memoryOverheadFactor}): a tenth of the container, at least 384 MiB.
 */
@AutoValue
public abstract class ContainerMemory {
  /** Hadoop's {@code mapreduce.job.heap.memory-mb.ratio}. */
  private static final double HEAP_RATIO = 0.8;

  private static final double JVM_RATIO = 0.1;
  private static final long SMALLEST_JVM_BYTES = 384L << 20;

  public abstract long totalBytes();

  /** The heap, {@code -Xmx}. */
  public abstract long heapBytes();

  /** A container whose heap Hadoop derives: 0.8 of it. */
  public static ContainerMemory of(long totalBytes) {
    return of(totalBytes, (long) (totalBytes * HEAP_RATIO));
  }

  public static ContainerMemory of(long totalBytes, long heapBytes) {
    if (heapBytes <= 0 || totalBytes < heapBytes) {
      throw new IllegalArgumentException(
          String.format(
              "a heap of %s does not go into a container of %s",
              Sizes.format(heapBytes), Sizes.format(totalBytes)));
    }
    return new AutoValue_ContainerMemory(totalBytes, heapBytes);
  }

  /** Returns the memory that buffers of that kind may have. */
  long roomFor(UploadBufferPlan.Buffer buffer) {
    long jvmBytes = Math.max(SMALLEST_JVM_BYTES, (long) (totalBytes() * JVM_RATIO));
    return buffer == UploadBufferPlan.Buffer.ARRAY
        ? heapBytes() / 2
        // Java's default limit on direct memory is the size of the heap.
        : Math.min(heapBytes(), Math.max(0, totalBytes() - heapBytes() - jvmBytes));
  }
}
