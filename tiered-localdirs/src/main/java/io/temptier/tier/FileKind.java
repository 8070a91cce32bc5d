// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.regex.Pattern;

/**
 * What a temporary file is for, known from its path below a local dir. The names are those of
 * YARN's and MapReduce's on-disk layout.
 */
public enum FileKind {
  /** Token, script and pid files of the NodeManager, and mount points: a few kilobytes each. */
  NM_PRIVATE(64L << 10),
  /** The index beside a spill or a map output: 24 bytes a partition. */
  INDEX(64L << 10),
  /** One sorted run of a map task, read once, in order, by its merge. */
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
  /** Anything else. */
  OTHER(0);

  private static final Pattern SPILL_NAME = Pattern.compile("(.*_)?spill_?\\d+\\.out");
  private static final Pattern SEGMENT_NAME = Pattern.compile("map_\\d+\\.out\\d*");
  private static final Pattern MERGE_NAME = Pattern.compile("intermediate\\.\\d+");

  private final long typicalBytes;

  FileKind(long typicalBytes) {
    this.typicalBytes = typicalBytes;
  }

  /**
   * Bytes to expect of a file of this kind whose size is not given.
   *
   * @param unknownSize what to expect of kinds that can be large
   */
  public long expectedBytes(long unknownSize) {
    return typicalBytes > 0 ? Math.min(typicalBytes, unknownSize) : unknownSize;
  }

  /** Whether it is a folder that others fill: how large it becomes is neither told nor followed. */
  public boolean isFolder() {
    return this == LOCALIZED_RESOURCE || this == WORK_DIR;
  }

  /** Whether it is a few kilobytes at most, always. */
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
    if (name.endsWith(".merged") || MERGE_NAME.matcher(name).matches()) {
      return MERGE;
    }
    if (SPILL_NAME.matcher(name).matches()) {
      return SPILL;
    }
    if (name.equals("file.out")) {
      return MAP_OUTPUT;
    }
    if (SEGMENT_NAME.matcher(name).matches()) {
      return FETCHED_SEGMENT;
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
    if (name.startsWith("container_")) {
      return WORK_DIR;
    }
    return OTHER;
  }
}
