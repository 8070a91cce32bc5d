// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Something that can be asked of an arm. */
@FunctionalInterface
interface Task {
  /**
   * Does it.
   *
   * @param folder where the run's data is
   * @param count how much
   * @param random seeded
   * @return the bytes that were wanted: read, or written
   * @throws Exception when it fails, or what it read is wrong
   */
  long run(FileSystem fs, Path folder, long count, Random random) throws Exception;
}
