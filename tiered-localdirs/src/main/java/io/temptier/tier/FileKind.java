// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Purpose of a temporary file, known from its path below a local dir. The names are those of the
 * on-disk layout of YARN, MapReduce, Tez and Spark.
 *
 * <p>Tez names its files after a part of a task, {@code
 * attempt_TIME_APP_DAG_VERTEX_TASK_ATTEMPT_ID}: seven numbers. Its spills are called as its outputs
 * are, in a folder with one number more.
 */
public enum FileKind {
  /** Token, script and pid files of the NodeManager, and mount points: a few kilobytes each. */
  NM_PRIVATE(64L << 10),
  /** The index beside a spill or a map output: 24 bytes a partition. */
  INDEX(64L << 10),
  /**
   * Sorted run of a map task, read once, in order, by its merge. A pipelined shuffle of Tez merges
   * none: its spills are what is fetched, and nothing in their names says so.
   */
  SPILL(0),
  /** The final output of a map task, read in small pieces by every reducer. */
  MAP_OUTPUT(0),
  /** A map output that a reducer fetched to disk. */
  FETCHED_SEGMENT(0),
  /** An intermediate merge of either side. */
  MERGE(0),
  /**
   * A resource of the distributed cache, public, private or of one application. YARN never says how
   * large it is ({@code LocalResourceRequest.getSize} is always -1), and asks for the folder of the
   * cache, whose growth is not seen: a large claim would be held for nothing.
   */
  LOCALIZED_RESOURCE(1L << 20),
  /** A container's working directory: scripts, links and what a job writes to it, rarely much. */
  WORK_DIR(1L << 20),
  /** A block buffered for upload to an object store. */
  UPLOAD_BUFFER(0),
  /** A block that Spark keeps on disk: of a cached RDD, a broadcast, a stream, a large result. */
  CACHED_BLOCK(0),
  OTHER(0);

  private static final Pattern SPILL_NAME = Pattern.compile("(.*_)?spill_?\\d+\\.out");
  private static final String OUTPUT_NAME = "file.out";

  /** Name of a fetched segment. In Tez an output fetched whole is spill -1 of its source. */
  private static final Pattern SEGMENT_NAME =
      Pattern.compile("(map_\\d+|attempt(_\\d+){7}_src_\\d+_spill_-?\\d+)\\.out\\d*");

  /**
   * Tez asks for a merge of files by the name of the first, without its extension, and for one of
   * memory as if its source had as many spills as there can be.
   */
  private static final Pattern MERGE_NAME =
      Pattern.compile(
          "intermediate\\.\\d+|.*\\.merged\\d*|attempt(_\\d+){7}_src_\\d+_spill_(-?\\d+|"
              + Integer.MAX_VALUE
              + "\\.out)");

  private static final Pattern TEZ_SPILL = Pattern.compile("(.*/)?attempt(_\\d+){8}/file\\.out");

  /** Suffix that Spark adds to a name while it writes the file: {@code Utils.tempFileWith}. */
  private static final String UUID = "(\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?";

  /** Patterns of Spark's names, compiled when first needed. */
  private static final class SparkNames {
    static final Pattern OUTPUT = Pattern.compile("shuffle(_\\d+){3}\\.data" + UUID);

    static final Pattern INDEX =
        Pattern.compile("shuffle(_\\d+){3}\\.(index|checksum\\.\\w+)" + UUID);

    static final Pattern BLOCK =
        Pattern.compile("rdd(_\\d+){2}|broadcast_\\d+.*|input(-\\d+){2}|taskresult_\\d+");
  }

  private final long typicalBytes;

  FileKind(long typicalBytes) {
    this.typicalBytes = typicalBytes;
  }

  /** Bytes to expect where the size is not given; {@code unknownSize} where it can be large. */
  public long expectedBytes(long unknownSize) {
    return typicalBytes > 0 ? Math.min(typicalBytes, unknownSize) : unknownSize;
  }

  /** True for a folder that others fill: how large it becomes is neither told nor followed. */
  public boolean isFolder() {
    return this == LOCALIZED_RESOURCE || this == WORK_DIR;
  }

  /** True for a few kilobytes at most, always. */
  public boolean isSmall() {
    return this == NM_PRIVATE || this == INDEX;
  }

  /**
   * The kind of the file at {@code path}, relative to a local dir or absolute. On-disk merges of a
   * reducer pass the whole path of their first input, so the last name decides first.
   */
  public static FileKind of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.endsWith(".index")) {
      return INDEX;
    }
    FileKind ofSpark = ofSpark(name);
    if (ofSpark != null) {
      return ofSpark;
    }
    if (MERGE_NAME.matcher(name).matches()) {
      return MERGE;
    }
    if (SEGMENT_NAME.matcher(name).matches()) {
      return FETCHED_SEGMENT;
    }
    if (name.equals(OUTPUT_NAME)) {
      return TEZ_SPILL.matcher(path).matches() ? SPILL : MAP_OUTPUT;
    }
    if (SPILL_NAME.matcher(name).matches()) {
      return SPILL;
    }
    if (name.startsWith("s3ablock")) {
      return UPLOAD_BUFFER;
    }
    // YARN asks for a mount point of CSI volumes for every container, and seldom makes one.
    if (path.contains("nmPrivate/") || path.contains("/csivolumes/") || name.endsWith(".pid")) {
      return NM_PRIVATE;
    }
    if (path.contains("filecache")) {
      return LOCALIZED_RESOURCE;
    }
    // A task of MapReduce has a folder for itself besides, in Tez as well.
    if (name.startsWith("container_") || name.equals("work")) {
      return WORK_DIR;
    }
    return OTHER;
  }

  private static @Nullable FileKind ofSpark(String name) {
    // The first letter is cheap to look at, and of most names that is all.
    switch (name.isEmpty() ? ' ' : name.charAt(0)) {
      // Sorted runs of either side of a shuffle, and what a reducer fetched to disk.
      case 't':
        return name.startsWith("temp_shuffle_") || name.startsWith("temp_local_")
            ? SPILL
            : SparkNames.BLOCK.matcher(name).matches() ? CACHED_BLOCK : null;
      case 's':
        if (!name.startsWith("shuffle_")) {
          return null;
        }
        return SparkNames.OUTPUT.matcher(name).matches()
            ? MAP_OUTPUT
            : SparkNames.INDEX.matcher(name).matches() ? INDEX : null;
      case 'r':
      case 'b':
      case 'i':
        return SparkNames.BLOCK.matcher(name).matches() ? CACHED_BLOCK : null;
      default:
        return null;
    }
  }
}
