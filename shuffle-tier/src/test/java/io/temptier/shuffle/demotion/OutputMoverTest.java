// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutputMoverTest {
  private static final long BYTES = 300_000;

  @TempDir Path temp;

  private final Pace pace = new Pace(1L << 30);
  private final EndedFolders ended = new EndedFolders(System::nanoTime);
  private TestNode node = new TestNode(Path.of("/"));
  private LocalDir fast = LocalDir.of(Path.of("/"), Medium.NVME, 0, "");
  private LocalDir slow = fast;
  private Placer below = new Placer(node.tiers(), new PlacementListener() {});
  private MapOutputId id = TestNode.id(1);

  @BeforeEach
  void write() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    id = node.write(fast, 1, BYTES);
    below = node.below();
  }

  @AfterEach
  void close() {
    below.close();
  }

  private Candidate candidate() throws IOException {
    return Candidate.of(id, fast, FileStamp.of(node.file(fast, id)), 0);
  }

  private int ownUid() throws IOException {
    return FileStamp.of(temp).uid();
  }

  private MoveGate gate() {
    return new MoveGate(
        TestNode.APP, node::running, node.busy::contains, () -> false, pace, new DemotionTally());
  }

  private LocalDir move(MoveStep.Observer observer) throws IOException {
    return new OutputMover(ownUid(), node.dirs, pace, ended, observer)
        .move(candidate(), below, gate());
  }

  private void assertWhole() throws IOException {
    byte[] expected = TestNode.data(id, BYTES);
    assertArrayEquals(expected, TestNode.readAsStock(List.of(fast, slow), id));
    assertArrayEquals(expected, TestNode.readAsStock(List.of(slow, fast), id));
  }

  @Test
  void movesDataAndLeavesALink() throws IOException {
    Path file = node.file(fast, id);
    Files.setAttribute(file, "unix:mode", 0640);
    Files.setAttribute(file.getParent(), "unix:mode", 02750);
    FileStamp before = FileStamp.of(file);
    Candidate candidate = candidate();
    List<MoveStep> steps = new ArrayList<>();
    assertEquals(
        slow,
        move(
            step -> {
              steps.add(step);
              assertWhole();
            }));
    List<MoveStep> all = new ArrayList<>(List.of(MoveStep.values()));
    all.remove(MoveStep.UPPER_LINKED);
    assertEquals(all, steps.stream().distinct().toList());
    Path copy = node.file(slow, id);
    assertEquals(copy, Files.readSymbolicLink(file));
    assertTrue(node.holds(slow, id));
    FileStamp after = FileStamp.of(copy);
    assertEquals(before.permissions(), after.permissions());
    assertEquals(before.uid(), after.uid());
    assertEquals(before.gid(), after.gid());
    assertEquals(before.modified(), after.modified());
    assertEquals(02750, FileStamp.of(MovePaths.of(candidate, slow).folder()).permissions());
    assertEquals(List.of(), node.temporary());
    assertWhole();
    assertTrue(Files.isRegularFile(file.resolveSibling(MapOutputId.INDEX)), "it stays");
    assertFalse(Files.exists(copy.resolveSibling(MapOutputId.INDEX)));
  }

  @Test
  void leavesOpenHandlesAsTheyAre() throws IOException {
    try (InputStream open = Files.newInputStream(node.file(fast, id))) {
      byte[] begun = open.readNBytes(1000);
      move(step -> {});
      Files.write(node.file(slow, id), new byte[10]);
      byte[] rest = open.readAllBytes();
      assertEquals(BYTES, begun.length + rest.length);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UPPER_LINKED")
  void takesBackWhatItMadeWhenAnythingFails(MoveStep failing) throws IOException {
    List<String> before = node.everything();
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                move(
                    step -> {
                      if (step == failing) {
                        throw new IOException("No space left on device");
                      }
                    }));
    assertTrue(thrown.toString().contains("No space left"), thrown::toString);
    assertTrue(thrown.toString().contains(slow.path().toString()), thrown::toString);
    assertWhole();
    if (failing != MoveStep.REPLACED) {
      if (failing != MoveStep.LINKED) {
        before.add("disk/usercache/ann/appcache/" + TestNode.APP + "/output");
      }
      before.sort(null);
      assertEquals(before, node.everything(), "but for a folder that tasks may be about to use");
      assertTrue(node.holds(fast, id));
    }
    assertEquals(List.of(), node.temporary());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UPPER_LINKED")
  void leavesNothingOfAnApplicationThatEndsMeanwhile(MoveStep at) {
    MoveStoppedException stopped =
        assertThrows(
            MoveStoppedException.class,
            () ->
                move(
                    step -> {
                      if (step == at) {
                        node.users.clear();
                        TestNode.deleteApplication(slow, TestNode.APP);
                        TestNode.deleteApplication(fast, TestNode.APP);
                      }
                    }),
            at::name);
    assertEquals(MoveResult.GIVEN_UP, stopped.result());
    assertNothingOfTheApplication();
  }

  private void assertNothingOfTheApplication() {
    for (LocalDir dir : node.dirs) {
      Path application = OutputScanner.application(dir, TestNode.USER, TestNode.APP);
      assertFalse(Files.exists(application), application::toString);
    }
  }

  /** A folder that was listed before our file appeared in it cannot be deleted after. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UPPER_LINKED")
  void leavesNothingWhereTheCleanUpDidNotSeeItsFile(MoveStep at) throws IOException {
    MovePaths paths = MovePaths.of(candidate(), slow);
    Path unseen =
        switch (at) {
          case FOLDERS_MADE -> paths.folder();
          case COPY_STARTED, PART_COPIED, COPIED -> paths.partial();
          case COPY_NAMED -> paths.copy();
          case LINKED -> paths.link();
          case REPLACED, UPPER_LINKED -> paths.candidate().file();
        };
    assertThrows(
        MoveStoppedException.class,
        () ->
            move(
                step -> {
                  if (step == at) {
                    node.users.clear();
                    deleteAllBut(slow, unseen);
                    deleteAllBut(fast, unseen);
                  }
                }),
        at::name);
    assertNothingOfTheApplication();
  }

  private static void deleteAllBut(LocalDir dir, Path unseen) throws IOException {
    try (Stream<Path> all =
        Files.walk(OutputScanner.application(dir, TestNode.USER, TestNode.APP))) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!unseen.startsWith(path)) {
          Files.delete(path);
        }
      }
    }
  }

  @Test
  void makesNoFolderOfAnApplicationThatIsGone() throws IOException {
    TestNode.deleteApplication(slow, TestNode.APP);
    List<String> before = node.everything();
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(step -> {}));
    assertEquals(MoveResult.NO_ROOM, stopped.result());
    assertEquals(before, node.everything());
  }

  @Test
  void leavesAnOutputThatChanges() throws IOException {
    for (MoveStep at :
        List.of(MoveStep.LINKED, MoveStep.COPY_STARTED, MoveStep.COPIED, MoveStep.COPY_NAMED)) {
      MoveStoppedException stopped =
          assertThrows(
              MoveStoppedException.class,
              () ->
                  move(
                      step -> {
                        if (step == at) {
                          Files.write(
                              node.file(fast, id), new byte[] {1}, StandardOpenOption.APPEND);
                        }
                      }),
              at::name);
      assertEquals(MoveResult.GIVEN_UP, stopped.result());
      assertTrue(node.holds(fast, id));
      assertFalse(Files.exists(node.file(slow, id)));
      assertEquals(List.of(), node.temporary());
    }
  }

  @Test
  void doesNotOverwriteWhatIsThere() throws IOException {
    Path other = node.file(slow, id);
    Files.createDirectories(other.getParent());
    Files.writeString(other, "somebody else's");
    assertThrows(MoveStoppedException.class, () -> move(step -> {}));
    assertEquals("somebody else's", Files.readString(other));
    assertTrue(node.holds(fast, id));
  }

  @Test
  void waitsForNobodyWhoseDeviceIsBusy() {
    node.busy.add(slow);
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(step -> {}));
    assertEquals(MoveResult.BUSY, stopped.result());
    assertTrue(node.holds(fast, id));
  }

  @Test
  void doesNotGoIntoTheReserve() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    slow = node.dir(Medium.DISK, "disk", BYTES - 1);
    below.close();
    below = node.below();
    List<String> before = node.everything();
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(step -> {}));
    assertEquals(MoveResult.NO_ROOM, stopped.result());
    assertEquals(before, node.everything());
  }

  @Test
  void goesPastAFullTierToTheNext() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.RAM_DISK, "nvme", LocalDir.NO_CAP);
    node.dir(Medium.NVME, "full", 1);
    slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    below.close();
    below = node.below();
    assertEquals(slow, move(step -> {}));
    assertWhole();
  }

  @Test
  void sinksNoFurtherBecauseTheNextTierIsBusy() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.RAM_DISK, "nvme", LocalDir.NO_CAP);
    LocalDir next = node.dir(Medium.NVME, "next", LocalDir.NO_CAP);
    slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    below.close();
    below = node.below();
    node.busy.add(next);
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(step -> {}));
    assertEquals(MoveResult.BUSY, stopped.result());
    node.busy.clear();
    assertEquals(next, move(step -> {}));
  }

  @Test
  void stopsWhenNobodyCanTellWhatRuns() {
    Optional<Map<String, String>> known = node.running();
    assertTrue(known.isPresent());
    MoveStoppedException stopped =
        assertThrows(
            MoveStoppedException.class,
            () ->
                move(
                    step -> {
                      if (step == MoveStep.COPIED) {
                        node.applicationsKnown = false;
                      }
                    }));
    assertEquals(MoveResult.GIVEN_UP, stopped.result());
    assertTrue(node.holds(fast, id));
    assertFalse(Files.exists(node.file(slow, id).getParent()));
    assertTrue(
        Files.exists(OutputScanner.application(slow, TestNode.USER, TestNode.APP)),
        "it may well be running");
  }
}
