// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.Random;

/** The free containers of a cluster, handed out in random order: tasks spread over all nodes. */
final class Containers {
  private final int[] free;
  private final Random random;
  private int count;

  /** Of every node {@code each}, all of them free. */
  Containers(int nodes, int each, Random random) {
    this.free = new int[Math.multiplyExact(nodes, each)];
    this.random = random;
    for (int i = 0; i < free.length; i++) {
      free[i] = i % nodes;
    }
    this.count = free.length;
  }

  boolean anyFree() {
    return count > 0;
  }

  /** Takes one; the number of its node. */
  int take() {
    int drawn = random.nextInt(count);
    int node = free[drawn];
    free[drawn] = free[--count];
    return node;
  }

  void giveBack(int node) {
    free[count++] = node;
  }
}
