// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.workload.JobWorkload.Volume;
import io.temptier.tier.text.Sizes;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the demo is going to do, in numbers.
 *
 * @param rows of 100 bytes
 * @param fastCapBytes the most bytes of the fast tier of all nodes together, or null where there is
 *     no cap
 */
record DemoPlan(long rows, long inputBytes, int nodes, @Nullable Long fastCapBytes) {
  /** A small reserve in place of 15 %: the disk is the machine's own, however full it is. */
  static final long RESERVE_BYTES = 64L << 20;

  /**
   * In place of 64 MiB: a tier of some hundred megabytes must not be promised away to work dirs.
   */
  static final long UNKNOWN_SIZE_BYTES = 1L << 20;

  private static final int ROW_BYTES = 100;

  /** Spills live beside the output they are merged into. */
  private static final double TEMP_MARGIN = 0.5;

  private static final long ROOM_FOR_LOGS = 256L << 20;

  /**
   * Makes a plan.
   *
   * @param fastCap a size, "unlimited", or null for about half of the temporary data
   * @throws IllegalArgumentException when the cap is no size; the text is for people
   * @throws ArithmeticException when the rows have more bytes than can be counted
   */
  static DemoPlan of(long rows, int nodes, @Nullable String fastCap) {
    long bytes = Math.multiplyExact(rows, ROW_BYTES);
    Long cap = Volume.ofSort(bytes).temp() / 2;
    if (fastCap != null) {
      cap = fastCap.equalsIgnoreCase("unlimited") ? null : Long.valueOf(Sizes.parse(fastCap));
    }
    return new DemoPlan(rows, bytes, nodes, cap);
  }

  /** Temporary bytes that the job is expected to hold at its peak. */
  long tempBytes() {
    return Volume.ofSort(inputBytes).temp();
  }

  long needBytes() {
    return Volume.ofSort(inputBytes).hdfs()
        + tempBytes()
        + (long) (inputBytes * TEMP_MARGIN)
        + RESERVE_BYTES
        + ROOM_FOR_LOGS;
  }

  String fastTag() {
    if (fastCapBytes == null) {
      return "[NVME]";
    }
    long each = fastCapBytes / nodes;
    return "[NVME:" + (each < 64 << 20 ? each : (each >> 20) + "m") + "]";
  }

  String fastCapText() {
    return fastCapBytes == null ? "unlimited" : Sizes.format(fastCapBytes);
  }

  /** Why {@code usableBytes} of free disk are too few, or empty when they are enough. */
  Optional<String> tooLittle(long usableBytes, Path where) {
    return usableBytes >= needBytes()
        ? Optional.empty()
        : Optional.of(
            ("sorting %s needs about %s of disk, and the file system of %s has %s left. Give"
                    + " fewer --rows, or a --work folder on another disk.")
                .formatted(
                    Sizes.format(inputBytes),
                    Sizes.format(needBytes()),
                    where,
                    Sizes.format(usableBytes)));
  }
}
