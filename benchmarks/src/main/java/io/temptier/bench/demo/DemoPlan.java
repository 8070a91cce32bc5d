// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the demo is going to do, in numbers.
 *
 * @param rows rows of 100 bytes to generate, 0 when there is an input
 * @param input files to sort, none when rows are generated
 * @param inputBytes what is sorted
 * @param nodes NodeManagers
 * @param fastCapBytes the most bytes of the fast tier of all nodes together, or null where there is
 *     no cap
 */
record DemoPlan(
    long rows,
    @JsonIgnore List<Path> input,
    long inputBytes,
    int nodes,
    @Nullable Long fastCapBytes) {
  /** Bytes in a row of TeraGen. */
  static final int ROW_BYTES = 100;

  /** A small reserve in place of 15 %: the disk is the machine's own, however full it is. */
  static final long RESERVE_BYTES = 64L << 20;

  /**
   * In place of 64 MiB: a tier of some hundred megabytes must not be promised away to work dirs.
   */
  static final long UNKNOWN_SIZE_BYTES = 1L << 20;

  /** Temporary data at its peak is the map outputs and, beside them, what reducers fetched. */
  private static final double TEMP_FACTOR = 2.1;

  /** Spills live beside the output they are merged into. */
  private static final double TEMP_MARGIN = 0.5;

  /** Input and output in HDFS, one replica each. */
  private static final double HDFS_FACTOR = 2;

  private static final long ROOM_FOR_LOGS = 256L << 20;

  DemoPlan {
    input = List.copyOf(input);
  }

  /**
   * Makes a plan.
   *
   * @param fastCap a size, "unlimited", or null for about half of the temporary data
   * @throws IllegalArgumentException when the cap is no size; the text is for people
   */
  static DemoPlan of(
      long rows, List<Path> input, long inputBytes, int nodes, @Nullable String fastCap) {
    return new DemoPlan(rows, input, inputBytes, nodes, cap(fastCap, inputBytes));
  }

  /** All regular files at or below {@code path}, hidden ones excepted, by name. */
  static List<Path> filesBelow(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  /** Temporary bytes that the job is expected to hold at its peak. */
  long tempBytes() {
    return tempBytes(inputBytes);
  }

  /** Bytes the disk must have free. */
  long needBytes() {
    return (long) (inputBytes * (HDFS_FACTOR + TEMP_FACTOR + TEMP_MARGIN))
        + RESERVE_BYTES
        + ROOM_FOR_LOGS;
  }

  /** Whether the fast tier has a cap. */
  boolean capped() {
    return fastCapBytes != null;
  }

  /** The tag of the fast dir of one node. */
  String fastTag() {
    return fastCapBytes == null ? "[NVME]" : "[NVME:" + fastCapBytes / nodes + "]";
  }

  /** The cap in words. */
  String fastCapText() {
    return fastCapBytes == null ? "unlimited" : Sizes.format(fastCapBytes);
  }

  /** Why {@code usableBytes} of free disk are too few, or empty when they are enough. */
  Optional<String> tooLittle(long usableBytes, Path where) {
    return usableBytes >= needBytes()
        ? Optional.empty()
        : Optional.of(
            ("sorting %s needs about %s of disk, and the file system of %s has %s left. Give"
                    + " fewer --rows, a smaller --input, or a --work folder on another disk.")
                .formatted(
                    Sizes.format(inputBytes),
                    Sizes.format(needBytes()),
                    where,
                    Sizes.format(usableBytes)));
  }

  private static long tempBytes(long inputBytes) {
    return (long) (inputBytes * TEMP_FACTOR);
  }

  private static @Nullable Long cap(@Nullable String text, long inputBytes) {
    if (text == null) {
      return tempBytes(inputBytes) / 2;
    }
    return text.equalsIgnoreCase("unlimited") ? null : Long.valueOf(Sizes.parse(text));
  }
}
