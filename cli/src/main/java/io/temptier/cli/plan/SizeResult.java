// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

/**
 * What became of the temporary files with one size of the fast disk.
 *
 * @param spilledBytes written to the slow disk, as the fast one had no room
 * @param jobs of the trace that ended
 * @param whollyFastJobs of them, those none of whose files was spilled
 */
record SizeResult(
    long fastBytes,
    long placedBytes,
    long spilledBytes,
    long demotedBytes,
    long jobs,
    long whollyFastJobs,
    double days,
    int nodes) {
  /** The share of all bytes that were written to the fast disk, 0 to 1. */
  double hitShare() {
    long all = placedBytes + spilledBytes;
    return all == 0 ? 1 : (double) placedBytes / all;
  }

  /** The share of jobs that found the fast disk only, 0 to 1. */
  double whollyFastShare() {
    return jobs == 0 ? 1 : (double) whollyFastJobs / jobs;
  }

  /** Bytes a day that a node's fast disk takes, on average. */
  double bytesPerDay() {
    return placedBytes / days / nodes;
  }

  /** How often a day the disk is written over: what endurance is rated in. */
  double driveWritesPerDay() {
    return bytesPerDay() / fastBytes;
  }
}
