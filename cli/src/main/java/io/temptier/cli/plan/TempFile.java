// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

/** A temporary file, which lies on the fast disk in some of the sizes that are compared. */
final class TempFile {
  private final Node node;
  private final RunningJob job;
  private final long bytes;
  private final long writtenMillis;
  private long fastIn;

  /** A file that lies on the slow disk in every size, written at a simulated time. */
  TempFile(Node node, RunningJob job, long bytes, long writtenMillis) {
    this.node = node;
    this.job = job;
    this.bytes = bytes;
    this.writtenMillis = writtenMillis;
  }

  Node node() {
    return node;
  }

  long bytes() {
    return bytes;
  }

  long writtenMillis() {
    return writtenMillis;
  }

  /** The share of its partitions that were fetched, 0 to 1. */
  double fetched() {
    return job.fetched();
  }

  /** Whether it lies on the fast disk of that size. */
  boolean fastIn(int size) {
    return (fastIn >>> size & 1) != 0;
  }

  void placeFast(int size) {
    fastIn |= 1L << size;
  }

  void leaveFast(int size) {
    fastIn &= ~(1L << size);
  }
}
