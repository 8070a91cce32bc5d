// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.fixtures.Need;
import io.temptier.fixtures.Needs.NeedsCompiler;
import io.temptier.fixtures.Trees;
import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.fixtures.sweep.Sweep;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.Launch;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.FileSystemCapacity;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever call fails, whoever dies, stops or loses power: no byte is lost, nothing is left. */
@NeedsCompiler
class ShuffleSweptCallsTest {
  @Test
  void invariantsHoldAtEachCall(@TempDir Path folder) throws IOException {
    List<Class<? extends Protocol>> all =
        new ArrayList<>(
            List.of(MapOutputMove.class, DrainedDir.class, MoveAtEnd.class, MoveLeftovers.class));
    if (Need.ROOT.missing().isEmpty()) {
      all.add(MoveAsUser.class);
    }
    Sweep.run(folder, all);
  }

  /**
   * A batch of another user's outputs. Its calls are made as the user; the NodeManager's are not.
   */
  static final class MoveAsUser extends MapOutputMove {
    private static final int UID = 1234;
    private static final MapOutputId SECOND = TestNode.id(2);

    private final AtomicBoolean runs = new AtomicBoolean();

    MoveAsUser(Disks disks) {
      super(disks);
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      Path second = node.file(fast, SECOND);
      Files.createDirectories(second.getParent());
      Files.write(second, TestOutputs.data(SECOND, BYTES));
      found.keep(second);
      for (LocalDir dir : node.dirs) {
        Trees.give(dir.path().resolve(LocalDir.home(TestNode.USER)), UID);
      }
      found.keepAgain();
    }

    @Override
    MoveContext context() {
      return new MoveContext(0, () -> true, node.dirs, MoveContext.PATIENCE, TestNode.pace());
    }

    @Override
    UserMover mover(MoveContext with) {
      return new UserMover(new Batches(), MoveBatch.LAUNCH, with);
    }

    /** In this process, one at a time. */
    private final class Batches extends UserBatches {
      Batches() {
        super(Optional::empty, 1L << 30, Duration.ZERO, System::nanoTime);
      }

      @Override
      public String run(
          ApplicationUser who,
          Launch java,
          List<String> arguments,
          LocalDir from,
          LocalDir to,
          long bytes,
          MoveControl control)
          throws IOException {
        if (!runs.compareAndSet(false, true)) {
          throw new MoveStoppedException(MoveResult.NOT_YET, "another batch runs");
        }
        try {
          if (bytes > 0) {
            makeRoom(from);
          }
          Sweep.actAs(UID);
          MoveBatch.run(
              UID, TestNode.pace(), control, from.path(), who.user(), who.application(), arguments);
          return "it ended";
        } finally {
          Sweep.actAs(0);
          runs.set(false);
        }
      }
    }

    @Override
    public void act() throws IOException {
      List<Candidate> batch = new ArrayList<>();
      for (MapOutputId id : List.of(ID, SECOND)) {
        batch.add(node.candidate(fast, id));
      }
      result = move(batch, moved -> {});
    }

    @Override
    void clean() throws IOException {
      UserMover mover = mover(context());
      for (LocalDir dir : node.dirs) {
        mover.clean(dir, TestNode.USER, TestNode.APP, node.gate());
      }
    }

    @Override
    public void check(Ending ending, Invariants found) {
      if (!ending.killed()) {
        for (MapOutputId id : List.of(ID, SECOND)) {
          boolean moved = node.moved.contains(id);
          if (!ending.hindered() && !moved) {
            found.problem("NOT DONE, " + result);
          }
          // Where it could not be looked at, it is not known to have moved.
          if (moved) {
            found.reported(true, node.file(slow, id));
          }
        }
      }
    }
  }

  /** A dir is drained, which moves all outputs out of it, and taken back. */
  static final class DrainedDir extends MapOutputMove {
    private @Nullable DirDrain drain;

    DrainedDir(Disks disks) {
      super(disks);
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      TestOutputs.writeIndex(Objects.requireNonNull(node.file(fast, ID).getParent()), BYTES);
      found.keepAgain();
    }

    private Path mark() {
      return fast.path().resolve(NodeMarker.DIR).resolve(NodeMarker.DRAIN);
    }

    @Override
    public void start() throws IOException {
      super.start();
      drain =
          new DirDrain(
              fast,
              new FillGauge(
                  fast,
                  node.tiers().layout().tiers().get(0),
                  node.tiers().settings(),
                  new FileSystemCapacity()),
              DemotionSettings.DEFAULT.marks(),
              (batch, moved) -> result = move(batch, moved),
              node.uid(),
              new OutputScanner(node, context(), new DemotionTally()),
              candidate -> false);
    }

    @Override
    public void act() throws IOException {
      Files.createFile(mark());
      Objects.requireNonNull(drain).round(Map.of(TestNode.APP, TestNode.USER));
      Files.delete(mark());
    }

    @Override
    public void recover(Ending ending) throws IOException {
      super.recover(ending);
      // An operator calls it again.
      Files.deleteIfExists(mark());
    }
  }

  /** The application ends in the middle of the move, and all that it has is deleted. */
  static final class MoveAtEnd extends MapOutputMove {
    /** The application ended before the move returned, which no failing disk hid from it. */
    private boolean ended;

    MoveAtEnd(Disks disks) {
      super(disks);
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      found.dropAll();
    }

    @Override
    public void start() throws IOException {
      super.start();
      node.asked =
          () -> {
            if (Files.exists(node.file(slow, ID))) {
              node.users.clear();
            }
          };
    }

    @Override
    public void act() throws IOException {
      super.act();
      ended = node.users.isEmpty();
    }

    /** The NodeManager has deleted each file that it saw, and is about to delete the folders. */
    @Override
    public void others() throws IOException {
      if (node.users.isEmpty()) {
        return;
      }
      node.users.clear();
      for (Path path : ofApplication()) {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          Files.delete(path);
        }
      }
      // By then the move may have made a name.
      node.asked = this::deleteFolders;
    }

    /** It tries once: a folder with a name that it did not see stays. */
    private void deleteFolders() {
      node.asked = () -> {};
      try {
        for (Path path : ofApplication()) {
          if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            boolean unused = path.toFile().delete();
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** All of it, each folder after what is in it. */
    private List<Path> ofApplication() throws IOException {
      List<Path> all = new ArrayList<>();
      for (LocalDir dir : node.dirs) {
        all.addAll(Trees.below(TestNode.application(dir, TestNode.APP)));
      }
      Collections.reverse(all);
      return all;
    }

    @Override
    public void recover(Ending ending) throws IOException {
      super.recover(ending);
      // The application may have ended in the middle of the move, and all of it be deleted.
      if (Files.exists(node.file(fast, ID).resolveSibling(MapOutputId.INDEX))) {
        node.users.put(TestNode.APP, TestNode.USER);
        others();
      }
      node.asked.run();
      node.dirs.forEach(this::sweepEnded);
    }

    @Override
    public void check(Ending ending, Invariants found) {
      for (LocalDir dir : node.dirs) {
        if (Files.exists(TestNode.application(dir, TestNode.APP))) {
          found.problem("LEFT of the application in " + dir);
        }
      }
      if (result == MoveResult.MOVED && ended && ending.returned()) {
        found.problem("MISREPORTED as moved at the end");
      }
    }
  }

  /** What three moves left that were killed is removed after the restart. */
  static final class MoveLeftovers extends MapOutputMove {
    MoveLeftovers(Disks disks) {
      super(disks);
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      Path file = node.file(fast, ID);
      Path copy = node.file(slow, ID);
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
      Files.createSymbolicLink(file.resolveSibling(Candidate.LINK), copy);
      Path part = node.file(slow, TestNode.id(2));
      Files.createDirectories(part.getParent());
      Files.write(part.resolveSibling(Candidate.COPY), new byte[3]);
      Path second = node.file(fast, TestNode.id(2));
      Files.createDirectories(second.getParent());
      Files.write(second, new byte[] {1, 2, 3, 4});
      Files.createSymbolicLink(second.resolveSibling(Candidate.LINK), part);
      found.keep(second);
    }

    @Override
    public void act() throws IOException {
      clean();
    }

    @Override
    public void others() {}

    @Override
    public void recover(Ending ending) throws IOException {
      if (!ending.returned()) {
        // It is looked for again every five minutes.
        clean();
      }
      super.recover(ending);
    }

    @Override
    public void check(Ending ending, Invariants found) {}
  }
}
