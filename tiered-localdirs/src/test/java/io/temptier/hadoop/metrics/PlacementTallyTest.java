// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTallyTest {
  private final PlacementTally tally = new PlacementTally();

  private static PlacementRequest request(String path, long bytes) {
    return PlacementRequest.of(path, FileKind.SPILL, bytes, true, "application_1_1", 0);
  }

  private static Placement placement(Medium medium, Reason reason, Placement.Refusal... refusals) {
    return Placement.of(Layouts.dir(Path.of("/" + medium), medium), reason, List.of(refusals));
  }

  @Test
  void countsWhatWasPlacedAndWhatWasWritten() {
    Placement nvme = placement(Medium.NVME, Reason.FASTEST);
    tally.placed(request("a", 100), nvme);
    tally.placed(request("b", 100), nvme);
    tally.settled(request("a", 100), nvme, 70);
    assertEquals(2, tally.get(TierCounter.FILES_PLACED, Medium.NVME));
    assertEquals(70, tally.get(TierCounter.BYTES_PLACED, Medium.NVME));
    assertEquals(0, tally.get(TierCounter.FILES_SPILLED_DOWN));
    assertEquals(0, tally.get(TierCounter.FILES_PLACED, Medium.DISK));
  }

  @Test
  void countsWhatSpilledDownAtEveryTierThatRefused() {
    Placement disk =
        placement(
            Medium.DISK,
            Reason.FULL,
            Placement.Refusal.of(Medium.NVME, Reason.FULL, 1),
            Placement.Refusal.of(Medium.SSD, Reason.LIMIT, 2));
    tally.placed(request("a", 100), disk);
    tally.settled(request("a", 100), disk, 90);
    assertEquals(1, tally.get(TierCounter.FILES_SPILLED_DOWN));
    assertEquals(90, tally.get(TierCounter.BYTES_SPILLED_DOWN));
    assertEquals(1, tally.get(TierCounter.FILES_SPILLED_HERE, Medium.DISK));
    assertEquals(90, tally.get(TierCounter.BYTES_SPILLED_HERE, Medium.DISK));
    assertEquals(1, tally.get(TierCounter.FILES_REFUSED_FULL, Medium.NVME));
    assertEquals(1, tally.get(TierCounter.FILES_REFUSED_LIMIT, Medium.SSD));
    assertEquals(0, tally.get(TierCounter.FILES_REFUSED_FULL, Medium.DISK));
  }

  @Test
  void countsFilesInTheReserveAndErrorsOfDirs() {
    tally.placed(request("a", 1), placement(Medium.DISK, Reason.OVER_RESERVE));
    tally.dirFailed(placement(Medium.SSD, Reason.FASTEST).dir(), "I/O error");
    assertEquals(1, tally.get(TierCounter.FILES_OVER_RESERVE, Medium.DISK));
    assertEquals(1, tally.get(TierCounter.DIR_ERRORS, Medium.SSD));
  }

  @Test
  void everyReasonOfARefusalIsCounted() {
    for (Reason reason : Reason.values()) {
      boolean placesOnly = reason == Reason.FASTEST || reason == Reason.OVER_RESERVE;
      assertEquals(!placesOnly, TierCounter.refusedFor(reason).isPresent(), reason.name());
    }
  }
}
