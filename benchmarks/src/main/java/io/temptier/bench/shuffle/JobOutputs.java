// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job's map outputs.
 *
 * @param job whose they are
 * @param fast those on the fast disk
 * @param slow those on the slow disk, or null when there is none
 */
record JobOutputs(BenchJob job, MapOutputs fast, @Nullable MapOutputs slow) {
  /** Every file of them. */
  List<Path> files() {
    return Stream.concat(fast.files().stream(), slow == null ? Stream.of() : slow.files().stream())
        .toList();
  }
}
