// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.HelperException;
import io.temptier.shuffle.demotion.asuser.HelperReport;
import io.temptier.shuffle.demotion.asuser.HelperSession;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Moves outputs of other users, by a process that runs as the user ({@link MoveHelper}). Here it is
 * only decided what goes where and when the next part may be copied; the NodeManager itself touches
 * nothing in the user's folders. What the helper does to the user's own files is the user's affair;
 * a helper that is lost, late or lies has its user set aside, and costs others no more than that.
 *
 * <p>Room is claimed by the NodeManager. As much as the helper says to have copied, a file without
 * content says in its place: claims look at lengths, and not into users' folders.
 */
final class UserMover implements Mover {
  /** The helper's folder of the slower dir, for files without content. */
  private static final Path LENGTHS = Paths.get(".temptier", "as-user", "moves");

  /** A flush of the slowest disk takes no longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Who copies less in a second is too slow to be waited for, whatever the reason. */
  private static final long LEAST_BYTES_PER_SECOND = 2 << 20;

  private final HelperSessions sessions;
  private final List<LocalDir> dirs;
  private final Pace pace;
  private final Duration patience;

  /**
   * A mover.
   *
   * @param dirs of the node, fastest first
   * @param pace the rate of all moves
   */
  UserMover(HelperSessions sessions, List<LocalDir> dirs, Pace pace) {
    this(sessions, dirs, pace, PATIENCE);
  }

  /** The same with another time for a helper to say something. */
  UserMover(HelperSessions sessions, List<LocalDir> dirs, Pace pace, Duration patience) {
    this.sessions = sessions;
    this.dirs = dirs;
    this.pace = pace;
    this.patience = patience;
  }

  /**
   * Whose an application's files are.
   *
   * @param uid what {@link OutputOwners} said
   */
  static ApplicationUser owner(LocalDir dir, String user, String application, int uid)
      throws IOException {
    String account = Files.getOwner(OutputOwners.home(dir, user), NOFOLLOW_LINKS).getName();
    return ApplicationUser.of(application, user, account, uid);
  }

  @Override
  public LocalDir move(Candidate candidate, Placer below, MoveGate gate) throws IOException {
    MapOutputId id = candidate.id();
    ApplicationUser who =
        owner(candidate.dir(), id.user(), id.application(), candidate.stamp().uid());
    if (sessions.setAside(who)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, who.user() + " is set aside");
    }
    // No helper is started before there is room for what it is to move.
    return PlacedMove.run(
        candidate, below, gate, UserMover::lengths, paths -> move(paths, who, gate));
  }

  private void move(MovePaths paths, ApplicationUser who, MoveGate gate) throws IOException {
    HelperSession session =
        sessions
            .acquire(who)
            .orElseThrow(
                () ->
                    new MoveStoppedException(
                        MoveResult.NOT_YET, "no helper of " + who.application() + " is ready"));
    String trouble = null;
    try {
      move(paths, session, gate);
    } catch (LostHelperException e) {
      trouble = e.getMessage();
      throw e;
    } finally {
      sessions.release(session, gate.ended() ? null : trouble);
    }
  }

  /** Not an error of a disk, as far as is known: it is the user whose outputs stay. */
  private static final class LostHelperException extends MoveStoppedException {
    private static final long serialVersionUID = 1;

    LostHelperException(String why) {
      super(MoveResult.GIVEN_UP, why);
    }
  }

  private static Path lengths(MovePaths paths) {
    MapOutputId id = paths.candidate().id();
    return paths.target().path().resolve(LENGTHS).resolve(id.application() + "." + id.attempt());
  }

  private void move(MovePaths paths, HelperSession session, MoveGate gate) throws IOException {
    Candidate candidate = paths.candidate();
    long bytes = candidate.stamp().bytes();
    LinkReserve reserve = LinkReserve.ofNode(candidate.dir().path());
    Path lengths = lengths(paths);
    Files.createDirectories(Objects.requireNonNull(lengths.getParent()));
    try (RandomAccessFile written = new RandomAccessFile(lengths.toFile(), "rw")) {
      order(session, paths);
      Patience left = new Patience(patience, bytes);
      long copied = 0;
      while (true) {
        HelperReport report = left.next(session, gate);
        switch (report.kind()) {
          case PART:
            written.setLength(copied);
            copied = Math.min(bytes, copied + pace.partBytes());
            pass(paths.target(), session, gate, left);
            break;
          case MOVED:
            requireMoved(paths);
            return;
          case FULL:

            // What is held back is the NodeManager's, and the user may not touch it.
            if (gate.ended() || !reserve.give()) {
              throw new MoveStoppedException(MoveResult.GIVEN_UP, report.text());
            }
            order(session, paths);
            break;
          case STOPPED:
            throw new MoveStoppedException(MoveResult.GIVEN_UP, report.text());
          default:
            throw new LostHelperException(report.kind() + ": " + report.text());
        }
      }
    } catch (HelperException e) {
      if (session.endedBeforeOrder() && !gate.ended()) {
        throw new MoveStoppedException(
            MoveResult.NOT_YET, "the helper ended before it had the order");
      }
      throw new LostHelperException(String.valueOf(e.getMessage()));
    } finally {
      Files.deleteIfExists(lengths);
    }
  }

  private void order(HelperSession session, MovePaths paths) throws IOException {
    Candidate candidate = paths.candidate();
    session.move(
        candidate.id().attempt(),
        dirs.indexOf(candidate.dir()),
        dirs.indexOf(paths.target()),
        candidate.stamp().bytes());
  }

  /** Waits until the next part may be copied; else sees the helper take back the move. */
  private void pass(LocalDir target, HelperSession session, MoveGate gate, Patience left)
      throws IOException {
    try {
      gate.pass(target, pace.partBytes());
    } catch (MoveStoppedException e) {
      if (gate.ended()) {
        session.ended();
      } else {
        session.stop();
      }
      while (left.next(session, gate).kind() == HelperReport.Kind.PART) {
        // Said before it heard.
      }
      throw e;
    }
  }

  /** Bounds what one move can cost others in waiting for the helper. */
  private static final class Patience {
    private final Duration once;
    private long leftNanos;
    private boolean toldOfEnd;

    Patience(Duration once, long bytes) {
      this.once = once;
      leftNanos =
          once.toNanos()
              + (long) ((double) bytes / LEAST_BYTES_PER_SECOND * TimeUnit.SECONDS.toNanos(1));
    }

    HelperReport next(HelperSession session, MoveGate gate) throws IOException {
      long began = System.nanoTime();
      while (true) {
        boolean news = !toldOfEnd && gate.ended();
        if (news) {
          toldOfEnd = true;
          session.ended();
        }
        try {
          Duration wait = Duration.ofNanos(Math.min(once.toNanos(), leftNanos));
          HelperReport report = session.next(wait, () -> !toldOfEnd && gate.ended());
          leftNanos -= System.nanoTime() - began;
          return report;
        } catch (HelperException e) {
          if (toldOfEnd || !gate.ended()) {
            throw e;
          }
        }
      }
    }
  }

  /** What the helper says is held against what is there. */
  private static void requireMoved(MovePaths paths) throws IOException {
    Candidate candidate = paths.candidate();
    if (!isThere(candidate.dir(), candidate, true) || !isThere(paths.target(), candidate, false)) {
      throw new LostHelperException("it did not move what it said it had");
    }
  }

  private static boolean isThere(LocalDir dir, Candidate candidate, boolean link)
      throws IOException {
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), candidate.id().relativePath(), candidate.stamp().uid())
            .orElse(null)) {
      return folder != null
          && folder
              .look(MapOutputId.DATA)
              .filter(
                  file ->
                      link
                          ? file.isSymbolicLink()
                          : file.isRegularFile() && file.size() == candidate.stamp().bytes())
              .isPresent();
    } catch (OwnFolder.ForeignException e) {
      return false;
    }
  }
}
