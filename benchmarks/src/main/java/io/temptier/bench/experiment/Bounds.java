// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

/**
 * What bounds a trial.
 *
 * @param slowMbps of an emulated slow disk, in MB/s
 * @param slowIops of an emulated slow disk, in requests per second
 * @param readAhead the kernel's readahead on each HDD, in bytes
 * @param memory bytes that a node of {@link Setting#TASKS} tasks may use, page cache included
 * @param deadlineSeconds after which a job is killed and counts as failed
 */
public record Bounds(
    int slowMbps, int slowIops, long readAhead, long memory, long deadlineSeconds) {
  static final Bounds USUAL = new Bounds(30, 40, 1L << 20, 4L << 30, 1200);

  public Bounds {
    if (slowMbps < 1 || slowIops < 1 || readAhead < 1 || memory < 1 || deadlineSeconds < 1) {
      throw new IllegalArgumentException("each must be at least 1");
    }
  }
}
