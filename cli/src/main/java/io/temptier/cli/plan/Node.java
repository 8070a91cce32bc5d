// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.LinkedHashSet;
import java.util.Set;

/** A node, with a fast disk of each of the sizes that are compared. */
final class Node {
  private final FastDisk[] fast;
  private final Set<TempFile> outputs = new LinkedHashSet<>();
  private long tempBytes;

  Node(ClusterModel model) {
    this.fast =
        model.fastSizes().stream().map(size -> new FastDisk(model, size)).toArray(FastDisk[]::new);
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
}
