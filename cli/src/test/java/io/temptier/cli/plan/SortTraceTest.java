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
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class SortTraceTest {
  @Test
  void isOneJobWhoseReducesTakeWhatItsMapsGive() {
    long bytes = 300L << 20;
    SortTrace trace = new SortTrace(bytes, 4);
    TraceJob job = trace.next();
    assertNotNull(job);
    assertNull(trace.next());
    assertEquals(3, job.maps().size());
    assertEquals(bytes, job.maps().stream().mapToLong(TraceJob.MapTask::outputBytes).sum());
    assertEquals(4, job.reduces().size());
    assertEquals(bytes, job.reduces().stream().mapToLong(TraceJob.ReduceTask::inputBytes).sum());
  }
}
