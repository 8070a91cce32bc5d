// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.UserFile;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one map output to a slower dir by {@link FileMover}, to the same relative path. Where a
 * link in a faster dir leads to the fast file, it is made to lead to the copy afterwards. What a
 * process that was killed left is removed by {@link Leftovers}.
 *
 * <p>Nothing is moved unless every folder from the two dirs down belongs to this process's user, is
 * no link and is not writable for all. So no other user can exchange one between a check and the
 * step after it.
 */
final class OutputMover implements Mover {
  private static final Logger LOG = LoggerFactory.getLogger(OutputMover.class);

  /** Opening a file of one's own takes no longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final int ownUid;
  private final List<LocalDir> dirs;
  private final OtherDirs others;
  private final BiConsumer<LocalDir, MapOutputId> passed;
  private final Pace pace;
  private final EndedFolders ended;
  private final MoveStep.Observer observer;

  /** A mover for a node where nothing lies above the dirs that it moves from. */
  OutputMover(
      int ownUid, List<LocalDir> dirs, Pace pace, EndedFolders ended, MoveStep.Observer observer) {
    this(ownUid, dirs, new OtherDirs(), (dir, id) -> {}, pace, ended, observer);
  }

  /**
   * A mover.
   *
   * @param ownUid who must own the folders
   * @param dirs all of the node, fastest first
   * @param others looks into the dirs above the one that a move leaves
   * @param passed told of a dir that did not say whether it has a link to an output that was moved
   * @param pace tells how much to write at once
   * @param ended takes care of what cannot be removed at once
   * @param observer told of each step
   */
  OutputMover(
      int ownUid,
      List<LocalDir> dirs,
      OtherDirs others,
      BiConsumer<LocalDir, MapOutputId> passed,
      Pace pace,
      EndedFolders ended,
      MoveStep.Observer observer) {
    this.ownUid = ownUid;
    this.dirs = dirs;
    this.others = others;
    this.passed = passed;
    this.pace = pace;
    this.ended = ended;
    this.observer = observer;
  }

  @Override
  public LocalDir move(Candidate candidate, Placer below, MoveGate gate) throws IOException {
    return PlacedMove.run(candidate, below, gate, MovePaths::partial, paths -> move(paths, gate));
  }

  /**
   * Moves an output that is complete to where there is room for it.
   *
   * @throws MoveStoppedException when it was not to be moved, or not on
   */
  void move(MovePaths paths, MoveControl gate) throws IOException {
    Candidate candidate = paths.candidate();
    requireOwn(candidate.dir(), candidate.id());
    FileMover.Route route =
        FileMover.Route.of(
            candidate.file(),
            candidate.stamp(),
            candidate.file(),
            paths.link(),
            paths.partial(),
            paths.copy(),
            paths.target());
    FileMover.move(
        route,
        pace.partBytes(),
        Immutable.listOf(LinkReserve.ofNode(candidate.dir().path())),
        new Output(paths, gate),
        gate);
  }

  private final class Output implements FileMover.Owner {
    private final MovePaths paths;
    private final MoveControl gate;
    private final List<LocalDir> repointed = new ArrayList<>();

    Output(MovePaths paths, MoveControl gate) {
      this.paths = paths;
      this.gate = gate;
    }

    @Override
    public FileChannel open() throws IOException {
      Candidate candidate = paths.candidate();
      Path file = candidate.id().relativePath().resolve(MapOutputId.DATA);
      return UserFile.openRegular(candidate.dir().path(), file, PATIENCE);
    }

    @Override
    public void reached(MoveStep step) throws IOException {
      if (step == MoveStep.FOLDERS_MADE) {
        requireOwn(paths.target(), paths.candidate().id());
      }
      observer.reached(step);
      if (step == MoveStep.REPLACED) {
        repointUpper();
      }
    }

    /** The move is done without it: a link to a link leads to the data, too. */
    private void repointUpper() {
      for (LocalDir dir : UpperLinks.above(paths.candidate().dir(), dirs)) {
        try {
          if (others.look(dir, () -> repoint(dir, paths, gate))) {
            repointed.add(dir);
          }
        } catch (OtherDirs.NoAnswerException e) {
          passed.accept(dir, paths.candidate().id());
        } catch (IOException e) {
          LOG.debug("A link in {} may lead to a link", dir, e);
        }
      }
    }

    @Override
    public void takenBackAtEnd() {
      MapOutputId id = paths.candidate().id();
      for (LocalDir dir : repointed) {
        deleteLink(dir.path().resolve(id.relativePath()).resolve(MapOutputId.DATA));
        ended.add(dir, id);
      }
      ended.add(paths.candidate().dir(), id);
      ended.add(paths.target(), id);
    }
  }

  /** Deletes a link, and nothing else that may lie there. */
  private static void deleteLink(Path link) {
    if (Files.isSymbolicLink(link)) {
      FileMover.delete(link);
    }
  }

  /**
   * Has the link in one dir lead to the copy. The dir may answer when the move is long over: then
   * nobody else takes back what was made for an application that ended.
   *
   * @return whether there may be a link
   */
  private boolean repoint(LocalDir dir, MovePaths paths, MoveControl gate) throws IOException {
    MapOutputId id = paths.candidate().id();
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), ownUid).orElse(null)) {
      if (folder == null || gate.ended()) {
        return false;
      }
      try {
        UpperLinks.repoint(folder, paths.candidate().file(), paths.copy(), observer);
      } catch (IOException e) {
        LOG.debug("A link in {} leads to a link", dir, e);
      }
      if (gate.ended()) {
        deleteLink(folder.path().resolve(MapOutputId.DATA));
        ended.add(dir, id);
      }
      return true;
    }
  }

  /** Goes no further where somebody else may have a say. */
  private void requireOwn(LocalDir dir, MapOutputId id) throws IOException {
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), ownUid).orElse(null)) {
      if (folder != null) {
        return;
      }
    } catch (OwnFolder.ForeignException e) {
      LOG.debug("Not ours alone", e);
    }
    throw new MoveStoppedException(
        MoveResult.GIVEN_UP,
        dir.path().resolve(id.relativePath()) + " or a folder above is not this user's alone");
  }
}
