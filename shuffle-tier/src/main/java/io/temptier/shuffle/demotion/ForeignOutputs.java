// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.demotion.asuser.UserProcesses;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of other users than this process's, as under the Linux container executor. Helpers
 * are set up when there is first something to do, on a thread of their own. Safe for use by many
 * threads.
 */
final class ForeignOutputs implements Mover, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignOutputs.class);

  /** A disk that is full, or not ours, stays so for a while. */
  private static final Duration RETRY = Duration.ofMinutes(10);

  private final Supplier<Optional<UserProcesses>> processes;
  private final RunningApplications running;
  private final OutputOwners owners;
  private final List<LocalDir> dirs;
  private final OtherDirs others;
  private final Pace pace;
  private final long bytesPerSecond;
  private final HelperSessions.Listener listener;

  /** Told at the start, before an upgrade. */
  private final Launch java = MoveHelper.LAUNCH;

  /** When the leftovers of an application are seen to. */
  enum Cleaning {
    /** There are none, or nothing is to be done about them; or a helper removes them. */
    DONE,
    /** As soon as helpers can be had. */
    SOON,
    /** This user has to wait, or all have. */
    LATER
  }

  private boolean opening;
  private boolean closed;
  private long triedNanos = System.nanoTime() - RETRY.toNanos();
  private volatile @Nullable HelperSessions sessions;

  /**
   * Nothing is set up.
   *
   * @param processes run as users; empty where that is not possible
   * @param dirs of the node, fastest first
   * @param others looks into dirs of other threads
   * @param pace of all moves
   */
  ForeignOutputs(
      Supplier<Optional<UserProcesses>> processes,
      RunningApplications running,
      int ownUid,
      List<LocalDir> dirs,
      OtherDirs others,
      Pace pace,
      long bytesPerSecond,
      HelperSessions.Listener listener) {
    this.processes = processes;
    this.running = running;
    this.owners = new OutputOwners(ownUid, this::movable);
    this.dirs = dirs;
    this.others = others;
    this.pace = pace;
    this.bytesPerSecond = bytesPerSecond;
    this.listener = listener;
  }

  /** Tells whose files can be moved. */
  OutputOwners owners() {
    return owners;
  }

  /** Whether they can be moved here. */
  private boolean movable() {
    return sessions != null || processes.get().isPresent();
  }

  /** Users that wait after trouble with a helper. */
  int usersSetAside() {
    HelperSessions now = sessions;
    return now == null ? 0 : now.setAside();
  }

  @Override
  public LocalDir move(Candidate candidate, Placer below, MoveGate gate) throws IOException {
    HelperSessions now = sessions;
    if (now == null) {
      open();
      throw new MoveStoppedException(MoveResult.NOT_YET, "helpers are not set up yet");
    }
    return new UserMover(now, dirs, pace).move(candidate, below, gate);
  }

  /** Sets helpers up; false when they could not be a while ago. */
  private synchronized boolean open() {
    if (!opening && !closed && System.nanoTime() - triedNanos >= RETRY.toNanos()) {
      opening = true;
      Thread thread = new Thread(this::openHere, "TempTier demotion sets helpers up");
      thread.setDaemon(true);
      thread.start();
    }
    return opening;
  }

  private void openHere() {
    try {
      Optional<UserProcesses> asUsers = processes.get();
      Optional<Map<String, String>> users = running.users();
      if (asUsers.isPresent() && users.isPresent()) {
        HelperSessions opened =
            new HelperSessions(
                asUsers.get(),
                java,
                dirs,
                bytesPerSecond,
                users.get().keySet(),
                listener,
                System::nanoTime);
        synchronized (this) {
          if (!closed) {
            sessions = opened;
            return;
          }
        }
        opened.close();
      }
      synchronized (this) {
        opening = false;
      }
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        opening = false;
        triedNanos = System.nanoTime();
      }
      LOG.warn(
          "Nothing of other users is demoted: the folders of their helpers cannot be made in {}."
              + " See that it has room, and give {}/.temptier to the NodeManager's user. Tried"
              + " again in {} minutes",
          dirs.get(0),
          dirs.get(0).path(),
          RETRY.toMinutes(),
          e);
    }
  }

  /**
   * Looks for what a helper that was killed left of an application in a dir. If there seems to be
   * something, a helper is asked for, which begins by removing it.
   */
  Cleaning lookThrough(LocalDir dir, String user, String application) throws IOException {
    int uid = owners.uid(dir, user);
    if (uid == owners.ownUid() || !hasLeftovers(dir, user, application, uid)) {
      return Cleaning.DONE;
    }
    HelperSessions now = sessions;
    if (now == null) {
      return open() ? Cleaning.SOON : Cleaning.LATER;
    }
    return now.request(UserMover.owner(dir, user, application, uid))
        ? Cleaning.DONE
        : Cleaning.LATER;
  }

  private boolean hasLeftovers(LocalDir dir, String user, String application, int uid)
      throws IOException {
    try (@Nullable OwnFolder outputs =
        OwnFolder.open(dir.path(), OutputScanner.outputs(user, application), uid).orElse(null)) {
      if (outputs == null) {
        return false;
      }
      for (String name : names(outputs)) {
        try (@Nullable OwnFolder folder = outputs.child(name).orElse(null)) {
          if (folder != null && isLeft(dir, MapOutputId.of(user, application, name), folder)) {
            return true;
          }
        } catch (OwnFolder.ForeignException e) {
          // No helper of this user's made it.
        }
      }
      return false;
    } catch (OwnFolder.ForeignException e) {
      return false;
    }
  }

  private static List<String> names(OwnFolder outputs) throws IOException {
    return outputs.names(OutputScanner.ATTEMPT).stream()
        .filter(OutputScanner::isFinal)
        .collect(Immutable.toList());
  }

  private boolean isLeft(LocalDir dir, MapOutputId id, OwnFolder folder) throws IOException {
    if (folder.look(MovePaths.COPY).isPresent() || folder.look(MovePaths.LINK).isPresent()) {
      return true;
    }
    if (!hasData(folder)) {
      return false;
    }
    for (LocalDir faster : UpperLinks.above(dir, dirs)) {
      try {
        if (others.look(faster, () -> hasData(faster, id))) {
          return true;
        }
      } catch (OtherDirs.NoAnswerException e) {
        LOG.debug("A copy of {} may be one too many", id, e);
      }
    }
    return false;
  }

  private boolean hasData(LocalDir dir, MapOutputId id) throws IOException {
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), owners.uid(dir, id.user())).orElse(null)) {
      return folder != null && hasData(folder);
    } catch (OwnFolder.ForeignException e) {
      return false;
    }
  }

  private static boolean hasData(OwnFolder folder) throws IOException {
    return folder.look(MapOutputId.DATA).filter(BasicFileAttributes::isRegularFile).isPresent();
  }

  /** Forgets applications that run no more. */
  void retain(Map<String, String> users) {
    HelperSessions now = sessions;
    if (now != null) {
      now.retain(users.keySet());
    }
  }

  /** An application is over. */
  void applicationEnded(String application) {
    HelperSessions now = sessions;
    if (now != null) {
      now.applicationEnded(application);
    }
  }

  @Override
  public void close() {
    HelperSessions last;
    synchronized (this) {
      closed = true;
      last = sessions;
    }
    if (last != null) {
      last.close();
    }
  }
}
