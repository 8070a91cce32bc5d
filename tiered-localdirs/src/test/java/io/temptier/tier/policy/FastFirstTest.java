// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
}
