// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.shuffle.demotion.asuser.HelperSession.HelperException;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.Mover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Moves outputs of other users, as under the Linux container executor, by a process that runs as
 * the user ({@link MoveHelper}). Here it is only decided what goes where and when the next part may
 * be copied; the NodeManager itself touches nothing in the user's folders. What the helper does to
 * the user's own files is the user's affair; a helper that is lost, late or lies has its user set
 * aside, and costs others no more than that.
 *
 * <p>Room is claimed by the NodeManager. As much as the helper says to have copied, a file without
 * content says in its place: claims look at lengths, and not into users' folders. Where the
 * NodeManager is killed, that file stays and tells of the move.
 *
 * <p>Safe for use by many threads.
 */
public final class UserMover implements Mover {
  /** The helper's folder of the slower dir, for files without content. */
  private static final Path LENGTHS = Scratch.PLACE.resolve("moves");

  /** A flush of the slowest disk takes no longer. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Who copies less in a second is too slow to be waited for, whatever the reason. */
  private static final long LEAST_BYTES_PER_SECOND = 2 << 20;

  /** But for those of whole parts: the last part, and an end for each link that had no room. */
  private static final int OTHER_REPORTS = 10;

  private final HelperSessions sessions;
  private final MoveContext context;
  private final Duration patience;

  /**
   * A mover.
   *
   * @param patience how long a helper may say nothing, such as {@link #PATIENCE}
   */
  public UserMover(HelperSessions sessions, MoveContext context, Duration patience) {
    this.sessions = sessions;
    this.context = context;
    this.patience = patience;
  }

  /**
   * Whose an application's files are.
   *
   * @param uid what {@link MoveContext#uid} said
   */
  public static ApplicationUser owner(LocalDir dir, String user, String application, int uid)
      throws IOException {
    String account = Files.getOwner(MoveContext.home(dir, user), NOFOLLOW_LINKS).getName();
    return ApplicationUser.of(application, user, account, uid);
  }

  /**
   * Sees to what a helper that was killed with its NodeManager left of an application in a dir:
   * another one is asked for, which begins by removing it. A move that runs is left alone.
   *
   * @return false when none can be had now
   */
  public boolean clean(LocalDir dir, String user, String application) throws IOException {
    try (DirectoryStream<Path> begun =
        Files.newDirectoryStream(dir.path().resolve(LENGTHS), application + ".*")) {
      for (Path move : begun) {
        String attempt = move.getFileName().toString().substring(application.length() + 1);
        MapOutputId id = MapOutputId.of(user, application, attempt);
        if (!context.take(id)) {
          continue;
        }
        try {
          int uid = context.uid(dir, user);
          if (uid != context.ownUid() && !sessions.request(owner(dir, user, application, uid))) {
            return false;
          }
          Files.deleteIfExists(move);
        } finally {
          context.release(id);
        }
      }
    } catch (NoSuchFileException e) {
      // No helper has moved anything there.
    }
    return true;
  }

  @Override
  public Path grows(Candidate candidate, LocalDir target) {
    MapOutputId id = candidate.id();
    return target.path().resolve(LENGTHS).resolve(id.application() + "." + id.attempt());
  }

  /** No helper is started before there is room for what it is to move. */
  @Override
  public void moveTo(Candidate candidate, LocalDir target, MoveControl control) throws IOException {
    MapOutputId id = candidate.id();
    ApplicationUser who =
        owner(candidate.dir(), id.user(), id.application(), candidate.stamp().uid());
    if (sessions.setAside(who)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, who.user() + " is set aside");
    }
    Path lengths = grows(candidate, target);
    Files.createDirectories(Objects.requireNonNull(lengths.getParent()));
    try (RandomAccessFile written = new RandomAccessFile(lengths.toFile(), "rw")) {
      HelperSession session =
          sessions
              .acquire(who)
              .orElseThrow(
                  () ->
                      new MoveStoppedException(
                          MoveResult.NOT_YET, "no helper of " + who.application() + " is ready"));
      String trouble = null;
      try {
        move(candidate, target, session, written, control);
      } catch (HelperException e) {
        // Not an error of a disk, as far as is known: it is the user whose outputs stay.
        trouble = String.valueOf(e.getMessage());
        requireMoved(candidate, target, new MoveStoppedException(MoveResult.GIVEN_UP, trouble));
      } catch (MoveStoppedException e) {
        requireMoved(candidate, target, e);
      } finally {
        sessions.release(session, control.ended() ? null : trouble);
      }
    } finally {
      Files.deleteIfExists(lengths);
    }
  }

  private void move(
      Candidate candidate,
      LocalDir target,
      HelperSession session,
      RandomAccessFile written,
      MoveControl control)
      throws IOException {
    long bytes = candidate.stamp().bytes();
    LinkReserve reserve = LinkReserve.ofNode(candidate.dir().path());
    order(session, candidate, target);
    int partBytes = context.pace().partBytes();
    Patience left = new Patience(patience, bytes, partBytes);
    long copied = 0;
    while (true) {
      HelperReport report = left.next(session);
      switch (report.kind()) {
        case PART:
          written.setLength(copied);
          copied = Math.min(bytes, copied + partBytes);
          pass(target, partBytes, session, control, left);
          break;
        case MOVED:
          requireMoved(
              candidate, target, new HelperException("it did not move what it said it had"));
          return;
        case FULL:
          // What is held back is the NodeManager's, and the user may not touch it.
          if (control.ended() || !reserve.give()) {
            throw new MoveStoppedException(MoveResult.GIVEN_UP, report.text());
          }
          order(session, candidate, target);
          break;
        case STOPPED:
          throw new MoveStoppedException(MoveResult.GIVEN_UP, report.text());
        default:
          throw new HelperException(report.kind() + ": " + report.text());
      }
    }
  }

  private void order(HelperSession session, Candidate candidate, LocalDir target)
      throws IOException {
    session.move(
        candidate.id().attempt(),
        context.dirs().indexOf(candidate.dir()),
        context.dirs().indexOf(target),
        candidate.stamp().bytes());
  }

  /** Waits until the next part may be copied; else sees the helper take back the move. */
  private static void pass(
      LocalDir target, int bytes, HelperSession session, MoveControl control, Patience left)
      throws IOException {
    try {
      control.pass(target, bytes);
    } catch (MoveStoppedException e) {
      if (control.ended()) {
        session.ended();
      } else {
        session.stop();
      }
      while (left.next(session).kind() == HelperReport.Kind.PART) {
        // Said before it heard.
      }
      throw e;
    }
  }

  /** Bounds what one move can cost others in waiting for the helper, and in hearing it. */
  private static final class Patience {
    private final Duration once;
    private long leftNanos;
    private long leftReports;

    Patience(Duration once, long bytes, int partBytes) {
      this.once = once;
      leftReports = OTHER_REPORTS + bytes / partBytes;
      leftNanos =
          once.toNanos()
              + (long) ((double) bytes / LEAST_BYTES_PER_SECOND * TimeUnit.SECONDS.toNanos(1));
    }

    HelperReport next(HelperSession session) throws HelperException {
      if (leftReports-- == 0) {
        throw new HelperException("it says more than a move takes");
      }
      long began = System.nanoTime();
      HelperReport report = session.next(Duration.ofNanos(Math.min(once.toNanos(), leftNanos)));
      leftNanos -= System.nanoTime() - began;
      return report;
    }
  }

  /**
   * What is there counts, whatever the helper says: it may be gone, or late, with the move done.
   * Where that cannot be looked at, a disk failed or the user exchanged a folder: that costs this
   * output's turn, and no more.
   */
  private static void requireMoved(Candidate candidate, LocalDir target, IOException otherwise)
      throws IOException {
    long bytes = candidate.stamp().bytes();
    IOException failure = otherwise;
    try {
      if (isThere(candidate.dir(), candidate, BasicFileAttributes::isSymbolicLink)
          && isThere(target, candidate, file -> file.isRegularFile() && file.size() == bytes)) {
        return;
      }
    } catch (IOException e) {
      failure = new MoveStoppedException(MoveResult.GIVEN_UP, "not known to be moved: " + e);
    }
    throw failure;
  }

  private static boolean isThere(
      LocalDir dir, Candidate candidate, Predicate<BasicFileAttributes> wanted) throws IOException {
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), candidate.id().relativePath(), candidate.stamp().uid())
            .orElse(null)) {
      return folder != null && folder.look(MapOutputId.DATA).filter(wanted).isPresent();
    }
  }
}
