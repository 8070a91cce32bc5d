// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FillLimitsTest {
  private static final LocalDir FAST = Layouts.dir(Path.of("/nvme0"), Medium.NVME);
  private static final LocalDir SLOW = Layouts.dir(Path.of("/hdd0"), Medium.DISK);
  private static final TierState SLOW_TIER = tier(SLOW, 1_000_000, Reason.FULL);

  @Test
  void theLowerOfTwoLimitsHolds() {
    FillLimits limits =
        FillLimits.parse(" user:etl=30%, user:*=70.5%,kind:cached_block=50%,kind:OTHER=0%");
    assertEquals(0.3, limits.of(FileKind.SPILL, "etl"));
    assertEquals(0.3, limits.of(FileKind.CACHED_BLOCK, "etl"));
    assertEquals(0.5, limits.of(FileKind.CACHED_BLOCK, "ann"));
    assertEquals(0.705, limits.of(FileKind.SPILL, "ann"));
    assertEquals(0.5, limits.of(FileKind.CACHED_BLOCK, null));
    assertEquals(1, limits.of(FileKind.SPILL, null), "whose nobody knows");
    assertEquals(0, limits.of(FileKind.OTHER, "ann"));
    assertEquals(limits, FillLimits.parse(limits.toString()));
    assertEquals(FillLimits.NONE, FillLimits.parse(""));
    assertEquals(FillLimits.NONE, FillLimits.parse("user:*=100%"), "the default");
    assertEquals("", FillLimits.NONE.toString());
    assertEquals(1, FillLimits.parse("user:etl=30%").of(FileKind.SPILL, "ann"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etl=30%",
        "user:=30%",
        "user:etl",
        "user:etl=30",
        "user:etl=130%",
        "kind:BLOCKS=30%",
        "queue:root.etl=30%",
        "user:a=1%,user:a=2%",
        "user:a=1%,,"
      })
  void whatIsNoListIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> FillLimits.parse(text));
  }

  @Test
  void usersAreKnownByTheirFoldersOfYarn() {
    assertEquals("ann", FillLimits.userIn("output/x", "/nvme0/usercache/ann/appcache/a,/hdd0/x"));
    assertEquals("bob", FillLimits.userIn("usercache/bob/filecache", "/nvme0,/hdd0"));
    assertNull(FillLimits.userIn("nmPrivate/application_1_0001", "/nvme0"));
  }

  /** Of 1000 bytes 150 are the reserve: files limited to 60 % see 250 bytes less. */
  @ParameterizedTest
  @CsvSource({
    // free above the reserve, the limit, what decides
    "400, 1.0, NVME, FASTEST",
    "400, 0.6, NVME, FASTEST",
    "350, 0.6, DISK, LIMIT",
    "99, 0.6, DISK, FULL",
    "400, 0.9, NVME, FASTEST",
    "849, 0.0, DISK, LIMIT"
  })
  void aLimitedFileLeavesTheRestToOthers(long room, double limit, Medium medium, Reason reason) {
    Placement placement =
        FastFirst.choose(
                request(limit), TierStates.of(List.of(tier(FAST, room, Reason.FULL), SLOW_TIER)))
            .orElseThrow();
    assertEquals(medium, placement.dir().medium());
    assertEquals(reason, placement.reason());
  }

  @Test
  void ofACapTheReserveIsNoPart() {
    TierStates tiers = TierStates.of(List.of(tier(FAST, 500, Reason.CAP), SLOW_TIER));
    assertEquals(FAST, FastFirst.choose(request(0.61), tiers).orElseThrow().dir());
    Placement limited = FastFirst.choose(request(0.6), tiers).orElseThrow();
    assertEquals(SLOW, limited.dir());
    assertEquals(List.of(Placement.Refusal.of(Medium.NVME, Reason.LIMIT, 100)), limited.refusals());
  }

  /** Of 1000 bytes others have 400: up to half of 600 is for such a file; 150 are reserved. */
  @Test
  void ofADiskOnlyWhatOthersLeaveCounts() {
    TierStates tiers = TierStates.of(List.of(left(251), SLOW_TIER));
    assertEquals(FAST, FastFirst.choose(request(1).upTo(0.5), tiers).orElseThrow().dir());
    tiers = TierStates.of(List.of(left(250), SLOW_TIER));
    assertEquals(SLOW, FastFirst.choose(request(1).upTo(0.5), tiers).orElseThrow().dir());
    assertEquals(FAST, FastFirst.choose(request(1), tiers).orElseThrow().dir());
  }

  private static TierState left(long room) {
    DirState dir = DirState.of(FAST, room, Reason.FULL, 1000, 600, 0);
    return Layouts.tier(dir);
  }

  @Test
  void withoutASlowerTierThereIsNoLimit() {
    TierStates alone = TierStates.of(List.of(tier(FAST, 200, Reason.FULL)));
    assertEquals(FAST, FastFirst.choose(request(0), alone).orElseThrow().dir());
    TierState full = tier(SLOW, 50, Reason.FULL);
    assertTrue(
        FastFirst.choose(request(0), TierStates.of(List.of(tier(FAST, 200, Reason.FULL), full)))
            .isEmpty(),
        "the placer then goes by what stock would do");
  }

  private static PlacementRequest request(double limit) {
    return PlacementRequest.of("f", FileKind.CACHED_BLOCK, 100, true, null, 1)
        .of("ann", FillLimits.create(Map.of(FileKind.CACHED_BLOCK, limit), Map.of()));
  }

  private static TierState tier(LocalDir dir, long room, Reason bound) {
    return Layouts.tier(DirState.of(dir, room, bound, 1000, 1000, 0));
  }
}
