// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.bench.jmh.TierBenchmark;
import io.temptier.tier.LocalDir;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A demotion, without its rate limit, beside a plain copy of the same bytes. A demotion brings the
 * copy to the disk before it gives the original away; so does the second of the plain ones.
 */
public class DemotionCopyBenchmark extends TierBenchmark {
  /** {@code Files.copy}, to the page cache. */
  @Benchmark
  public Path plainCopy(DemotionCopyState state) throws IOException {
    return Files.copy(state.source(), state.target());
  }

  /** The same, and to the disk with it. */
  @Benchmark
  public Path plainCopyToDisk(DemotionCopyState state) throws IOException {
    Path copy = Files.copy(state.source(), state.target());
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    return copy;
  }

  /** Claim, copy, checks, names and link. */
  @Benchmark
  public LocalDir demotion(DemotionCopyState state) throws IOException {
    return state.demote();
  }
}
