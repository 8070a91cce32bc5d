// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import java.util.ArrayList;
import java.util.List;

/** A configured dir and what the host says of it. */
@AutoValue
abstract class NodeDir {
  /** The dir as placement will see it. */
  abstract LocalDir dir();

  /** What the kernel says it lies on. */
  abstract Classification kernel();

  /** Size of its file system; not positive when unknown. */
  abstract long totalBytes();

  static NodeDir of(LocalDir dir, Classification kernel, long totalBytes) {
    return new AutoValue_NodeDir(dir, kernel, totalBytes);
  }

  /** Puts dirs together that certainly lie on one file system, in the order given. */
  static List<List<NodeDir>> byFileSystem(List<NodeDir> dirs) {
    List<List<NodeDir>> all = new ArrayList<>();
    for (NodeDir dir : dirs) {
      List<NodeDir> together =
          all.stream()
              .filter(others -> others.get(0).kernel().sharesFileSystem(dir.kernel()))
              .findFirst()
              .orElseGet(ArrayList::new);
      if (together.isEmpty()) {
        all.add(together);
      }
      together.add(dir);
    }
    return all;
  }
}
