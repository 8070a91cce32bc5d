// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.workload.BesideGiant.BackgroundJob;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class BackgroundJobTest {
  private final CountDownLatch heard = new CountDownLatch(1);
  private final CountDownLatch atWork = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void itIsAtWorkOnceAMapIs() throws Exception {
    BackgroundJob job =
        BackgroundJob.start(
            output -> {
              output.accept("INFO mapreduce.Job:  map 0% reduce 0%");
              heard.countDown();
              atWork.await();
              output.accept("INFO mapreduce.Job:  map 7% reduce 0%");
              end.await();
              return TrialsOf.job("SUCCEEDED", 8, 0, Map.of(), List.of());
            });
    heard.await();
    assertEquals(1, job.begun().getCount());
    atWork.countDown();
    job.begun().await();
    assertTrue(job.running());
    end.countDown();
    assertEquals("SUCCEEDED", job.result().state());
    assertFalse(job.running());
  }

  @Test
  void oneThatFailsIsNotWaitedFor() throws Exception {
    BackgroundJob job =
        BackgroundJob.start(
            output -> {
              throw new IOException("no cluster");
            });
    job.begun().await();
    IOException failure = assertThrows(IOException.class, job::result);
    assertTrue(String.valueOf(failure.getMessage()).contains("no cluster"), failure.getMessage());
  }
}
