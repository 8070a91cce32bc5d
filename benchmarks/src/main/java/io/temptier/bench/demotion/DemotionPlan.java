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
package io.temptier.bench.demotion;

import io.temptier.bench.testbed.DiskSpeed;

/**
 * What is going to be measured, in numbers.
 *
 * @param rows of 100 bytes to sort
 * @param rounds how often, with demotion and without
 * @param slowDisk what an emulated slow disk can do
 */
record DemotionPlan(long rows, int rounds, DiskSpeed slowDisk) {
  /** Where demotion starts, in percent of the fast disk: well below what the job fills. */
  static final int HIGH_PERCENT = 40;

  /** Where it stops. */
  static final int LOW_PERCENT = 30;

  /**
   * How far the job alone fills the fast disk: above the high mark, and below the 85 % where new
   * files pass it by. Without demotion everything then stays on the fast disk, so that all that
   * demotion costs is seen and nothing that it brings.
   */
  private static final double FILL = 0.72;

  /** Bytes of a row of TeraGen. */
  private static final int ROW_BYTES = 100;

  /** Temporary data at its peak is the map outputs and, beside them, what reducers fetched. */
  private static final double TEMP_FACTOR = 2.1;

  /** Input, output, and what is left of the output before. */
  private static final int HDFS_FACTOR = 4;

  private static final long FILE_SYSTEM_BYTES = 64L << 20;
  private static final long JARS_AND_LOGS_BYTES = 256L << 20;

  /** So that there are enough map outputs to choose from. */
  private static final int MAPS = 12;

  /** More than run at a time, so that outputs are wanted a second time. */
  static final int REDUCES = 4;

  /** What is sorted. */
  long inputBytes() {
    return rows * ROW_BYTES;
  }

  /** The bytes of one map's input. */
  long splitBytes() {
    return Math.max(ROW_BYTES, inputBytes() / MAPS);
  }

  /** The fast disk's size. */
  long fastBytes() {
    return (long) (inputBytes() * TEMP_FACTOR / FILL) + FILE_SYSTEM_BYTES;
  }

  /** The slow disk's size: all of the temporary data would fit. */
  long slowBytes() {
    return (long) (inputBytes() * TEMP_FACTOR / FILL) + FILE_SYSTEM_BYTES;
  }

  /** What HDFS, jars and logs take. */
  long clusterBytes() {
    return inputBytes() * HDFS_FACTOR + JARS_AND_LOGS_BYTES;
  }
}
