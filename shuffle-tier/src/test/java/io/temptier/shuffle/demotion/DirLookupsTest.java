// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.demotion.move.DirLookups;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.thread.TimedCalls.LateException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DirLookupsTest {
  private final LocalDir dir = LocalDir.of(Path.of("/a"), Medium.DISK, LocalDir.NO_CAP, "");
  private final AtomicLong clockNanos = new AtomicLong();
  private final DirLookups patient = new DirLookups(Duration.ofMinutes(5), clockNanos::get);
  private final DirLookups impatient = new DirLookups(Duration.ofMillis(20), clockNanos::get);

  @Test
  void anErrorIsAnAnswer() throws Exception {
    Path missing = Path.of("/a/missing");
    assertThrows(NoSuchFileException.class, () -> patient.look(dir, () -> FileStamp.of(missing)));
    assertEquals(1, patient.look(dir, () -> 1));
  }

  @Test
  void oneThatHangsRestsBeforeItIsAskedAgain() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    assertThrows(
        LateException.class,
        () ->
            impatient.look(
                dir,
                () -> {
                  hangs.await();
                  return 0;
                }));
    hangs.countDown();
    AtomicInteger looks = new AtomicInteger();
    clockNanos.addAndGet(DirLookups.REST_NANOS - 1);
    assertThrows(LateException.class, () -> impatient.look(dir, looks::incrementAndGet));
    assertEquals(0, looks.get());
    LocalDir other = LocalDir.of(Path.of("/b"), Medium.DISK, LocalDir.NO_CAP, "");
    assertEquals(1, patient.look(other, () -> 1));
    Eventually.holds(
        "it is asked again",
        () -> {
          clockNanos.addAndGet(DirLookups.REST_NANOS);
          try {
            impatient.look(dir, looks::incrementAndGet);
          } catch (LateException e) {
            return false;
          }
          return looks.get() > 0;
        });
  }
}
