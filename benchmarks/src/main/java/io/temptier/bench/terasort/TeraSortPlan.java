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
package io.temptier.bench.terasort;

import io.temptier.bench.node.NodeSpec;
import io.temptier.bench.testbed.DiskSpeed;
import java.util.List;

/**
 * What is going to be measured, in numbers.
 *
 * @param experiment the question
 * @param rows of 100 bytes to sort
 * @param rounds how often each arm is run
 * @param arms in the order of the first round
 * @param slowDisk what each HDD can do
 * @param readAheadBytes the kernel's readahead on each HDD
 * @param memoryBytes what the node may use of memory
 * @param blockBytes of HDFS
 * @param deadlineSeconds after which a job is killed and counts as failed
 */
record TeraSortPlan(
    Experiment experiment,
    long rows,
    int rounds,
    List<Arm> arms,
    DiskSpeed slowDisk,
    long readAheadBytes,
    long memoryBytes,
    long blockBytes,
    long deadlineSeconds) {
  private static final int ROW_BYTES = 100;

  /** Temporary data at its peak: map outputs, and beside them what reducers fetched or merged. */
  private static final double TEMP_FACTOR = 2.1;

  /** Input, output, and a margin for checksums. */
  private static final double HDFS_FACTOR = 2.2;

  /** HDFS and local dirs fill disks unevenly. */
  private static final double UNEVEN = 1.4;

  /** HDFS sets a block's room aside for each file that is being written. */
  private static final int BLOCKS_AHEAD = 10;

  private static final long FILE_SYSTEM_BYTES = 64L << 20;
  private static final int MAX_REDUCES = 4;
  private static final int MIN_TASKS = 2;

  TeraSortPlan {
    arms = List.copyOf(arms);
  }

  /** What is sorted. */
  long inputBytes() {
    return rows * ROW_BYTES;
  }

  /** One for each block. */
  int maps() {
    return (int) Math.max(MIN_TASKS, (inputBytes() + blockBytes - 1) / blockBytes);
  }

  /** Two for each core of a small node. */
  int reduces() {
    return Math.min(MAX_REDUCES, maps());
  }

  /** Temporary data at its peak, as it is reckoned beforehand. */
  long tempBytes() {
    return (long) (inputBytes() * TEMP_FACTOR);
  }

  /** The node of a setting. */
  NodeSpec node(Setting setting) {
    long data = (long) ((inputBytes() * HDFS_FACTOR + tempBytes()) * UNEVEN);
    long hdds = data + BLOCKS_AHEAD * blockBytes;
    return new NodeSpec(
        setting.hdds(),
        slowDisk,
        hdds / setting.hdds() + FILE_SYSTEM_BYTES,
        (long) (tempBytes() * setting.fastShare()) + FILE_SYSTEM_BYTES,
        memoryBytes);
  }

  /** The size of the fast disk of {@link Arm#IDEAL}, where the node's own is too small. */
  long idealBytes() {
    return (long) (tempBytes() * Setting.FITS) + FILE_SYSTEM_BYTES;
  }

  /** Whether a setting needs a disk of its own for {@link Arm#IDEAL}. */
  boolean needsIdeal(Setting setting) {
    return arms.contains(Arm.IDEAL) && !setting.fits();
  }

  /** What the images of all disks of a setting take. */
  long imageBytes(Setting setting) {
    return node(setting).imageBytes() + (needsIdeal(setting) ? idealBytes() : 0);
  }

  /** How many trials there are in all. */
  int trials() {
    return experiment.settings().size() * rounds * arms.size();
  }
}
