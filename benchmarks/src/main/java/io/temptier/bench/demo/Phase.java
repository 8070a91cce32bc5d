// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.tier.FileKind;

/** What a temporary file is for, told apart by side. */
enum Phase {
  /** Sorted runs of map tasks. */
  MAP_SPILL("map spills"),
  MAP_MERGE("map merges"),
  MAP_OUTPUT("map outputs"),
  /** Map outputs that reducers fetched to disk. */
  REDUCE_SEGMENT("reduce segments"),
  REDUCE_MERGE("reduce merges"),
  /** Indexes beside spills and map outputs. */
  INDEX("indexes"),
  /** What demotion copies from a fast tier to a slower one, map outputs that are counted above. */
  DEMOTION("demotion's copies"),
  LOCALIZED("localized files"),
  WORK_DIR("work dirs"),
  /** Tokens, scripts, pid files, and whatever else there is. */
  OTHER("other");

  /** How demotion calls a copy until it is whole. */
  private static final String DEMOTION_COPY = ".temptier-demotion.";

  private final String label;

  Phase(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /**
   * The phase of a file.
   *
   * @param path where, absolute or relative to a local dir
   */
  static Phase of(FileKind kind, String path) {
    return switch (kind) {
      case SPILL -> MAP_SPILL;
      case MAP_OUTPUT -> MAP_OUTPUT;
      case FETCHED_SEGMENT -> REDUCE_SEGMENT;
      case MERGE -> path.matches(".*attempt_\\d+_\\d+_m_.*") ? MAP_MERGE : REDUCE_MERGE;
      case INDEX -> INDEX;
      case LOCALIZED_RESOURCE -> LOCALIZED;
      case WORK_DIR -> WORK_DIR;
      case NM_PRIVATE, UPLOAD_BUFFER, CACHED_BLOCK, OTHER -> OTHER;
    };
  }

  /**
   * The phase of a file seen on disk. Below a container's working directory everything is part of
   * it, and below a file cache everything is localized.
   */
  static Phase ofFile(String path) {
    if (path.contains("/" + DEMOTION_COPY)) {
      return DEMOTION;
    }
    if (path.contains("/container_") && !path.startsWith("nmPrivate")) {
      return WORK_DIR;
    }
    if (path.contains("filecache/")) {
      return LOCALIZED;
    }
    return of(FileKind.of(path), path);
  }
}
