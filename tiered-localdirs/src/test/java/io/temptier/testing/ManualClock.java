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
package io.temptier.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that tests turn: wall time, which can also be set, and nanoseconds, which only go on.
 * Starts at the real time, since file systems stamp with it. Safe for use by many threads.
 */
public final class ManualClock {
  private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());

  /** Wall-clock milliseconds. */
  public long millis() {
    return millis.get();
  }

  /** Nanoseconds since some time. */
  public long nanos() {
    return nanos.get();
  }

  /** Lets time pass on both. */
  public void advance(Duration time) {
    millis.addAndGet(time.toMillis());
    nanos.addAndGet(time.toNanos());
  }

  /** Sets the wall clock forward, or back by a negative duration, while no time passes. */
  public void step(Duration by) {
    millis.addAndGet(by.toMillis());
  }
}
