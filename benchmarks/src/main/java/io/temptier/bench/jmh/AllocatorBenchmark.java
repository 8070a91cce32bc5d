/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
