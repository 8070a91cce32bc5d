// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FastFirstTest {

  @Test
  void aFileLargerThanWhatIsLeftGoesDownWholeAndSaysWhy() {
    TierStates tiers = TierStates.of(List.of(tier(Medium.NVME, 40, 100), tier(Medium.DISK, 1000)));
    Placement placement = FastFirst.choose(request(101, 1), tiers).orElseThrow();
    assertEquals(Medium.DISK, placement.dir().medium());
    assertEquals(Reason.FULL, placement.reason());
    assertEquals(
        List.of(Placement.Refusal.of(Medium.NVME, Reason.FULL, 100)), placement.refusals());
    assertEquals(
        "DISK: NVME refused: no dir has room above the reserve and the claims of others (100 B"
            + " left)",
        placement.toString());
  }

  @Test
  void equalDirsShareFilesWhateverTheirPattern() {
    TierState tier = tier(Medium.NVME, 1000, 750, 501, 499, 10);
    for (int stride = 1; stride <= 8; stride++) {
      Map<Path, Integer> files = new HashMap<>();
      int n = 3000;
      for (long i = 0; i < n; i++) {
        files.merge(chosen(request(5, i * stride - n), tier).path(), 1, Integer::sum);
        assertEquals(
            dir(Medium.NVME, 0), chosen(request(760, i), tier), "the only one that holds it");
      }
      assertEquals(3, files.size(), "only dirs with half of the emptiest one's room: " + files);
      for (int share : files.values()) {
        assertTrue(share > n / 3 * 8 / 10 && share < n / 3 * 12 / 10, stride + ": " + files);
      }
    }
  }

  @Test
  void writersDoNotMeetOnADiskWhileAnotherIsIdle() {
    TierState tier =
        Layouts.tier(disk(0, 1000, 300), disk(1, 800, 20), disk(2, 600, 20), disk(3, 400, 0));
    Map<Path, Integer> files = new HashMap<>();
    for (long ticket = 0; ticket < 1000; ticket++) {
      files.merge(chosen(request(5, ticket), tier).path(), 1, Integer::sum);
    }
    assertEquals(Set.of(dir(Medium.DISK, 1).path(), dir(Medium.DISK, 2).path()), files.keySet());
    assertTrue(files.values().stream().allMatch(share -> share > 400), files::toString);
    // The least busy one of those that hold it.
    assertEquals(dir(Medium.DISK, 1), chosen(request(700, 1), tier));
    assertEquals(dir(Medium.DISK, 0), chosen(request(900, 1), tier));
  }

  @Test
  void aFileLeavesAHomeThatHasMoreToDoThanTheFileIsLarge() {
    TierState tier = Layouts.tier(disk(0, 1000, 150), disk(1, 1000, 50));
    LocalDir home = dir(Medium.DISK, 0);
    assertEquals(home, chosen(request(100, 1).at(home), tier));
    assertNotEquals(home, chosen(request(99, 1).at(home), tier));
  }

  @Test
  void aFileStaysAtHomeWhileItsTierIsTheOneAndItsDirHasRoom() {
    TierState nvme = tier(Medium.NVME, 100, 90, 20);
    for (int home : new int[] {0, 1}) {
      assertEquals(dir(Medium.NVME, home), chosen(request(10, 1).at(dir(Medium.NVME, home)), nvme));
    }
    // Next to nothing is left there, or on the tier.
    assertNotEquals(dir(Medium.NVME, 2), chosen(request(10, 1).at(dir(Medium.NVME, 2)), nvme));
    PlacementRequest atDisk = request(10, 1).at(dir(Medium.DISK, 0));
    assertEquals(
        dir(Medium.NVME, 0), chosen(atDisk, tier(Medium.NVME, 100), tier(Medium.DISK, 1000)));
  }

  private LocalDir chosen(PlacementRequest request, TierState... tiers) {
    return FastFirst.choose(request, TierStates.of(List.of(tiers))).orElseThrow().dir();
  }

  private static PlacementRequest request(long bytes, long ticket) {
    return PlacementRequest.of("spill0.out", FileKind.SPILL, bytes, true, null, ticket);
  }

  private static TierState tier(Medium medium, long... headroom) {
    return Layouts.tier(
        IntStream.range(0, headroom.length)
            .mapToObj(i -> DirState.of(dir(medium, i), headroom[i], Reason.FULL))
            .toArray(DirState[]::new));
  }

  private static DirState disk(int number, long headroomBytes, long busyBytes) {
    return DirState.of(dir(Medium.DISK, number), headroomBytes, Reason.FULL, 0, 0, busyBytes);
  }

  private static LocalDir dir(Medium medium, int number) {
    return Layouts.dir(Path.of("/" + medium + number), medium);
  }

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
                limited(limit), TierStates.of(List.of(tier(FAST, room, Reason.FULL), SLOW_TIER)))
            .orElseThrow();
    assertEquals(medium, placement.dir().medium());
    assertEquals(reason, placement.reason());
  }

  @Test
  void ofACapTheReserveIsNoPart() {
    TierStates tiers = TierStates.of(List.of(tier(FAST, 500, Reason.CAP), SLOW_TIER));
    assertEquals(FAST, FastFirst.choose(limited(0.61), tiers).orElseThrow().dir());
    Placement limited = FastFirst.choose(limited(0.6), tiers).orElseThrow();
    assertEquals(SLOW, limited.dir());
    assertEquals(List.of(Placement.Refusal.of(Medium.NVME, Reason.LIMIT, 100)), limited.refusals());
  }

  /** Of 1000 bytes others have 400: up to half of 600 is for such a file; 150 are reserved. */
  @Test
  void ofADiskOnlyWhatOthersLeaveCounts() {
    assertEquals(FAST, chosen(limited(1).upTo(0.5), left(251), SLOW_TIER));
    assertEquals(SLOW, chosen(limited(1).upTo(0.5), left(250), SLOW_TIER));
    assertEquals(FAST, chosen(limited(1), left(250), SLOW_TIER));
  }

  private static TierState left(long room) {
    return Layouts.tier(DirState.of(FAST, room, Reason.FULL, 1000, 600, 0));
  }

  @Test
  void withoutASlowerTierThereIsNoLimit() {
    assertEquals(FAST, chosen(limited(0), tier(FAST, 200, Reason.FULL)));
    TierState full = tier(SLOW, 50, Reason.FULL);
    assertTrue(
        FastFirst.choose(limited(0), TierStates.of(List.of(tier(FAST, 200, Reason.FULL), full)))
            .isEmpty(),
        "the placer then goes by what stock would do");
  }

  private static PlacementRequest limited(double limit) {
    return PlacementRequest.of("f", FileKind.CACHED_BLOCK, 100, true, null, 1)
        .of("ann", FillLimits.create(Map.of(FileKind.CACHED_BLOCK, limit), Map.of()));
  }

  private static TierState tier(LocalDir dir, long room, Reason bound) {
    return Layouts.tier(DirState.of(dir, room, bound, 1000, 1000, 0));
  }

  static LongStream seeds() {
    return new Random().longs(20);
  }

  /** What must hold on random nodes; a failure names its seed. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theChosenDirHoldsTheFileAndNoFasterTierWould(long seed) {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      List<TierState> tiers = randomStates(random);
      TierStates states = TierStates.of(tiers);
      long bytes = randomBytes(random);
      PlacementRequest request =
          PlacementRequest.of("f", FileKind.OTHER, bytes, true, null, random.nextLong());
      Optional<Placement> choice = FastFirst.choose(request, states);
      assertEquals(choice, FastFirst.choose(request, states), "the same ticket is the same choice");
      TierState expected = null;
      int slower = 0;
      for (TierState tier : tiers) {
        boolean holds = tier.dirs().stream().anyMatch(dir -> dir.headroomBytes() > bytes);
        if (holds) {
          expected = tier;
          break;
        }
        slower++;
      }
      if (expected == null) {
        assertEquals(Optional.empty(), choice);
        continue;
      }
      Placement placement = choice.orElseThrow();
      assertEquals(expected.tier().medium(), placement.dir().medium());
      assertEquals(slower, placement.refusals().size());
      assertEquals(slower > 0, placement.spilledDown());
      assertEquals(slower == 0, placement.reason() == Reason.FASTEST);
      DirState dir =
          expected.dirs().stream()
              .filter(state -> state.dir().equals(placement.dir()))
              .findFirst()
              .orElseThrow();
      assertTrue(dir.headroomBytes() > bytes, "seed " + seed + ": " + dir + " for " + bytes);
    }
  }

  private static List<TierState> randomStates(Random random) {
    List<TierState> tiers = new ArrayList<>();
    int most = 1 + random.nextInt(5);
    for (Medium medium : List.of(Medium.values()).subList(0, most)) {
      DirState[] dirs = new DirState[1 + random.nextInt(4)];
      for (int j = 0; j < dirs.length; j++) {
        long headroom =
            switch (random.nextInt(6)) {
              case 0 -> Long.MIN_VALUE;
              case 1 -> -randomBytes(random);
              case 2 -> 0;
              default -> randomBytes(random);
            };
        LocalDir dir = Layouts.dir(Path.of("/" + medium + j), medium);
        dirs[j] = DirState.of(dir, headroom, Reason.FULL);
      }
      tiers.add(Layouts.tier(dirs));
    }
    return tiers;
  }

  /** Of every order of magnitude. */
  private static long randomBytes(Random random) {
    return random.nextLong() >>> (1 + random.nextInt(62));
  }
}
