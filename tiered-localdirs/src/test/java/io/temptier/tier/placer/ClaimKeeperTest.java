// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.DiskBed;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.room.CapUsage;
import io.temptier.tier.room.DirGauge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Turns the keeper by hand; its own thread, once a second, must not make a difference. */
@ExtendWith(LeakCheck.class)
class ClaimKeeperTest extends DiskBed {
  private final List<Long> settled = new ArrayList<>();
  private final ClaimKeeper keeper =
      new ClaimKeeper(
          Layouts.SETTINGS,
          clock::millis,
          clock::nanos,
          new PlacementListener() {
            @Override
            public void settled(PlacementRequest request, Placement placement, long bytes) {
              settled.add(bytes);
            }
          });
  private DirGauge gauge;

  @BeforeEach
  void makeRoot() throws IOException {
    gauge = gauge(LocalDir.NO_CAP);
  }

  @AfterEach
  void close() {
    keeper.close(List.of(gauge));
  }

  @Test
  void aClaimShrinksAsItsFileGrows() throws IOException {
    Path file = track("spill0.out", 10 * MB, true);
    assertEquals(10 * MB, claimed());
    Layouts.sparse(file, 3 * MB);
    keeper.tick(gauge);
    assertEquals(7 * MB, claimed());
    Layouts.sparse(file, 20 * MB);
    keeper.tick(gauge);
    assertEquals(0, claimed(), "a file may pass its estimate; more than that is not claimed");
    keeper.settle(file, -1);
    assertEquals(List.of(20 * MB), settled);
    assertEquals(0, keeper.size());
  }

  @Test
  void settlingReleasesAndTellsOnce() throws IOException {
    Path file = track("a", 10 * MB, true);
    Layouts.sparse(file, MB);
    keeper.settle(file, -1);
    keeper.settle(file, -1);
    keeper.settleAll(null);
    assertEquals(List.of(MB), settled);
    assertEquals(0, claimed());
  }

  @Test
  void aClaimEndsWhenItsFileStopsGrowing() throws IOException {
    Path file = track("a", 10 * MB, true);
    for (long length = MB; length <= 3 * MB; length += MB) {
      Layouts.sparse(file, length);
      keeper.tick(gauge);
      tickAfter(Duration.ofSeconds(29));
      assertEquals(10 * MB - length, claimed());
    }
    tickAfter(Duration.ofSeconds(1));
    assertEquals(0, claimed());
    assertEquals(List.of(3 * MB), settled);
  }

  @Test
  void aFileThatIsNeverWrittenKeepsItsClaimForTheIdleTime() {
    track("a", 10 * MB, true);
    tickAfter(Duration.ofSeconds(29));
    assertEquals(10 * MB, claimed());
    tickAfter(Duration.ofSeconds(1));
    assertEquals(0, claimed());
    assertEquals(List.of(0L), settled);
  }

  @Test
  void aClaimEndsWhenItsFileIsGone() throws IOException {
    Path file = track("a", 10 * MB, true);
    Layouts.sparse(file, MB);
    keeper.tick(gauge);
    Files.delete(file);
    keeper.tick(gauge);
    assertEquals(0, claimed());
    assertEquals(List.of(MB), settled, "what it had");
  }

  @Test
  void aFileOfUnknownSizeAsksForAsMuchAgain() throws IOException {
    Path file = track("a", 10 * MB, false);
    Layouts.sparse(file, 10 * MB);
    keeper.tick(gauge);
    assertEquals(10 * MB, claimed());
    Layouts.sparse(file, 25 * MB);
    keeper.tick(gauge);
    keeper.tick(gauge);
    keeper.tick(gauge);
    assertEquals(5 * MB, claimed());
    assertEquals(1, promised(gauge.dir()).count());
    keeper.settle(file, -1);
    assertEquals(0, claimed());
  }

  @Test
  void leasesAreRenewed() throws IOException {
    track("a", 10 * MB, true);
    Path claim = claimFile();
    Files.setLastModifiedTime(claim, FileTime.fromMillis(0));
    tickAfter(Duration.ofSeconds(1));
    assertEquals(clock.millis() / 1000, Files.getLastModifiedTime(claim).toMillis() / 1000);
    Files.delete(claim);
    keeper.tick(gauge);
    assertTrue(Files.exists(claimFile()), "made again");
  }

  @Test
  void writersAddSuffixes() throws IOException {
    Path merged = track("map_1.out", 10 * MB, true);
    Layouts.sparse(merged.resolveSibling("map_1.out.merged"), 2 * MB);
    Layouts.sparse(merged.resolveSibling("map_1.out.index"), 5 * MB);
    Layouts.sparse(merged.resolveSibling("map_1.outside"), 5 * MB);
    keeper.tick(gauge);
    assertEquals(8 * MB, claimed());
    keeper.settle(merged.resolveSibling("map_1.out.merged"), -1);
    Path fetched = track("map_2.out", 10 * MB, true);
    Layouts.sparse(fetched.resolveSibling("map_2.out17"), 3 * MB);
    keeper.tick(gauge);
    assertEquals(7 * MB, claimed());
    keeper.settle(fetched.resolveSibling("map_2.out17"), -1);
    Path mergedOfFetched = track("map_3.out5", 10 * MB, true);
    keeper.settle(mergedOfFetched.resolveSibling("map_3.out5.merged"), -1);
    assertEquals(List.of(2 * MB, 3 * MB, 0L), settled);
    assertEquals(0, claimed());
  }

  @Test
  void whatIsNoFileOfOursSettlesNothing() {
    track("a", 10 * MB, true);
    keeper.settle(Path.of("/"), -1);
    keeper.settle(temp.resolve("b"), -1);
    keeper.settleAll(temp.resolve("elsewhere"));
    assertEquals(10 * MB, claimed());
    keeper.settleAll(gauge.dir().path());
    assertEquals(0, claimed());
  }

  @Test
  void aFilePlacedAnewEndsTheOldOne() throws IOException {
    Layouts.sparse(track("a", 10 * MB, true), MB);
    keeper.tick(gauge);
    track("a", 4 * MB, true);
    assertEquals(List.of(MB), settled);
    assertEquals(4 * MB, claimed());
  }

  @Test
  void onACappedDirAClaimStandsUntilEveryWalkHasSeenTheFile() throws IOException {
    gauge = gauge(100 * MB);
    Path file = track("a", 10 * MB, true);
    Layouts.sparse(file, 4 * MB);
    keeper.tick(gauge);
    assertEquals(10 * MB, claimed(), "no walk has seen it");
    tickAfter(Duration.ofMillis(CapUsage.WALK_AGE_MILLIS));
    tickAfter(Duration.ofMillis(CapUsage.WALK_AGE_MILLIS));
    assertEquals(6 * MB, claimed());
    Layouts.sparse(file, 5 * MB);
    keeper.settle(file, -1);
    assertEquals(List.of(5 * MB), settled, "told at once");
    assertEquals(6 * MB, claimed(), "but counted until it is walked");
    assertEquals(90 * MB, gauge.state(true).headroomBytes(), "4 MB walked, 6 MB claimed");
    keeper.tick(gauge);
    assertEquals(6 * MB, claimed());
    clock.step(Duration.ofHours(-1));
    keeper.tick(gauge);
    tickAfter(Duration.ofMillis(CapUsage.WALK_AGE_MILLIS - 1));
    assertEquals(6 * MB, claimed(), "time by walks begins anew when the clock was set back");
    tickAfter(Duration.ofMillis(1));
    assertEquals(0, claimed());
    assertEquals(0, keeper.size());
    assertEquals(95 * MB, gauge.state(true).headroomBytes());
  }

  private void tickAfter(Duration time) {
    clock.advance(time);
    keeper.tick(gauge);
  }

  private DirGauge gauge(long cap) throws IOException {
    Path root = dir("root", Medium.NVME, 100 * GB, 50 * GB).path();
    Claims claims = Layouts.claims(Layouts.claimsOf(root), Path.of("/proc"), clock);
    return Layouts.gauge(
        Layouts.dir(root, Medium.NVME, cap), Reserve.ofBytes(0), disk, claims, clock);
  }

  private Path track(String name, long bytes, boolean known) {
    PlacementRequest request = PlacementRequest.of(name, FileKind.of(name), bytes, known, null, 1);
    Path file = gauge.dir().path().resolve(name);
    Claim claim = gauge.claims().claim(bytes).orElseThrow();
    keeper.track(file, request, Placement.of(gauge.dir(), Reason.FASTEST, List.of()), gauge, claim);
    return file;
  }

  private Path claimFile() {
    Path folder = Layouts.claimsOf(gauge.dir().path());
    String[] names = folder.toFile().list();
    return folder.resolve(names == null ? "" : names[0]);
  }

  /** As another process sees it once what was given up is written. */
  private long claimed() {
    gauge.claims().write();
    return promised(gauge.dir()).bytes();
  }
}
