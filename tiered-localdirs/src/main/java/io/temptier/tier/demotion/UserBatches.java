// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.demotion.UserProcesses.Signal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.room.Backoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves batches of files as their users, one batch of a node at a time, so that each has the rate
 * of the node for itself. Nothing that a process says is heard; how long one may take follows from
 * its bytes. A batch stops while others want the slower device, and is killed when it is not to go
 * on. What one that was killed left is removed by the next one of its application.
 *
 * <p>A user whose batch moved nothing is left alone for a while, longer each time. Safe for use by
 * many threads.
 */
public class UserBatches {
  /** The most that one process moves, as nothing is known of it before its end. */
  public static final long MOST_BYTES = 256L << 20;

  /** A flush of the slowest disk takes no longer, and the start of a JVM. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Who copies less in a second is too slow to be waited for, whatever the reason. */
  private static final long LEAST_BYTES_PER_SECOND = 2 << 20;

  private static final long LOOK_MILLIS = 100;
  private static final Duration END_PATIENCE = Duration.ofSeconds(15);
  private static final Duration FIRST_REST = Duration.ofSeconds(10);
  private static final Duration LONGEST_REST = Duration.ofMinutes(10);

  /** Variables that a process gets of the NodeManager's environment. */
  private static final Set<String> ENVIRONMENT = Immutable.setOf("PATH", "LANG", "LC_ALL", "TZ");

  private static final Logger LOG = LoggerFactory.getLogger(UserBatches.class);

  private final Supplier<Optional<UserProcesses>> processes;
  private final long bytesPerSecond;
  private final Duration patience;
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final LongSupplier clockNanos;
  private final Semaphore slot = new Semaphore(1);
  private final Map<String, Backoff> users = new ConcurrentHashMap<>();
  private final Set<Scratch> used = ConcurrentHashMap.newKeySet();

  /**
   * Batches of a node.
   *
   * @param processes run as users; empty where that is not possible
   * @param bytesPerSecond the rate of demotion
   * @param patience how long a batch may take, beside what its bytes do: for its start and flushes
   */
  public UserBatches(
      Supplier<Optional<UserProcesses>> processes,
      long bytesPerSecond,
      Duration patience,
      LongSupplier clockNanos) {
    this.processes = processes;
    this.bytesPerSecond = bytesPerSecond;
    this.patience = patience;
    this.clockNanos = clockNanos;
  }

  /**
   * Returns a path for a claim on a file that grows; none is there, so that the claim stays whole.
   */
  public static Path growing(LocalDir target, String file) {
    return Scratch.in(target.path()).own().resolve(file);
  }

  public boolean rests(ApplicationUser owner) {
    return of(owner).waiting();
  }

  public long started() {
    return started.get();
  }

  /** Counts the batches that moved nothing though nobody stopped them. */
  public long failures() {
    return failures.get();
  }

  private Backoff of(ApplicationUser owner) {
    return users.computeIfAbsent(
        owner.user(),
        user ->
            new Backoff(
                "The process that moves files of user " + user + " as " + owner.runAs(),
                "they stay where they are, others' are moved. Unless the user did that, see that "
                    + owner.runAs()
                    + " can run the NodeManager's Java and read TempTier's jars",
                FIRST_REST,
                LONGEST_REST,
                clockNanos));
  }

  /** Looks at the disks for what a batch has moved; whatever the process did, that counts. */
  @FunctionalInterface
  public interface Look {
    boolean moved() throws IOException;
  }

  /**
   * Runs a batch, and looks what it did. A user whose batch moved nothing, though nobody stopped
   * it, is left alone.
   *
   * @throws MoveStoppedException when it was not to begin, or was stopped
   * @throws IOException when the NodeManager could not start or end it; the message has the dir
   */
  public void move(
      ApplicationUser owner,
      Launch java,
      List<String> arguments,
      LocalDir from,
      LocalDir to,
      long bytes,
      MoveControl control,
      Look look)
      throws IOException {
    String ended = null;
    try {
      ended = run(owner, java, arguments, from, to, bytes, control);
    } catch (MoveStoppedException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("to " + to + ": " + e, e);
    } finally {
      if (look.moved()) {
        of(owner).worked();
      } else if (ended != null) {
        failures.incrementAndGet();
        of(owner).failed(ended);
      }
    }
  }

  /**
   * Runs a batch and waits for its end.
   *
   * @param arguments of the main class, after those of {@link BatchProcess}
   * @param from the dir whose files move
   * @param to dirs of one device that they go to
   * @param bytes of the files
   * @return how it ended, for people
   * @throws MoveStoppedException when it was not to begin, or was stopped
   * @throws IOException when the NodeManager could not start or end it
   */
  public String run(
      ApplicationUser owner,
      Launch java,
      List<String> arguments,
      LocalDir from,
      LocalDir to,
      long bytes,
      MoveControl control)
      throws IOException {
    if (!slot.tryAcquire()) {
      throw new MoveStoppedException(MoveResult.NOT_YET, "another batch runs");
    }
    try {
      UserProcesses userProcesses =
          processes.get().orElseThrow(() -> new IOException("nothing can be run as users"));
      Scratch scratch = scratch(userProcesses, to.path());
      if (bytes > 0) {
        makeRoom(from);
      }
      control.pass(to, bytes);
      String name = UUID.randomUUID().toString();
      // What the container executor copies for its user; it has no secret in it.
      Path credentials = scratch.own().resolve(name);
      Io.writeString(credentials, "none\n");
      try {
        List<String> program = new ArrayList<>();
        program.add(name);
        program.add(Long.toString(ProcessTable.ownPid()));
        program.add(owner.user());
        program.add(owner.application());
        program.add(Long.toString(bytesPerSecond));
        program.add(from.path().toString());
        program.addAll(arguments);
        ProcessBuilder builder =
            new ProcessBuilder(
                userProcesses.command(
                    owner, scratch, credentials, java.command(scratch.jars(), program)));
        builder.environment().keySet().retainAll(ENVIRONMENT);
        LOG.debug("A batch of {}: {}", owner, builder.command());
        started.incrementAndGet();
        return await(userProcesses, owner, Launch.start(builder), to, bytes, control);
      } finally {
        Files.deleteIfExists(credentials);
        delete(userProcesses, owner, scratch.folder(owner));
        delete(userProcesses, owner, scratch.logs(owner));
        if (control.ended() && userProcesses.deletesAtEnd()) {
          // The NodeManager may have looked there before the last name was made.
          Path application = LocalDir.application(owner.user(), owner.application());
          delete(userProcesses, owner, from.path().resolve(application));
          delete(userProcesses, owner, to.path().resolve(application));
        }
      }
    } finally {
      slot.release();
    }
  }

  private Scratch scratch(UserProcesses userProcesses, Path localDir) throws IOException {
    Scratch scratch = Scratch.in(localDir);
    scratch.make();
    if (used.add(scratch)) {
      scratch.deleteOwn();
      for (Path left : scratch.left()) {
        String user = Files.getOwner(left, LinkOption.NOFOLLOW_LINKS).getName();
        delete(userProcesses, ApplicationUser.of("", user, user, ProcessTable.uidOf(left)), left);
      }
    }
    return scratch;
  }

  /** The reserve is the NodeManager's, and the user may not touch it. */
  protected static void makeRoom(LocalDir from) throws IOException {
    try {
      LinkReserve.ofNode(from.path()).makeRoom();
    } catch (LinkReserve.FullException e) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      LOG.debug("Whether {} has room for a link is not known", from, e);
    }
  }

  private String await(
      UserProcesses userProcesses,
      ApplicationUser owner,
      Process process,
      LocalDir to,
      long bytes,
      MoveControl control)
      throws IOException {
    long least = Math.min(bytesPerSecond, LEAST_BYTES_PER_SECOND);
    long nanos = patience.toNanos() + (long) ((double) bytes / least * TimeUnit.SECONDS.toNanos(1));
    long deadline = System.nanoTime() + nanos;
    try {
      while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (control.yieldsTo(to)) {
          long began = System.nanoTime();
          if (signal(userProcesses, owner, process, Signal.STOP)) {
            control.yieldTo(to);
            signal(userProcesses, owner, process, Signal.CONTINUE);
          }
          deadline += System.nanoTime() - began;
        }
        control.check();
        if (System.nanoTime() - deadline > 0) {
          return "it took longer than " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
        }
      }
      return "it ended with " + process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "demotion is being stopped");
    } finally {
      if (process.isAlive()) {
        control.left();
        kill(userProcesses, owner, process);
      }
    }
  }

  /**
   * Signals a process. The program that does it refuses a process that ended in the meantime.
   *
   * @return false if the process has ended
   */
  private static boolean signal(
      UserProcesses userProcesses, ApplicationUser owner, Process process, Signal signal)
      throws IOException, InterruptedException {
    try {
      userProcesses.signal(owner, ProcessTable.pidOf(process), signal);
      return true;
    } catch (IOException e) {
      if (!process.waitFor(END_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        throw e;
      }
      return false;
    }
  }

  private static void kill(UserProcesses userProcesses, ApplicationUser owner, Process process)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      signal(userProcesses, owner, process, Signal.KILL);
      if (!process.waitFor(END_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException(
            "process " + ProcessTable.pidOf(process) + " of " + owner + " does not end");
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void delete(UserProcesses userProcesses, ApplicationUser owner, Path folder) {
    try {
      userProcesses.delete(owner, folder);
    } catch (IOException e) {
      LOG.info("{} stays until the NodeManager starts again: {}", folder, e.toString());
    }
  }
}
