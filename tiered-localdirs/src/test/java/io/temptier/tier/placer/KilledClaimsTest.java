// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.room.DirGauge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a job that was killed had claimed, to whoever asks next. */
class KilledClaimsTest extends PlacerBed {
  private static final long TOTAL = 100 * MB;
  private static final long FILE_BYTES = 200_000;

  /** Claims all of a dir and says so; lives until it is killed. */
  public static final class Job {
    public static void main(String[] args) throws IOException {
      Claims claims = new Claims(Layouts.claimsOf(Path.of(args[0])), System::currentTimeMillis);
      System.out.println(claims.claim(TOTAL).isPresent());
      System.in.read();
    }
  }

  @Test
  void whatIsAskedRightAfterAJobWasKilledFindsTheFastTierFree() throws Exception {
    LocalDir fast = dir("fast", Medium.NVME, TOTAL, TOTAL);
    LocalDir slow = dir("slow", Medium.DISK, 100 * TOTAL, 100 * TOTAL);
    Placer placer = placer(Layouts.tiers(Reserve.ofBytes(0), Layouts.SETTINGS, fast, slow));
    Process job = Programs.start(Programs.java(Job.class, fast.path()));
    try {
      assertEquals("true", job.inputReader().readLine());
      // Its lease runs all the time from here on, however long this takes.
      clock.step(Duration.ofMillis(System.currentTimeMillis() - clock.millis()));
      assertEquals(slow, place(placer, "before"));
      assertTrue(job.destroyForcibly().waitFor() != 0);
      clock.advance(DirGauge.MOMENT);
      for (int i = 0; i < 200; i++) {
        assertEquals(fast, place(placer, "after" + i));
      }
    } finally {
      job.destroyForcibly();
    }
  }

  private LocalDir place(Placer placer, String path) {
    return placed(placer, path, FILE_BYTES).placement().dir();
  }
}
