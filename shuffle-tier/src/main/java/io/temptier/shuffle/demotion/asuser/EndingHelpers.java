// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.shuffle.demotion.move.OtherDirs;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.room.capacity.FileSystemCapacity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the folders that helpers run in, ends helpers, and deletes what they leave. That may take
 * long, so it is done on threads to spare, which the start of helpers shares. Safe for use by many
 * threads.
 */
final class EndingHelpers {
  private static final Logger LOG = LoggerFactory.getLogger(EndingHelpers.class);
  private static final Duration END_PATIENCE = Duration.ofSeconds(15);

  private final Supplier<Optional<UserProcesses>> processes;
  private final List<LocalDir> dirs;
  private final OtherDirs others;
  private final Predicate<String> running;

  /** One for all helpers, since it remembers what is dear to ask. */
  private final CapacityProbe probe = new FileSystemCapacity();

  /** Those looked through, or being so, for what earlier NodeManagers left; each by itself. */
  private final Map<Scratch, FutureTask<Scratch>> used = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /**
   * No helper has run yet.
   *
   * @param processes by which they run
   * @param dirs of the node, fastest first
   * @param others looks into them
   * @param running whether an application may be running
   */
  EndingHelpers(
      Supplier<Optional<UserProcesses>> processes,
      List<LocalDir> dirs,
      OtherDirs others,
      Predicate<String> running) {
    this.processes = processes;
    this.dirs = dirs;
    this.others = others;
    this.running = running;
  }

  /**
   * The folders of helpers in the fastest dir with room: the dir whose outputs are to leave it may
   * be full. No dir is waited for but that one, and neither for long.
   */
  Scratch scratch() throws IOException {
    LocalDir fastest = dirs.stream().filter(this::roomy).findFirst().orElse(dirs.get(0));
    return others.look(fastest, () -> lookThroughOnce(Scratch.make(fastest.path())));
  }

  private boolean roomy(LocalDir dir) {
    try {
      return others.look(dir, () -> Scratch.roomy(probe.probe(dir.path())));
    } catch (IOException e) {
      LOG.debug("{} cannot be asked for its room", dir, e);
      return false;
    }
  }

  /** Whoever comes first does it; the others wait for that. */
  private Scratch lookThroughOnce(Scratch scratch) throws Exception {
    FutureTask<Scratch> once =
        used.computeIfAbsent(scratch, any -> new FutureTask<>(() -> lookThrough(scratch)));
    once.run();
    try {
      return once.get();
    } catch (ExecutionException e) {
      used.remove(scratch, once);
      throw e;
    }
  }

  private Scratch lookThrough(Scratch scratch) throws IOException {
    scratch.deleteOwn();
    scratch.applications().stream()
        .filter(earlier -> !running.test(earlier.application()))
        .forEach(earlier -> applicationOver(earlier, null));
    return scratch;
  }

  /** Does something about helpers that may take long. Never blocks. */
  void execute(Runnable work) {
    // Afterwards it is left to the next NodeManager.
    if (!closed) {
      Threads.run("TempTier demotion, a helper", work);
    }
  }

  /** Ends a helper that nobody uses; kills it when it takes too long, or {@code atOnce}. */
  void end(HelperSession session, boolean atOnce) {
    execute(() -> endHere(session, atOnce));
  }

  /** Ends the helper of an application that is over, if it has one, and deletes its folders. */
  void applicationOver(ApplicationUser who, @Nullable HelperSession session) {
    execute(
        () -> {
          if (session != null) {
            try {
              session.ended();
            } catch (IOException e) {
              LOG.debug("{} is over already", session, e);
            }
            endHere(session, false);
          }
          deleteFolders(who);
        });
  }

  /** The same on this thread, which may be interrupted meanwhile. */
  static void endHere(HelperSession session, boolean atOnce) {
    try {
      session.quit();
      if (atOnce || !session.awaitEnd(END_PATIENCE)) {
        session.kill();
        session.awaitEnd(END_PATIENCE);
      }
    } catch (IOException e) {
      LOG.warn("The helper {} of {} cannot be ended", session.pid(), session.who(), e);
    } finally {
      letGo(session);
    }
  }

  /** Stops listening to a helper, which then ends by itself. */
  static void letGo(HelperSession session) {
    try {
      session.close();
    } catch (IOException e) {
      LOG.debug("Closing {}", session, e);
    }
  }

  private void deleteFolders(ApplicationUser who) {
    for (Scratch scratch : used.keySet()) {
      try {
        if (processes.get().isPresent()) {
          processes.get().get().delete(who, scratch.folder(who));
          processes.get().get().delete(who, scratch.logs(who));
        }
      } catch (IOException e) {
        LOG.info(
            "{} and {} stay until the NodeManager starts again: {}",
            scratch.folder(who),
            scratch.logs(who),
            e.toString());
      }
    }
  }

  /** Begins nothing more. */
  void close() {
    closed = true;
  }
}
