// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Programs;
import io.temptier.testing.FaultyDisk;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.room.DirGauge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job that was killed had claimed, to whoever asks next. */
class KilledClaimsTest {
  private static final long TOTAL = 100L << 20;
  private static final long FILE_BYTES = 200_000;

  @TempDir Path temp;
  private final FaultyDisk disk = new FaultyDisk();

  /** Claims all of a dir and says so; lives until it is killed. */
  public static final class Job {
    public static void main(String[] args) throws IOException {
      Claims claims =
          new Claims(Layouts.claimsOf(Path.of(args[0])), System::currentTimeMillis);
      System.out.println(claims.claim(TOTAL, null).isPresent());
      System.in.read();
    }
  }

  @Test
  void whatIsAskedRightAfterAJobWasKilledFindsTheFastTierFree() throws Exception {
    LocalDir fast = Layouts.dir(Layouts.root(temp.resolve("fast")), Medium.NVME);
    LocalDir slow = Layouts.dir(Layouts.root(temp.resolve("slow")), Medium.DISK);
    AtomicLong later = new AtomicLong();
    disk.set(fast.path(), TOTAL, TOTAL);
    disk.set(slow.path(), 100 * TOTAL, 100 * TOTAL);
    Process job = Programs.start(Programs.java(Job.class, fast.path()));
    try (Placer placer =
        new Placer(
            Layouts.tiers(Reserve.ofBytes(0), Layouts.SETTINGS, fast, slow),
            new PlacementListener() {},
            disk,
            // Its lease runs all the time, however long this takes.
            frozen(System.currentTimeMillis()),
            () -> System.nanoTime() + later.get())) {
      assertEquals("true", job.inputReader().readLine());
      assertEquals(slow, place(placer, "before"));
      assertTrue(job.destroyForcibly().waitFor() != 0);
      later.set(DirGauge.MOMENT.toNanos());
      for (int i = 0; i < 200; i++) {
        assertEquals(fast, place(placer, "after" + i));
      }
    } finally {
      job.destroyForcibly();
    }
  }

  private static LongSupplier frozen(long millis) {
    return () -> millis;
  }

  private LocalDir place(Placer placer, String path) {
    return placer
        .place(placer.request(path, FILE_BYTES, null), dir -> disk.make(dir.path(), path))
        .orElseThrow()
        .placement()
        .dir();
  }
}
