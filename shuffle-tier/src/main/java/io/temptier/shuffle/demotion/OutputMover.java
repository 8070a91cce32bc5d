// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.READ;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileCopy;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.UserFile;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one map output to a slower dir so that whoever looks for it, with whatever code, finds it
 * whole at every instant:
 *
 * <ol>
 *   <li>make a link beside the fast file, under a temporary name, to where the copy will be: first,
 *       as a full disk may not take it;
 *   <li>copy the file to the same relative path in the slower dir, under a temporary name, with
 *       owner, mode and times; to the disk with it;
 *   <li>rename the copy to its final name: now there are two, the same;
 *   <li>rename the link over the fast file, if that is still what was copied;
 *   <li>where a link in a faster dir leads to the fast file, have it lead to the copy.
 * </ol>
 *
 * <p>A reader that has the fast file open reads on from it. After a kill at any step the output is
 * whole, and at most one copy too many is left ({@link Leftovers}). After any other failure what
 * was made is removed.
 *
 * <p>An application's folder is never made, and what was made within it after the application ended
 * is taken back: it is checked after each name that was made, and the NodeManager deletes nothing
 * before that check says no.
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
  private final Consumer<Passed> passed;
  private final Pace pace;
  private final EndedFolders ended;
  private final MoveStep.Observer observer;

  /** A mover for a node where nothing lies above the dirs that it moves from. */
  OutputMover(
      int ownUid, List<LocalDir> dirs, Pace pace, EndedFolders ended, MoveStep.Observer observer) {
    this(ownUid, dirs, new OtherDirs(), passed -> {}, pace, ended, observer);
  }

  /** A dir that could not be asked for its link to an output that was moved. */
  @AutoValue
  abstract static class Passed {
    abstract LocalDir dir();

    abstract MapOutputId id();

    static Passed of(LocalDir dir, MapOutputId id) {
      return new AutoValue_OutputMover_Passed(dir, id);
    }
  }

  /**
   * A mover.
   *
   * @param ownUid who must own the folders
   * @param dirs all of the node, fastest first
   * @param others looks into the dirs above the one that a move leaves
   * @param passed told where a link may lead to a link
   * @param pace tells how much to write at once
   * @param ended takes care of what cannot be removed at once
   * @param observer told of each step
   */
  OutputMover(
      int ownUid,
      List<LocalDir> dirs,
      OtherDirs others,
      Consumer<Passed> passed,
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
    requireOwn(paths.candidate().dir(), paths.candidate().id());
    Undo undo = new Undo(paths);
    boolean done = false;
    try {
      makeWay(paths.link());
      link(paths);
      gate.check();
      observer.reached(MoveStep.LINKED);
      makeFolders(paths, undo, gate);
      requireOwn(paths.target(), paths.candidate().id());
      undo.copying();
      observer.reached(MoveStep.FOLDERS_MADE);
      copy(paths, gate);
      observer.reached(MoveStep.COPIED);
      name(paths, undo, gate);
      observer.reached(MoveStep.COPY_NAMED);
      gate.check();
      checkUnchanged(paths.candidate());
      Files.move(paths.link(), paths.candidate().file(), ATOMIC_MOVE);
      observer.reached(MoveStep.REPLACED);
      repointUpper(paths, undo, gate);
      done = !gate.ended();
      if (!done) {
        gate.check();
      }
    } finally {
      if (!done) {
        boolean over = gate.ended();
        undo.run(over);
        if (over) {
          undo.dirs().forEach(dir -> ended.add(dir, paths.candidate().id()));
        }
      }
    }
  }

  private static void link(MovePaths paths) throws IOException {
    LinkReserve reserve = LinkReserve.ofNode(paths.candidate().dir().path());
    LinkReserve.link(paths.link(), paths.copy(), Immutable.listOf(reserve));
  }

  /** The move is done without it: a link to a link leads to the data, too. */
  private void repointUpper(MovePaths paths, Undo undo, MoveControl gate) {
    for (LocalDir dir : UpperLinks.above(paths.candidate().dir(), dirs)) {
      try {
        if (others.look(dir, () -> repoint(dir, paths, gate))) {
          undo.repoints(dir);
        }
      } catch (OtherDirs.NoAnswerException e) {
        passed.accept(Passed.of(dir, paths.candidate().id()));
      } catch (IOException e) {
        LOG.debug("A link in {} may lead to a link", dir, e);
      }
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
        Undo.deleteLink(folder.path().resolve(MapOutputId.DATA));
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

  /** Deletes what an earlier move left of a temporary name. */
  private static void makeWay(Path temporary) throws IOException {
    if (FileStamp.find(temporary).filter(FileStamp::directory).isPresent()) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, temporary + " is a folder");
    }
    Files.deleteIfExists(temporary);
  }

  /** Makes what is missing between the application's folder and the copy, like the fast ones. */
  private static void makeFolders(MovePaths paths, Undo undo, MoveControl gate) throws IOException {
    makeFolder(paths.outputs(paths.target()), paths.outputs(paths.candidate().dir()));
    gate.check();
    if (makeFolder(paths.folder(), paths.candidate().folder())) {
      undo.madeFolder();
    }
    gate.check();
  }

  /** Makes one folder in one that exists; false when it was there. */
  private static boolean makeFolder(Path folder, Path model) throws IOException {
    FileStamp like = FileStamp.of(model);
    // With its mode at once: to set it afterwards takes the set-group-id bit, which a folder gets
    // from the one above, from a user who is not of that group.
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(model, NOFOLLOW_LINKS);
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(mode));
    } catch (FileAlreadyExistsException e) {
      if (!FileStamp.of(folder).directory()) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, folder + " is no folder");
      }
      return false;
    }
    FileCopy.become(folder, like);
    return true;
  }

  private void copy(MovePaths paths, MoveControl gate) throws IOException {
    Candidate candidate = paths.candidate();
    makeWay(paths.partial());
    Path file = candidate.id().relativePath().resolve(MapOutputId.DATA);
    try (FileChannel in = UserFile.openRegular(candidate.dir().path(), file, PATIENCE);
        FileCopy out = FileCopy.create(paths.partial())) {
      gate.check();
      observer.reached(MoveStep.COPY_STARTED);
      checkUnchanged(candidate);
      FileCopy.Parts parts = parts(paths.target(), gate);
      if (!out.fill(in, candidate.stamp(), pace.partBytes(), parts)) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, candidate.file() + " became shorter");
      }
    }
  }

  private FileCopy.Parts parts(LocalDir target, MoveControl gate) {
    return new FileCopy.Parts() {
      @Override
      public void before(long bytes) throws IOException {
        gate.pass(target, bytes);
      }

      @Override
      public void after() throws IOException {
        observer.reached(MoveStep.PART_COPIED);
      }
    };
  }

  private static void name(MovePaths paths, Undo undo, MoveControl gate) throws IOException {
    gate.check();
    checkUnchanged(paths.candidate());
    if (Files.exists(paths.copy(), NOFOLLOW_LINKS)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, paths.copy() + " is there already");
    }
    undo.naming();
    Files.move(paths.partial(), paths.copy(), ATOMIC_MOVE);
    flushFolder(paths.folder());
  }

  private static void checkUnchanged(Candidate candidate) throws IOException {
    Optional<FileStamp> now = FileStamp.find(candidate.file());
    if (!now.isPresent() || !now.get().unchanged(candidate.stamp())) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, candidate.file() + " changed");
    }
  }

  /** The name must be on the disk before the fast file is gone, lest a power cut takes both. */
  private static void flushFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Some network file systems have no such call. MapReduce runs a lost output again.
      LOG.debug("Cannot flush {}", folder, e);
    }
  }
}
