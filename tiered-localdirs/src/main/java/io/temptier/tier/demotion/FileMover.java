// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one file to a slower dir. A reader that looks for the file, with whatever code, finds it
 * whole at every instant:
 *
 * <ol>
 *   <li>make a link beside the name, under a temporary one, to where the copy will be: first, as a
 *       full disk may not take it;
 *   <li>copy the file, with owner, mode and times, and flush it to the disk;
 *   <li>rename the copy to its final name: now there are two, the same;
 *   <li>rename the link over the name, if that still has what was copied.
 * </ol>
 *
 * <p>A reader that has the file open reads on from it. After a kill at any step the file is whole,
 * and at most one copy too many is left, to which the link of a temporary name leads: it is made
 * first and removed last. After any other failure what was made is removed.
 *
 * <p>An application's folder is never made, and what was made within it after the application ended
 * is taken back: {@link MoveControl#check} follows each name that is made. What may be moved, and
 * that no other user can exchange a folder on the way, is the {@link Owner}'s to see to.
 */
public final class FileMover {
  private static final Logger LOG = LoggerFactory.getLogger(FileMover.class);

  /** Written but not yet on the disk at most so much, or one flush would hold up readers. */
  private static final long FLUSH_BYTES = 32L << 20;

  private static final FileAttribute<?> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  @AutoValue
  public abstract static class Route {
    abstract Path file();

    /** The file as it was when it was chosen. */
    abstract FileStamp stamp();

    /** Name by which readers find it: the file, or a link to it. */
    abstract Path name();

    /** A temporary name in the folder of {@link #name}. */
    abstract Path link();

    /** The copy's name while it is not whole; may be its final one where nobody looks for that. */
    abstract Path partial();

    abstract Path copy();

    abstract LocalDir target();

    public static Route of(
        Path file,
        FileStamp stamp,
        Path name,
        Path link,
        Path partial,
        Path copy,
        LocalDir target) {
      return new AutoValue_FileMover_Route(file, stamp, name, link, partial, copy, target);
    }
  }

  /** Owner of a file, with its part in a move, which each method may end. */
  public interface Owner {
    default FileChannel open(Path file) throws IOException {
      return FileChannel.open(file, Immutable.setOf(READ, NOFOLLOW_LINKS));
    }

    /** Renames the link over the name; false when that has no longer what was copied. */
    boolean replace(Path name, FileStamp copied, Path link) throws IOException;

    default void foldersMade() throws IOException {}

    default void takenBackAtEnd() {}
  }

  private final Route route;
  private final Owner owner;
  private final MoveControl control;
  private boolean folderMade;
  private boolean copying;
  private boolean named;

  public FileMover(Route route, Owner owner, MoveControl control) {
    this.route = route;
    this.owner = owner;
    this.control = control;
  }

  /**
   * Claims room, until the caller settles the path.
   *
   * @param below chooses among the slower dirs
   * @param path makes the path whose length tells how much of what was claimed is written
   * @return empty when no dir has room above its reserve: less is good enough for a file that has
   *     to be written, not for one that has a place
   */
  public static Optional<Placer.Placed> claim(
      Placer below, PlacementRequest request, Placer.PathMaker path) {
    Optional<Placer.Placed> placed = below.place(request, path);
    if (placed.isPresent() && placed.get().placement().reason() == Reason.OVER_RESERVE) {
      below.settle(placed.get().file());
      return Optional.empty();
    }
    return placed;
  }

  /**
   * Moves the file.
   *
   * @param partBytes the most to write at once
   * @param reserves that room for the link may be taken from, the first to use first
   * @throws MoveStoppedException when the file was not to be moved, or not on
   */
  public void move(int partBytes, List<LinkReserve> reserves) throws IOException {
    boolean done = false;
    try {
      makeWay(route.link());
      LinkReserve.link(route.link(), route.copy(), reserves);
      // No copy outlives a power cut without it: it is what leftovers are found by.
      flushFolder(parent(route.link()));
      control.check();
      makeFolder(parent(parent(route.copy())), parent(parent(route.file())));
      control.check();
      folderMade = !FileStamp.find(parent(route.copy())).isPresent();
      makeFolder(parent(route.copy()), parent(route.file()));
      control.check();
      owner.foldersMade();
      copying = true;
      copy(partBytes);
      name();
      control.check();
      replace();
      done = !control.ended();
      if (!done) {
        control.check();
      }
    } finally {
      if (!done) {
        takeBack(control.ended());
      }
    }
  }

  static Path parent(Path path) {
    return Objects.requireNonNull(path.getParent());
  }

  /** Deletes what an earlier move left of a temporary name. */
  private static void makeWay(Path temporary) throws IOException {
    if (FileStamp.find(temporary).filter(FileStamp::directory).isPresent()) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, temporary + " is a folder");
    }
    Files.deleteIfExists(temporary);
  }

  /**
   * Makes one folder in one that exists, with owner, group and mode of another, unless it is there.
   *
   * @throws MoveStoppedException when something else is there
   */
  static void makeFolder(Path folder, Path model) throws IOException {
    FileStamp like = FileStamp.of(model);
    // With its mode at once: to set it afterwards takes the set-group-id bit, which a folder gets
    // from the one above, from a user who is not of that group.
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(model, NOFOLLOW_LINKS);
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(mode));
      become(folder, like);
    } catch (FileAlreadyExistsException e) {
      if (!FileStamp.of(folder).directory()) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, folder + " is no folder");
      }
    } catch (IOException e) {
      deleteFolder(folder);
      throw e;
    }
  }

  private void copy(int partBytes) throws IOException {
    makeWay(route.partial());
    checkFree();
    try (FileChannel in = owner.open(route.file());
        // Nobody else may read it, and there must be nothing of its name yet.
        FileChannel out =
            FileChannel.open(route.partial(), Immutable.setOf(CREATE_NEW, WRITE), OWN_FILE)) {
      control.check();
      checkUnchanged();
      fill(in, out, partBytes);
    }
  }

  /**
   * Copies all of the file, with owner, mode and times; to the disk with it. Part by part, so that
   * readers of both disks are not held up.
   */
  private void fill(FileChannel in, FileChannel out, int partBytes) throws IOException {
    long bytes = route.stamp().bytes();
    long flushed = 0;
    for (long position = 0; position < bytes; ) {
      long part = Math.min(partBytes, bytes - position);
      control.pass(route.target(), part);
      long copied = in.transferTo(position, part, out);
      if (copied <= 0) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, route.file() + " became shorter");
      }
      position += copied;
      if (position - flushed >= FLUSH_BYTES) {
        out.force(false);
        flushed = position;
      }
    }
    become(route.partial(), route.stamp());
    Files.setLastModifiedTime(route.partial(), route.stamp().modified());
    // What is not on the disk yet is not to be the only copy.
    out.force(true);
  }

  /** Gives a file or folder of this process's owner, group and mode of another. */
  private static void become(Path path, FileStamp like) throws IOException {
    FileStamp now = FileStamp.of(path);
    if (now.uid() != like.uid()) {
      Files.setAttribute(path, "unix:uid", like.uid(), NOFOLLOW_LINKS);
    }
    if (now.gid() != like.gid()) {
      Files.setAttribute(path, "unix:gid", like.gid(), NOFOLLOW_LINKS);
    }
    if (now.permissions() != like.permissions()) {
      Files.setAttribute(path, "unix:mode", like.permissions(), NOFOLLOW_LINKS);
    }
  }

  private void name() throws IOException {
    control.check();
    checkUnchanged();
    if (!route.partial().equals(route.copy())) {
      checkFree();
      named = true;
      Files.move(route.partial(), route.copy(), ATOMIC_MOVE);
    }
    flushFolder(parent(route.copy()));
  }

  private void checkUnchanged() throws IOException {
    if (!FileStamp.find(route.file()).filter(route.stamp()::unchanged).isPresent()) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, route.file() + " changed");
    }
  }

  /** A copy that an earlier move left, all of whose data is in the file, may be written over. */
  private void checkFree() throws IOException {
    Optional<FileStamp> there = FileStamp.find(route.copy());
    if (there.filter(found -> !found.regular() || !found.sameContent(route.stamp())).isPresent()) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, route.copy() + " is there already");
    }
  }

  private void replace() throws IOException {
    if (!owner.replace(route.name(), route.stamp(), route.link())) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, route.name() + " or its copy changed");
    }
    if (Files.notExists(route.copy(), NOFOLLOW_LINKS)) {
      throw new IOException(
          route.name() + " leads to " + route.copy() + ", which somebody else deleted");
    }
  }

  /**
   * Renames the link to a copy over a name. The last look at the copy is here: its disk may have
   * been taken away.
   *
   * @throws MoveStoppedException when the copy or the link is gone
   */
  public static void exchange(Path link, Path name) throws IOException {
    if (!Files.isRegularFile(link)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "the copy of " + name + " is gone");
    }
    Path copy = Files.readSymbolicLink(link);
    try {
      Files.move(link, name, ATOMIC_MOVE);
    } catch (IOException e) {
      // It may be done and reported as failed.
      if (leads(name, copy)) {
        return;
      }
      if (e instanceof NoSuchFileException) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, link + " was taken away");
      }
      throw e;
    }
  }

  /**
   * Puts the names in a folder on the disk. What is gone from one disk must be found on the other
   * after a power cut. Never throws.
   */
  public static void flushFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, Immutable.setOf(READ))) {
      channel.force(true);
    } catch (IOException e) {
      // Some network file systems have no such call. What is lost is made again.
      LOG.debug("Cannot flush {}", folder, e);
    }
  }

  /** Takes back what was made; nobody needs the data of an application that has ended. */
  private void takeBack(boolean ended) {
    boolean linked;
    try {
      linked = leads(route.name(), route.copy());
    } catch (IOException e) {
      // It may be one. Then the copy is all there is; what is too much is removed another time.
      linked = true;
      control.left();
    }
    if (linked && !ended) {
      return;
    }
    boolean gone = !linked || delete(route.name());
    gone &= !copying || delete(route.partial());
    gone &= !named || delete(route.copy());
    Path folder = parent(route.copy());
    gone &= !folderMade || deleteFolder(folder);
    // Last: it tells who looks for leftovers where the copy is.
    if (gone || ended) {
      flushFolder(folderMade ? parent(folder) : folder);
      gone &= delete(route.link());
    }
    if (!gone) {
      control.left();
    }
    if (ended) {
      owner.takenBackAtEnd();
    }
  }

  /** True if a name is a link to {@code target}. */
  public static boolean leads(Path name, Path target) throws IOException {
    try {
      return Files.readSymbolicLink(name).equals(target);
    } catch (NotLinkException | NoSuchFileException e) {
      return false;
    }
  }

  /** Deletes what a move made, and no folder; false when it cannot be deleted. Never throws. */
  public static boolean delete(Path path) {
    try {
      if (!FileStamp.find(path).filter(FileStamp::directory).isPresent()) {
        Files.deleteIfExists(path);
      }
      return true;
    } catch (IOException e) {
      // Who looks for leftovers warns where it stays.
      LOG.debug("Cannot delete {}", path, e);
      return false;
    }
  }

  /** Deletes a folder if it is empty; false when that cannot be done. Never throws. */
  public static boolean deleteFolder(Path folder) {
    try {
      Files.delete(folder);
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      // As it should be.
    } catch (IOException e) {
      LOG.debug("Cannot delete {}", folder, e);
      return false;
    }
    return true;
  }
}
