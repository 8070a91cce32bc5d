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
package io.temptier.bench.ceph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waits for what other processes do. */
final class Patience {
  private static final long POLL_MILLIS = 50;

  private Patience() {}

  /** Something to wait for. */
  interface Question {
    boolean holds() throws IOException;
  }

  /** Fails when it does not hold within two minutes. */
  static void await(String what, Question question) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (!question.holds()) {
      assertTrue(System.nanoTime() < deadline, () -> "waited in vain until " + what);
      Thread.sleep(POLL_MILLIS);
    }
  }
}
