// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.room.capacity.FileSystemCapacity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders that helpers run in: made in the fastest dir with room, and deleted as their users,
 * also those that earlier NodeManagers left. Safe for use by many threads.
 */
final class HelperFolders {
  private static final Logger LOG = LoggerFactory.getLogger(HelperFolders.class);

  private final Supplier<Optional<UserProcesses>> processes;
  private final MoveContext context;
  private final Predicate<String> running;
  private final Executor threads;

  /** One for all helpers, since it remembers what is dear to ask. */
  private final CapacityProbe probe = new FileSystemCapacity();

  /** Those looked through, or being so, for what earlier NodeManagers left; each by itself. */
  private final Map<Scratch, FutureTask<Scratch>> used = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param processes by which helpers run
   * @param running whether an application may be running
   * @param threads run what may take long
   */
  HelperFolders(
      Supplier<Optional<UserProcesses>> processes,
      MoveContext context,
      Predicate<String> running,
      Executor threads) {
    this.processes = processes;
    this.context = context;
    this.running = running;
    this.threads = threads;
  }

  /**
   * The folders in the fastest dir with room: the dir whose outputs are to leave it may be full. No
   * dir is waited for but that one, and neither for long.
   */
  Scratch scratch() throws IOException {
    List<LocalDir> dirs = context.dirs();
    LocalDir fastest = dirs.stream().filter(this::roomy).findFirst().orElse(dirs.get(0));
    return context.look(fastest, () -> lookThroughOnce(Scratch.make(fastest.path())));
  }

  private boolean roomy(LocalDir dir) {
    try {
      return context.look(dir, () -> Scratch.roomy(probe.probe(dir.path())));
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
        .forEach(earlier -> threads.execute(() -> delete(earlier)));
    return scratch;
  }

  /** Deletes those of an application whose helper has ended. May take long. */
  void delete(ApplicationUser who) {
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
}
