// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.UserFile;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one map output to a slower dir by {@link FileMover}, to the same relative path. Where a
 * link in a faster dir leads to the fast file, it is made to lead to the copy afterwards, so that
 * no reader goes through a chain of links. What a process that was killed left is removed by {@link
 * Leftovers}.
 *
 * <p>Nothing is moved unless every folder from the two dirs down belongs to this process's user, is
 * no link and is not writable for all. So no other user can exchange one between a check and the
 * step after it.
 */
public final class OutputMover implements Mover {
  private static final Logger LOG = LoggerFactory.getLogger(OutputMover.class);

  /** Opening a file of one's own takes no longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MoveContext context;
  private final MoveStep.Observer observer;

  /** {@code observer} is told of each step. */
  public OutputMover(MoveContext context, MoveStep.Observer observer) {
    this.context = context;
    this.observer = observer;
  }

  @Override
  public void move(
      List<Candidate> batch,
      Placer below,
      MoveControl control,
      BiConsumer<Candidate, LocalDir> moved)
      throws IOException {
    for (Candidate candidate : batch) {
      control.check();
      Placer.Placed to =
          Mover.claim(candidate, below, candidate::partialIn)
              .orElseThrow(
                  () -> new MoveStoppedException(MoveResult.NO_ROOM, "no slower tier has room"));
      LocalDir target = to.placement().dir();
      try {
        moveTo(candidate, target, control);
      } catch (MoveStoppedException e) {
        throw e;
      } catch (IOException e) {
        if (control.ended()) {
          // What it failed on is what the NodeManager deletes.
          throw new MoveStoppedException(
              MoveResult.GIVEN_UP, candidate.id().application() + " runs no more");
        }
        throw new IOException("to " + target + ": " + e, e);
      } finally {
        below.settle(to.file());
      }
      moved.accept(candidate, target);
    }
  }

  /** Moves an output to a place that is claimed. */
  public void moveTo(Candidate candidate, LocalDir target, MoveControl control) throws IOException {
    requireOwn(candidate.dir(), candidate.id());
    FileMover.Route route =
        FileMover.Route.of(
            candidate.file(),
            candidate.stamp(),
            candidate.file(),
            candidate.link(),
            candidate.partialIn(target),
            candidate.fileIn(target),
            target);
    FileMover.move(
        route,
        context.pace().partBytes(),
        Immutable.listOf(LinkReserve.ofNode(candidate.dir().path())),
        new Output(candidate, target, control),
        control);
  }

  private final class Output implements FileMover.Owner {
    private final Candidate candidate;
    private final LocalDir target;
    private final MoveControl control;

    Output(Candidate candidate, LocalDir target, MoveControl control) {
      this.candidate = candidate;
      this.target = target;
      this.control = control;
    }

    @Override
    public FileChannel open(Path moved) throws IOException {
      Path file = candidate.id().relativePath().resolve(MapOutputId.DATA);
      return UserFile.openRegular(candidate.dir().path(), file, PATIENCE);
    }

    @Override
    public boolean replace(Path name, FileStamp copied, Path link) throws IOException {
      if (!FileStamp.find(name).filter(copied::unchanged).isPresent()) {
        return false;
      }
      FileMover.exchange(link, name);
      return true;
    }

    @Override
    public void reached(MoveStep step) throws IOException {
      if (step == MoveStep.LINKED) {
        // No copy outlives a power cut without it.
        FileMover.flushFolder(candidate.folderIn(candidate.dir()));
      } else if (step == MoveStep.FOLDERS_MADE) {
        requireOwn(target, candidate.id());
      }
      observer.reached(step);
      if (step == MoveStep.REPLACED) {
        repointUpper();
      }
    }

    /** The move is done without it: a link to a link leads to the data, too. */
    private void repointUpper() {
      for (LocalDir dir : context.dirs()) {
        if (dir.medium() == candidate.dir().medium()) {
          return;
        }
        try {
          // A power cut may take the link there, and Leftovers then the copy.
          FileMover.flushFolder(candidate.folderIn(candidate.dir()));
          context.look(dir, () -> repoint(dir, this));
        } catch (IOException e) {
          LOG.debug("A link in {} may lead to a link", dir, e);
          control.left();
        }
      }
    }

    @Override
    public void takenBackAtEnd() {
      context.ended().add(candidate.dir(), candidate.id());
      context.ended().add(target, candidate.id());
    }
  }

  /**
   * Points the link in one dir at the copy. The dir may answer when the move is long over: then
   * nobody else takes back what was made for an application that ended.
   *
   * @return whether the output has a folder there
   */
  private boolean repoint(LocalDir dir, Output output) throws IOException {
    MapOutputId id = output.candidate.id();
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), context.ownUid()).orElse(null)) {
      if (folder == null || output.control.ended()) {
        return false;
      }
      try {
        repoint(folder, output.candidate.file(), output.candidate.fileIn(output.target));
      } finally {
        if (output.control.ended()) {
          Path link = folder.path().resolve(MapOutputId.DATA);
          if (Files.isSymbolicLink(link)) {
            FileMover.delete(link);
          }
          context.ended().add(dir, id);
        }
      }
      return true;
    }
  }

  /** Makes the link in the output's place lead elsewhere, in one step, if it leads where it did. */
  private void repoint(OwnFolder folder, Path from, Path to) throws IOException {
    Path link = folder.path().resolve(MapOutputId.DATA);
    if (!Files.isSymbolicLink(link) || !Files.readSymbolicLink(link).equals(from)) {
      return;
    }
    folder.deleteFile(Candidate.LINK);
    try {
      Files.createSymbolicLink(folder.path().resolve(Candidate.LINK), to);
      observer.reached(MoveStep.UPPER_LINKED);
      folder.rename(Candidate.LINK, MapOutputId.DATA);
    } catch (IOException e) {
      folder.deleteFile(Candidate.LINK);
      throw e;
    }
  }

  /** Goes no further where somebody else may have a say. */
  private void requireOwn(LocalDir dir, MapOutputId id) throws IOException {
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), context.ownUid()).orElse(null)) {
      if (folder != null) {
        return;
      }
    } catch (OwnFolder.ForeignException | AccessDeniedException e) {
      LOG.debug("Not ours alone", e);
    }
    throw new MoveStoppedException(
        MoveResult.GIVEN_UP,
        dir.path().resolve(id.relativePath()) + " or a folder above is not this user's alone");
  }
}
