// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.kernel.KernelClassifier.Classification;

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
}
