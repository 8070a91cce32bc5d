// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.tier.DirHealth;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.room.DirView;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is counted of placements on a node and in a task's job counters, and gauges of dirs. */
class TierCountersTest {
  private final PlacementTally tally = new PlacementTally();
  private final TaskCounters counters = new TaskCounters();

  private static PlacementRequest request(String path, long bytes) {
    return request(path, bytes, true);
  }

  private static PlacementRequest request(String path, long bytes, boolean known) {
    return PlacementRequest.of(path, FileKind.SPILL, bytes, known, "application_1_1", 0);
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

  @ParameterizedTest
  @EnumSource
  void eachMediumIsCountedByItself(Medium medium) {
    String scheme = "temptier-" + medium.name().toLowerCase(Locale.ROOT).replace('_', '-');
    assertFalse(scheme.contains("_"), "job counters split their names there");
    Counted before = counted(scheme);
    counters.placed(request("f", 7, true), placement(medium, Reason.FASTEST));
    counters.settled(request("f", 7, true), placement(medium, Reason.FASTEST), 9);
    assertEquals(new Counted(before.files + 1, before.bytes + 7), counted(scheme));
  }

  @Test
  void anUnknownSizeIsCountedWhenTheFileIsComplete() {
    Counted before = counted("temptier-nvme");
    counters.placed(request("f", 64, false), placement(Medium.NVME, Reason.FASTEST));
    assertEquals(new Counted(before.files + 1, before.bytes), counted("temptier-nvme"));
    counters.settled(request("f", 64, false), placement(Medium.NVME, Reason.FASTEST), 9);
    assertEquals(new Counted(before.files + 1, before.bytes + 9), counted("temptier-nvme"));
  }

  @Test
  void whatAFasterTierRefusedIsCountedTwice() {
    Counted down = counted("temptier-spilled-down");
    Counted disk = counted("temptier-disk");
    counters.placed(
        request("f", 5, true),
        placement(
            Medium.DISK, Reason.FASTEST, Placement.Refusal.of(Medium.NVME, Reason.SET_ASIDE, 0)));
    assertEquals(new Counted(down.files + 1, down.bytes + 5), counted("temptier-spilled-down"));
    assertEquals(new Counted(disk.files + 1, disk.bytes + 5), counted("temptier-disk"));
  }

  private record Counted(int files, long bytes) {}

  private static Counted counted(String scheme) {
    return FileSystem.getAllStatistics().stream()
        .filter(statistics -> statistics.getScheme().equals(scheme))
        .map(found -> new Counted(found.getWriteOps(), found.getBytesWritten()))
        .findFirst()
        .orElse(new Counted(0, 0));
  }

  private static final Map<LocalDir, DirHealth> UNKNOWN = Map.of();

  private static LocalDir dir(String path, long cap) {
    return LocalDir.of(Path.of(path), Medium.NVME, cap, "tag");
  }

  private static DirView view(LocalDir dir, long total, long free, long claimed) {
    return view(dir, total, free, claimed, free - total / 10 - claimed);
  }

  private static DirView view(LocalDir dir, long total, long free, long claimed, long headroom) {
    return DirView.of(
        dir,
        Capacity.of(total, free, 0, 0),
        total / 10,
        Outstanding.of(claimed, 2, 1),
        headroom,
        total == 1000,
        0);
  }

  @Test
  void whatDirsOfOneDeviceShareCountsOnce() {
    LocalDir a = dir("/a", LocalDir.NO_CAP);
    LocalDir b = dir("/b", LocalDir.NO_CAP);
    LocalDir c = dir("/c", LocalDir.NO_CAP);
    LocalDir missing = dir("/missing", LocalDir.NO_CAP);
    LocalDir otherTier = LocalDir.of(Path.of("/x"), Medium.DISK, LocalDir.NO_CAP, "tag");
    Tier tier = Tier.of(Medium.NVME, List.of(a, b, c, missing), Reserve.DEFAULT);
    Map<LocalDir, DirHealth> health =
        Map.of(a, DirHealth.SOUND, b, DirHealth.SOUND, c, DirHealth.SLOW, missing, DirHealth.HUNG);
    TierGauges gauges =
        TierGauges.of(
            tier,
            List.of(
                List.of(view(a, 1000, 600, 30), view(b, 1000, 600, 20), view(otherTier, 9, 9, 9)),
                List.of(view(c, 5000, 4000, 1)),
                List.of()),
            health::get);
    assertEquals(4, gauges.value(TierCounter.DIRS));
    assertEquals(1, gauges.value(TierCounter.DIRS_FAILED));
    assertEquals(1, gauges.value(TierCounter.DIRS_SLOW));
    assertEquals(1, gauges.value(TierCounter.DIRS_HUNG));
    assertEquals(2, gauges.value(TierCounter.DIRS_DRAINING));
    assertEquals(6000, gauges.value(TierCounter.CAPACITY_BYTES));
    assertEquals(4600, gauges.value(TierCounter.FREE_BYTES));
    assertEquals(600, gauges.value(TierCounter.RESERVE_BYTES));
    assertEquals(51, gauges.value(TierCounter.CLAIMED_BYTES));
    assertEquals(6, gauges.value(TierCounter.CLAIMS));
    assertEquals(3, gauges.value(TierCounter.CLAIMS_IGNORED));
    assertEquals(480 + 3499, gauges.value(TierCounter.HEADROOM_BYTES));
  }

  @Test
  void capsBoundTheSize() {
    LocalDir a = dir("/a", 100);
    LocalDir b = dir("/b", 200);
    Tier tier = Tier.of(Medium.NVME, List.of(a, b), Reserve.DEFAULT);
    TierGauges gauges =
        TierGauges.of(
            tier, List.of(List.of(view(a, 1000, 600, 0), view(b, 1000, 600, 0))), UNKNOWN::get);
    assertEquals(300, gauges.value(TierCounter.CAPACITY_BYTES));
  }

  /** Beside a cap of 200 neither 600 free bytes nor their reserve make sense. */
  @Test
  void whatIsFreeAndReservedOfACapIsWithinTheCap() {
    LocalDir capped = dir("/a", 200);
    Tier tier = Tier.of(Medium.NVME, List.of(capped), Reserve.DEFAULT);
    DirView boundByCap = view(capped, 1000, 600, 30, 120);
    DirView boundByReserve = view(capped, 1000, 150, 30, 20);
    for (DirView view : List.of(boundByCap, boundByReserve)) {
      TierGauges gauges = TierGauges.of(tier, List.of(List.of(view)), UNKNOWN::get);
      long free = view.headroomBytes() + 30;
      assertEquals(200, gauges.value(TierCounter.CAPACITY_BYTES));
      assertEquals(free, gauges.value(TierCounter.FREE_BYTES));
      assertEquals(0, gauges.value(TierCounter.RESERVE_BYTES));
      assertEquals(free, TierGauges.of(view).value(TierCounter.FREE_BYTES));
      assertEquals(0, TierGauges.of(view).value(TierCounter.RESERVE_BYTES));
    }
  }
}
