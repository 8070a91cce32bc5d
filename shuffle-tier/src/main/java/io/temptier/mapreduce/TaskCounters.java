// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import io.temptier.tier.Medium;

/**
 * Names of the job counters. They show in the job's own report; readable names come from {@code
 * TempTier.properties}, as those of Hadoop's own groups do.
 */
public final class TaskCounters {
  /** The group of all of them. */
  public static final String GROUP = "TempTier";

  /** Files that a faster tier refused. */
  public static final String SPILLED_DOWN_FILES = "SPILLED_DOWN_FILES";

  /** Bytes of the files that a faster tier refused. */
  public static final String SPILLED_DOWN_BYTES = "SPILLED_DOWN_BYTES";

  private TaskCounters() {}

  /** The counter of files that tasks placed on a medium, for example {@code NVME_FILES}. */
  public static String files(Medium medium) {
    return medium + "_FILES";
  }

  /**
   * The counter of bytes in files that tasks placed on a medium, for example {@code NVME_BYTES}.
   */
  public static String bytes(Medium medium) {
    return medium + "_BYTES";
  }
}
