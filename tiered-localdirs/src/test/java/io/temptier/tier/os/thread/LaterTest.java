// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os.thread;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class LaterTest {
  @Test
  void aTaskRunsAfterItsPause() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    long began = System.nanoTime();
    Later.run(Duration.ofMillis(50), ran::countDown);
    assertTrue(ran.await(5, TimeUnit.MINUTES));
    assertTrue(System.nanoTime() - began >= Duration.ofMillis(50).toNanos());
  }

  @Test
  void whatIsNotDoneInTimeFails() {
    CompletableFuture<String> never = new CompletableFuture<>();
    assertSame(never, Later.orTimeout(never, Duration.ofMillis(10)));
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> never.get(5, TimeUnit.MINUTES));
    assertInstanceOf(TimeoutException.class, failed.getCause());
  }
}
