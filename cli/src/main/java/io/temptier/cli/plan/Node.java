// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.LinkedHashSet;
import java.util.Set;

/** A node, with a fast disk of each of the sizes that are compared. */
final class Node {
  private final FastDisk[] fast;
  private final boolean[] moving;
  private final Set<TempFile> outputs = new LinkedHashSet<>();
  private long tempBytes;

  /** A node without files. */
  Node(ClusterModel model) {
    this.fast =
        model.fastSizes().stream().map(size -> new FastDisk(model, size)).toArray(FastDisk[]::new);
    this.moving = new boolean[fast.length];
  }

  FastDisk fast(int size) {
    return fast[size];
  }

  /** Map outputs, which demotion may move. */
  Set<TempFile> outputs() {
    return outputs;
  }

  /** Bytes of all temporary files, wherever they lie. */
  long tempBytes() {
    return tempBytes;
  }

  void wrote(long bytes) {
    tempBytes += bytes;
  }

  void deleted(long bytes) {
    tempBytes -= bytes;
  }

  /** Whether an output is being moved in that size. */
  boolean moving(int size) {
    return moving[size];
  }

  void setMoving(int size, boolean now) {
    moving[size] = now;
  }
}
