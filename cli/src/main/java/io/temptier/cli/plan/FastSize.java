// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.policy.PlacementRequest;
import java.util.HashMap;
import java.util.Map;

/** All nodes with fast disks of one size, and what became of the temporary files on them. */
final class FastSize {
  private final long fastBytes;
  private final FastDisk.Rules rules;
  private final Map<String, FastDisk> disks = new HashMap<>();
  private long placedBytes;
  private long spilledBytes;
  private long demotedBytes;

  FastSize(long fastBytes, FastDisk.Rules rules) {
    this.fastBytes = fastBytes;
    this.rules = rules;
  }

  FastDisk disk(String host) {
    return disks.computeIfAbsent(host, any -> new FastDisk(rules, fastBytes));
  }

  void write(TempFile file, PlacementRequest request) {
    boolean here = disk(file.host).place(file, request);
    placedBytes += here ? file.bytes : 0;
    spilledBytes += here ? 0 : file.bytes;
  }

  void demoted(long bytes) {
    demotedBytes += bytes;
  }

  /** Of each disk. */
  long fastBytes() {
    return fastBytes;
  }

  /** Written to the fast disks. */
  long placedBytes() {
    return placedBytes;
  }

  /** Written to the slow ones, as the fast ones had no room. */
  long spilledBytes() {
    return spilledBytes;
  }

  long demotedBytes() {
    return demotedBytes;
  }

  /** The share of all bytes that were written to the fast disks, 0 to 1. */
  double hitShare() {
    long all = placedBytes + spilledBytes;
    return all == 0 ? 1 : (double) placedBytes / all;
  }
}
