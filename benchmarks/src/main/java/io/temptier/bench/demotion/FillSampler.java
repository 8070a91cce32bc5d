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
package io.temptier.bench.demotion;

import io.temptier.bench.cluster.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Watches how many bytes lie below a folder. Safe for use by many threads. */
final class FillSampler implements AutoCloseable {
  private static final long PERIOD_MILLIS = 500;

  private final Path dir;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "fill sampler");
            made.setDaemon(true);
            return made;
          });
  private volatile long peakBytes;

  /** Begins to watch {@code dir}. */
  FillSampler(Path dir) {
    this.dir = dir;
    var unused =
        thread.scheduleWithFixedDelay(this::sample, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The most seen so far. */
  long peakBytes() {
    return peakBytes;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void sample() {
    try {
      peakBytes = Math.max(peakBytes, Folders.bytes(dir));
    } catch (IOException e) {
      // The next sample may tell.
      return;
    }
  }
}
