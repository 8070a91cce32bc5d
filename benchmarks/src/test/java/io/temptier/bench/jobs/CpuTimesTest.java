// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.NodeSampler.CpuTimes;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class CpuTimesTest {
  @Test
  void countsWhatWorkIs() throws IOException {
    CpuTimes before = CpuTimes.parse("cpu  100 10 50 1000 20 5 5 0 0 0");
    CpuTimes after = CpuTimes.parse("cpu  200 20 90 1200 70 10 10 0 0 0");
    CpuTimes done = after.since(before);
    assertEquals(new CpuTimes(110, 50, 200, 50), done);
    assertEquals(1.6, done.workSeconds(), 1e-9);
    assertEquals(160.0 / 410, done.workShare(), 1e-9);
    assertEquals(50.0 / 410, done.ioWaitShare(), 1e-9);
    assertEquals(0, done.since(done).workShare());
  }

  @Test
  void readsThisKernel() throws IOException {
    assertTrue(CpuTimes.now().workSeconds() > 0);
  }

  @Test
  void anotherLineIsRefused() {
    assertThrows(IOException.class, () -> CpuTimes.parse("cpu0 1 2 3 4 5 6 7"));
    assertThrows(IOException.class, () -> CpuTimes.parse("cpu 1 2"));
  }
}
