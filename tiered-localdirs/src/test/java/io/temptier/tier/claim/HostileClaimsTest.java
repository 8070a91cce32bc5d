// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.DirGauge;
import io.temptier.tier.room.SharedRoom;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
      assertEquals(
          List.of(100L),
          sweep.swept().stream()
              .filter(swept -> swept.uid() == BOB)
              .map(ClaimSweep.Swept::entries)
              .toList());
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
    public static void main(String[] args) {
      Path root = Path.of(args[1]);
      if (args[0].equals("sweep")) {
        new ClaimSweep(root, System::currentTimeMillis).sweep(Map.of(), Set.of());
        return;
      }
      Claims claims = new Claims(Layouts.claimsOf(root), System::currentTimeMillis);
      System.out.println(claims.claim(1).isPresent());
      System.out.println(claims.outstanding(TOTAL, Long.MAX_VALUE, 0).bytes());
    }
  }

  /** A NodeManager that is not root may neither delete them nor move them elsewhere. */
  @Test
  void foldersWithSomethingInThemCostNobodyMoreThanTheirNames() throws Exception {
    for (Path path : List.of(root, root.resolve(NodeMarker.DIR), folder)) {
      give(path, NODE_MANAGER);
    }
    Path something = Files.createFile(root.resolve("x"));
    for (int i = 0; i < 1_000; i++) {
      Path junk = Files.createDirectory(folder.resolve("7-70-0-none-" + i));
      Files.createLink(junk.resolve("x"), something);
      give(junk, BOB);
    }
    Path deep = Files.createDirectories(folder.resolve("junk/a/b"));
    Files.createSymbolicLink(deep.resolve("link"), root);
    Programs.pipe(deep.resolve("pipe"));
    Layouts.process(proc, 8, 'S', 80);
    give(proc.resolve("8"), ALICE);
    Path claim = Layouts.sparse(folder.resolve("8-80-0-" + ALICES + "-1"), MB);
    give(claim, ALICE);
    Object inode = Files.getAttribute(folder, "unix:ino");

    // A sweep ends after a time.
    Eventually.holds(
        "they have names that readers skip",
        () -> {
          assertEquals(List.of(), asUser(NODE_MANAGER, "sweep"));
          return entries().stream().filter(name -> !name.startsWith(".")).count() == 1;
        });
    assertTrue(entries().contains(claim.getFileName().toString()));
    assertEquals(1_002, entries().size());
    Outstanding outstanding = claims().outstanding(TOTAL, Long.MAX_VALUE, 0);
    assertEquals(MB, outstanding.bytes());
    assertEquals(0, outstanding.ignored());

    Eventually.holds(
        "root may",
        () -> {
          sweep().sweep(Map.of(ALICES, "alice"), Set.of());
          return entries().equals(Set.of(claim.getFileName().toString()));
        });
    assertTrue(Files.exists(something), "no link was followed");
    assertEquals(inode, Files.getAttribute(folder, "unix:ino"));
  }

  @Test
  void aFolderThatIsClosedPromisesNothing() throws Exception {
    Files.setAttribute(folder, "unix:mode", 0700);
    assertEquals(List.of("false", "" + Long.MAX_VALUE), asUser(ALICE, "claim"));
  }

  /** Claims in a container, where the folder is a mount, when told to. */
  public static final class InContainer {
    public static void main(String[] args) throws IOException {
      System.out.println("ready");
      boolean unused = System.in.read() < 0;
      Claims claims = new Claims(Path.of(args[0]), System::currentTimeMillis);
      Claim claim = claims.claim(MB).orElseThrow();
      System.out.println("claimed");
      unused = System.in.read() < 0;
      claim.release();
      claims.drop();
    }
  }

  @Test
  @NeedsLoopDisk
  void aFolderThatGrewStaysTheSameWhileContainersMayHaveItMounted() throws Exception {
    try (LoopDisk loop = LoopDisk.create(temp, 100 << 20)) {
      root = Layouts.root(loop.path().resolve("yarn"));
      folder = Layouts.claimsOf(root);
      Files.setAttribute(folder, "unix:mode", 01777);
      String mount = "mount --bind " + folder + " " + folder;
      List<String> line = new ArrayList<>(List.of("unshare", "-m"));
      line.addAll(after(mount, Programs.java(InContainer.class, folder)));
      Process container = Programs.start(line);
      try (BufferedReader said = container.inputReader();
          OutputStream orders = container.getOutputStream()) {
        assertEquals("ready", said.readLine());
        for (int i = 0; i < 10_000; i++) {
          Files.createFile(folder.resolve("x".repeat(200) + i));
        }
        ClaimSweep sweep = sweep();
        Eventually.holds(
            "they are gone",
            () -> {
              sweep.sweep(Map.of(ALICES, "alice"), Set.of());
              return entries().isEmpty();
            });
        assertTrue(folder.toFile().length() > ClaimSweep.GROWN_BYTES, "for ever");
        clock.advance(Duration.ofMillis(ClaimSweep.GRACE_MILLIS));
        sweep.sweep(Map.of(ALICES, "alice"), Set.of());
        orders.write('\n');
        orders.flush();
        assertEquals("claimed", said.readLine());
        assertEquals(MB, promised(folder));
        clock.advance(Duration.ofMillis(ClaimSweep.GRACE_MILLIS));
        sweep.sweep(Map.of(), Set.of());
        assertEquals(MB, promised(folder), "not empty");
        orders.write('\n');
        orders.flush();
        assertNull(said.readLine());

        sweep.sweep(Map.of(), Set.of());
        assertTrue(folder.toFile().length() <= 4096, "one block");
        assertEquals(01777, (Integer) Files.getAttribute(folder, "unix:mode") & 07777);
        assertEquals(List.of("claims"), List.of(folder.resolveSibling("").toFile().list()));
      } finally {
        container.destroyForcibly().waitFor();
      }
    }
  }

  private static long promised(Path folder) {
    Claims others = new Claims(folder, System::currentTimeMillis);
    return others.outstanding(TOTAL, Long.MAX_VALUE, 0).bytes();
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
    Path ownClaim = plant(ALICE, MB, ALICES);
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
            Files.exists(ownClaim),
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
  void aUserKeepsToWhatOthersCount() throws IOException {
    give(Files.createDirectories(proc.resolve(ProcessHandle.current().pid() + "")), ALICE);
    plant(BOB, 100 * MB, ALICES);
    plant(ALICE, 10 * MB, ALICES);
    Claims ofAlice = claims();
    assertEquals(
        TOTAL / 2 - 10 * MB,
        ofAlice.shareLeft(ofAlice.outstanding(TOTAL, Long.MAX_VALUE, 0), TOTAL));
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
