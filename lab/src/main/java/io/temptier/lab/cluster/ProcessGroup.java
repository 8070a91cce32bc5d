// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The daemons of a cluster and what NodeManagers start. Containers run in sessions of their own and
 * outlive a NodeManager that is killed, so every descendant is noted while its parents live, and
 * ended by its own handle, which tells a process from a later one with the same pid. Thread safe.
 */
final class ProcessGroup {
  /** Prefix of the names of daemons that start others. */
  static final String NODE_MANAGER = "nodemanager-";

  /** Each look reads all processes of the machine. */
  private static final long LOOK_MILLIS = 1_000;

  private static final long POLL_MILLIS = 200;
  private static final Duration ORDERLY = Duration.ofSeconds(6);
  private static final long FORCED_MILLIS = 60_000;

  private final List<Daemon> daemons = new CopyOnWriteArrayList<>();
  private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();
  private final Thread recorder = new Thread(this::record, "process-recorder");
  private volatile boolean ended;

  ProcessGroup() {
    recorder.setDaemon(true);
    recorder.start();
  }

  Daemon start(String name, ProcessBuilder builder, Path log) throws IOException {
    Daemon daemon = new Daemon(name, builder, log);
    daemons.add(daemon);
    if (ended) {
      daemon.end(0);
      throw new IOException("The cluster was closed while " + name + " started");
    }
    return daemon;
  }

  /** Ends one daemon in good order, and the hard way if that takes long. */
  void stop(Daemon daemon) {
    note();
    daemon.quit();
    daemon.end(ORDERLY.toMillis());
    daemons.remove(daemon);
  }

  /** Daemons started so far, those that ended included. */
  List<Daemon> daemons() {
    return List.copyOf(daemons);
  }

  List<ProcessHandle> liveDescendants() {
    note();
    return descendants.stream().filter(ProcessHandle::isAlive).toList();
  }

  /**
   * Ends everything: first by asking, where there are containers, which a NodeManager that is asked
   * ends; then the hard way.
   */
  void end() {
    ended = true;
    if (!liveDescendants().isEmpty()) {
      daemons.forEach(Daemon::quit);
      long deadline = System.nanoTime() + ORDERLY.toNanos();
      while (daemons.stream().anyMatch(Daemon::alive)
          && System.nanoTime() < deadline
          && pause(POLL_MILLIS)) {
        note();
      }
    }
    daemons.forEach(daemon -> daemon.handle().destroyForcibly());
    descendants.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : descendants) {
      long forced = System.nanoTime() + Duration.ofMillis(FORCED_MILLIS).toNanos();
      while (process.isAlive() && System.nanoTime() < forced && pause(POLL_MILLIS)) {
        process.destroyForcibly();
      }
    }
    // What they have open, such as a mounted disk, is free only once they are gone, too.
    daemons.forEach(daemon -> daemon.end(FORCED_MILLIS));
    recorder.interrupt();
  }

  private void record() {
    while (!ended && pause(LOOK_MILLIS)) {
      note();
    }
  }

  /** Notes what runs now; to be called before a NodeManager is killed. */
  void note() {
    descendants.removeIf(process -> !process.isAlive());
    daemons.stream()
        .filter(daemon -> daemon.name().startsWith(NODE_MANAGER))
        .flatMap(daemon -> daemon.handle().descendants())
        .forEach(descendants::add);
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
