// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.DiskBed;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FillGaugeTest extends DiskBed {
  private Path root;

  @BeforeEach
  void halfFull() throws IOException {
    root = dir("fast", Medium.NVME, 10 * GB, 5 * GB).path();
  }

  @Test
  void whatIsPromisedCountsAsWrittenAndOnce() throws IOException {
    FillGauge gauge = gauge(LocalDir.NO_CAP);
    assertEquals(0.5, gauge.read().fraction(), 1e-9);
    Path claim = claim(2 * GB, 1);
    FillGauge.Fill fill = gauge.read();
    assertEquals(0.7, fill.fraction(), 1e-9);
    assertEquals(GB, fill.bytesAbove(0.6));
    assertFalse(fill.spilling(), "3 GB are left, 1 GB is kept");
    Layouts.sparse(claim, GB);
    disk.set(root, 10 * GB, 4 * GB);
    assertEquals(0.7, gauge.read().fraction(), 1e-9, "half of it is written");
    claim(2 * GB, 2);
    assertTrue(gauge.read().spilling(), "1 GB is left");
  }

  @Test
  void aCapIsFilledByPromisesToo() throws IOException {
    FillGauge gauge = gauge(GB);
    claim(GB / 2, 1);
    FillGauge.Fill fill = gauge.read();
    assertEquals(0.55, fill.fraction(), 1e-9, "of the file system, as the cap is filled by less");
    claim(GB / 2, 2);
    fill = gauge.read();
    assertTrue(fill.fraction() >= 1, "all of the cap is promised");
    assertTrue(fill.spilling(), "the cap is promised");
    assertTrue(fill.capBytesAbove(0.8) >= GB / 5, "the same");
  }

  @Test
  void aFolderTooFullToReadPromisesNothing() throws IOException {
    FillGauge gauge = gauge(LocalDir.NO_CAP);
    for (int i = 0; i <= Claims.MAX_ENTRIES; i++) {
      claim(1, i);
    }
    assertEquals(0.5, gauge.read().fraction(), 1e-9);
  }

  private FillGauge gauge(long cap) {
    NodeTiers tiers =
        Layouts.tiers(Reserve.ofBytes(GB), Layouts.SETTINGS, Layouts.dir(root, Medium.NVME, cap));
    Tier tier = tiers.layout().tiers().get(0);
    return new FillGauge(tier.dirs().get(0), tier, tiers.settings(), disk);
  }

  /** A claim of a process that cannot be seen, renewed just now. */
  private Path claim(long bytes, int sequence) throws IOException {
    return Layouts.ledger(Layouts.claimsOf(root), "999999999-1-0-none-" + sequence, bytes);
  }
}
