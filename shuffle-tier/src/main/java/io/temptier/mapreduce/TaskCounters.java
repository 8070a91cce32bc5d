/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
