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
package io.temptier.shuffle;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what takes a while, by asking again and again. */
final class Eventually {
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  private Eventually() {}

  /** Fails when the condition does not come to hold in time; an exception of its fails at once. */
  static void holds(String what, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    try {
      while (!condition.call()) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("not within " + DEADLINE.toMinutes() + " minutes: " + what);
        }
        Thread.sleep(5);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("while waiting until " + what, e);
    }
  }
}
