// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jmh;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/** A local dir allocator's calls: for a tiered one with the claim made and released. */
public class AllocatorBenchmark extends TierBenchmark {
  private final AtomicLong spills = new AtomicLong();

  /** {@code getLocalPathForWrite} of a spill. */
  @Benchmark
  public Path pathForWrite(LocalDirsState state) throws IOException {
    return state.place("attempt_1_spill_" + spills.incrementAndGet() + ".out");
  }

  /** The same by 8 threads at a time. */
  @Benchmark
  @Threads(8)
  public Path pathForWriteByEightThreads(LocalDirsState state) throws IOException {
    return state.place("attempt_1_spill_" + spills.incrementAndGet() + ".out");
  }

  /** {@code getLocalPathToRead} of a file in the slowest dir. */
  @Benchmark
  public Path pathToRead(LocalDirsState state) throws IOException {
    return state.find();
  }
}
