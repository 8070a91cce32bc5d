// SPDX-License-Identifier: Apache-2.0
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
