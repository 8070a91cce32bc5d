// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.DirGauge;
import io.temptier.tier.room.SharedRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users other than that of the local dirs may claim. */
@NeedsRoot
class HostileClaimsTest extends ClaimsBed {
  private static final long TOTAL = 1024 * MB;
  private static final int ALICE = 30_001;
  private static final int BOB = 30_002;
  private static final int NODE_MANAGER = 30_003;
  private static final String ALICES = "application_1_0001";
  private static final String BOBS = "application_1_0002";

  private int sequence;

  @BeforeEach
  void makeUsers() throws IOException {
    give(proc.resolve("7"), BOB);
    give(Files.createDirectories(root.resolve("usercache/alice")), ALICE);
    give(Files.createDirectories(root.resolve("usercache/bob")), BOB);
    disk.set(root, TOTAL, TOTAL);
  }

  @Test
  void nineThousandLedgersOfAnotherUserTakeNoMoreThanItsShare() throws IOException {
    plant(ALICE, 100 * MB, ALICES);
    assertEquals(924 * MB, headroom());
    for (int i = 0; i < 9_000; i++) {
      plant(BOB, 0, BOBS);
    }
    assertEquals(412 * MB, headroom(), "as if he had promised all he may");
    int surplus = 9_000 - Outstanding.Tally.MOST_OF_UID;
    assertEquals(surplus, claims().outstanding(TOTAL, 0, 0).ignored());

    ClaimSweep sweep = sweep();
    sweep.sweep(Map.of(ALICES, "alice", BOBS, "bob"), Set.of());
    assertEquals(1 + Outstanding.Tally.MOST_OF_UID, entries().size());
    ClaimSweep.Swept swept = sweep.swept().get(0);
    assertEquals(BOB, swept.uid());
    assertEquals(Integer.toString(BOB), swept.user());
    assertEquals(surplus, swept.entries());
    assertEquals(924 * MB, headroom());
  }

  @Test
  @NeedsBindfs
  void whatCannotBeLookedAtHidesNothingBesideIt() throws Exception {
    for (int i = 0; i < Outstanding.Tally.MOST_OF_UID + 100; i++) {
      plant(BOB, 0, BOBS);
    }
    try (HangingDisk mount = HangingDisk.create(Layouts.claimsOf(root), "mount")) {
      mount.fail();
      ClaimSweep sweep = sweep();
      sweep.sweep(Map.of(BOBS, "bob"), Set.of());
      assertEquals(100, sweep.swept().get(0).entries());
    }
  }

  /** To list and stat all of them each time takes longer than this test may. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aBurstOfAnotherUsersClaimsCostsNoMoreThanTheDir() throws Exception {
    for (int i = 0; i < 20_000; i++) {
      plant(BOB, 1, BOBS);
    }
    DirGauge crowded = gauge(root);
    for (int i = 0; i < 50_000; i++) {
      assertTrue(crowded.state(true).headroomBytes() < 0, "nobody can tell what is claimed");
    }
    ClaimSweep sweep = sweep();
    sweep.sweep(Map.of(BOBS, "bob"), Set.of());
    Eventually.holds(
        "the surplus is gone",
        () -> crowded.state(true).headroomBytes() == TOTAL - Outstanding.Tally.MOST_OF_UID);
  }

  /** As under the Linux container executor without Kerberos, which runs all jobs as nobody. */
  @Test
  void manyProcessesOfOneUserAreEachCounted() throws IOException {
    give(Files.createDirectories(proc.resolve(ProcessHandle.current().pid() + "")), BOB);
    for (int i = 0; i < Outstanding.Tally.MOST_OF_UID; i++) {
      plant(BOB, 1000, BOBS);
    }
    Outstanding all = claims().outstanding(TOTAL, Long.MAX_VALUE, 0);
    assertEquals(0, all.ignored());
    assertEquals(1000L * Outstanding.Tally.MOST_OF_UID, all.bytes());
    ClaimSweep sweep = sweep();
    sweep.sweep(Map.of(BOBS, "bob"), Set.of());
    assertEquals(List.of(), sweep.swept());
    plant(BOB, 1000, BOBS);
    Outstanding tooMany = claims().outstanding(TOTAL, Long.MAX_VALUE, 0);
    assertEquals(1, tooMany.ignored());
    assertTrue(claims().shareLeft(tooMany, TOTAL) < 0, "no more for who has too many");
  }

  /** Looks at a local dir as a user's process, or sweeps it as the NodeManager does. */
  public static final class OfAnotherUser {
    public static void main(String[] args) throws InterruptedException {
      Path root = Path.of(args[1]);
      if (args[0].equals("sweep")) {
        ClaimSweep sweep = new ClaimSweep(root, System::currentTimeMillis);
        sweep.sweep(Map.of(), Set.of());
        Thread.sleep(FolderReplacement.LINGER_MILLIS + 1);
        sweep.sweep(Map.of(), Set.of());
        return;
      }
      Claims claims = new Claims(Layouts.claimsOf(root), System::currentTimeMillis);
      System.out.println(claims.claim(1, null).isPresent());
      System.out.println(claims.outstanding(TOTAL, Long.MAX_VALUE, 0).bytes());
    }
  }

  @Test
  void foldersWithSomethingInThemAreLeftBehindWhenNoClaimStandsBesideThem() throws Exception {
    for (Path path : List.of(root, root.resolve(NodeMarker.DIR), folder)) {
      give(path, NODE_MANAGER);
    }
    Path something = Files.createFile(root.resolve("x"));
    for (int i = 0; i <= Claims.MAX_ENTRIES; i++) {
      Path junk = Files.createDirectory(folder.resolve("junk" + i));
      Files.createLink(junk.resolve("x"), something);
      give(junk, BOB);
    }
    Layouts.process(proc, 8, 'S', 80);
    give(proc.resolve("8"), ALICE);
    Path claim = Layouts.ledger(folder, "8-80-0-" + ALICES + "-1", MB);
    give(claim, ALICE);
    clock.advance(Duration.ofHours(1));
    assertTrue(headroom() < 0, "nobody can tell what is claimed");
    sweep().sweep(Map.of(ALICES, "alice"), Set.of());
    assertTrue(Files.exists(claim), "her process runs");
    assertTrue(headroom() < 0);

    Files.delete(claim);
    assertEquals(List.of(), asUser(NODE_MANAGER, "sweep"));
    assertEquals(TOTAL, headroom());
    assertEquals(01777, (Integer) Files.getAttribute(folder, "unix:mode") & 07777);
    assertEquals(NODE_MANAGER, Files.getAttribute(folder, "unix:uid"));
    assertEquals(List.of("true", "1"), asUser(ALICE, "claim"));
  }

  @Test
  void aFolderThatIsBeingReplacedPromisesNothing() throws Exception {
    Files.setAttribute(folder, "unix:mode", 0700);
    assertEquals(List.of("false", "" + Long.MAX_VALUE), asUser(ALICE, "claim"), "it is closed");
    Files.createDirectory(folder.resolveSibling("claims.next"));
    Files.delete(folder);
    assertEquals(List.of("false", "" + Long.MAX_VALUE), asUser(ALICE, "claim"), "it is away");
    assertTrue(headroom() < 0);
  }

  private List<String> asUser(int uid, String what) throws Exception {
    List<String> program = List.of(OfAnotherUser.class.getName(), what, root.toString());
    return Programs.said(OtherUser.command(temp, uid, program)).lines().toList();
  }

  @Test
  void aClaimOfAUserWithoutAnApplicationDoesNotTakeTheTier() throws IOException {
    Path claim = plant(BOB, 900 * MB, "none");
    assertEquals(TOTAL / 2, headroom(), "at once: one user has a bound");
    ClaimSweep sweep = sweep();
    sweep.sweep(Map.of(ALICES, "alice"), Set.of());
    clock.advance(Duration.ofMillis(ClaimSweep.GRACE_MILLIS - 1));
    sweep.sweep(Map.of(ALICES, "alice"), Set.of());
    assertTrue(Files.exists(claim), "an application may be known a moment later");
    clock.advance(Duration.ofMillis(1));
    sweep.sweep(Map.of(ALICES, "alice"), Set.of());
    assertFalse(Files.exists(claim));
    assertEquals(TOTAL, headroom());
    assertEquals(900 * MB, sweep.swept().get(0).bytes());
  }

  @Test
  void claimsForOnesOwnApplicationsStayAndThoseForOthersGo() throws IOException {
    Path own = plant(ALICE, MB, ALICES);
    Path localizing = plant(ALICE, MB, "none");
    Path foreign = plant(BOB, MB, ALICES);
    Path ofBob = plant(BOB, MB, BOBS);
    Path ofTheNode = plant(0, 900 * MB, "none");
    Path junk = Files.createSymbolicLink(folder.resolve("junk"), Path.of("/dev/zero"));
    give(junk, BOB);
    ClaimSweep sweep = sweep();
    for (int i = 0; i < 2; i++) {
      sweep.sweep(Map.of(ALICES, "alice", BOBS, "bob"), Set.of());
      clock.advance(Duration.ofMillis(ClaimSweep.GRACE_MILLIS));
    }
    assertEquals(
        List.of(true, true, false, true, true, false),
        List.of(
            Files.exists(own),
            Files.exists(localizing),
            Files.exists(foreign),
            Files.exists(ofBob),
            Files.exists(ofTheNode),
            Files.exists(junk, LinkOption.NOFOLLOW_LINKS)));
  }

  @Test
  void whereAnApplicationsUserCannotBeToldNobodyIsAStranger() throws IOException {
    Path claim = plant(BOB, MB, "none");
    ClaimSweep sweep = sweep();
    for (int i = 0; i < 3; i++) {
      sweep.sweep(Map.of("application_1_0003", "carol"), Set.of());
      clock.advance(Duration.ofMillis(ClaimSweep.GRACE_MILLIS));
    }
    assertTrue(Files.exists(claim));
  }

  @Test
  void inManyDirsAUserHasOneBound() throws IOException {
    DirGauge one = gauge(root);
    Path second = dir("second", Medium.NVME, TOTAL, TOTAL).path();
    Files.setAttribute(Layouts.claimsOf(second), "unix:mode", 01777);
    DirGauge two = gauge(second);
    new SharedRoom.Arrangement(List.of(one, two), gauge -> false);
    Path claim = plant(BOB, 400 * MB, BOBS);
    Files.createLink(Layouts.claimsOf(second).resolve(claim.getFileName()), claim);
    assertEquals(TOTAL / 2, one.state(true).headroomBytes());
    assertEquals(TOTAL / 2, two.state(true).headroomBytes());
  }

  @Test
  void nobodyUsesUpTheShareOfAnothersApplication() throws IOException {
    give(Files.createDirectories(proc.resolve(ProcessHandle.current().pid() + "")), ALICE);
    plant(BOB, 100 * MB, ALICES);
    plant(ALICE, 10 * MB, ALICES);
    Claims ofAlice = claims();
    assertEquals(
        Map.of(ALICES, 10 * MB), ofAlice.outstanding(TOTAL, Long.MAX_VALUE, 0).byApplication());
    assertEquals(
        TOTAL / 2 - 10 * MB,
        ofAlice.shareLeft(ofAlice.outstanding(TOTAL, Long.MAX_VALUE, 0), TOTAL),
        "she keeps to what others count");
  }

  /** She would take the dir for one that takes no files. */
  @Test
  void nobodyTakesTheNamesOfAnothersNextLedgers() throws IOException {
    Claims ofAlice = claims();
    assertTrue(ofAlice.claim(MB, ALICES).isPresent());
    String name = folder.toFile().list()[0];
    // All that is known of her next one, and what she had before.
    for (String next : List.of(name.replace(ALICES, BOBS), name.replace(ALICES, "none"))) {
      give(Files.createFile(folder.resolve(next)), BOB);
    }
    assertTrue(ofAlice.claim(MB, BOBS).isPresent());
    assertTrue(ofAlice.claim(MB, null).isPresent());
    assertEquals(3 * MB, ofAlice.outstanding(TOTAL, Long.MAX_VALUE, 0).bytes());
  }

  private long headroom() {
    return gauge(root).state(true).headroomBytes();
  }

  private DirGauge gauge(Path path) {
    Claims claims = Layouts.claims(Layouts.claimsOf(path), proc, clock);
    return Layouts.gauge(Layouts.dir(path, Medium.NVME), Reserve.ofBytes(0), disk, claims, clock);
  }

  private Path plant(int uid, long bytes, String application) throws IOException {
    Path claim = plant("7-70-0-" + application + "-" + ++sequence, bytes);
    give(claim, uid);
    return claim;
  }

  private static void give(Path path, int uid) throws IOException {
    Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }
}
