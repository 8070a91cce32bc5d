// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.demotion.asuser.UserMover;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.Mover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Two tiers whose outputs are moved by helpers, and a clock that can be put forward. */
final class HelperTestbed implements AutoCloseable {
  final TestNode node;
  final LocalDir fast;
  final LocalDir slow;
  final List<String> troubles = Collections.synchronizedList(new ArrayList<>());

  /** Keeps the reasons of failures, too. */
  final DemotionTally tally =
      new DemotionTally() {
        @Override
        public void failed(String why) {
          troubles.add(why);
          super.failed(why);
        }
      };

  final AtomicLong aheadNanos = new AtomicLong();
  final DirectProcesses processes = new DirectProcesses();
  volatile boolean threadsToSpare = true;
  private @Nullable HelperSessions sessions;
  private @Nullable MoveContext context;
  private final Placer below;

  HelperTestbed(Path temp) throws IOException {
    this.node = new TestNode(temp);
    this.fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    this.slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    this.below = node.below();
  }

  /**
   * Sets helpers up.
   *
   * @param bytesPerSecond how fast they may copy
   * @param java what is started as a helper
   * @param patience how long one may say nothing
   */
  UserMover open(long bytesPerSecond, Launch java, Duration patience) throws IOException {
    MoveContext opened = node.context(new Pace(bytesPerSecond), true);
    context = opened;
    sessions =
        new HelperSessions(
            () -> Optional.of(processes),
            java,
            opened,
            bytesPerSecond,
            node.users::containsKey,
            tally,
            () -> System.nanoTime() + aheadNanos.get(),
            this::run);
    return new UserMover(sessions, opened, patience);
  }

  private void run(Runnable work) {
    if (!threadsToSpare) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    Threads.run("a helper", work);
  }

  MoveContext context() {
    return Objects.requireNonNull(context);
  }

  HelperSessions sessions() {
    return Objects.requireNonNull(sessions);
  }

  MoveGate gate() {
    node.alsoBusy = dir -> false;
    return node.gate(context().pace(), tally);
  }

  /** One that asks {@code busy} after each part. */
  MoveGate gate(Predicate<LocalDir> busy) {
    MoveGate gate = gate();
    node.alsoBusy = busy;
    return gate;
  }

  /** Moves an output, as soon as there is a helper. */
  LocalDir move(Mover mover, MapOutputId id) throws Exception {
    return move(mover, id, gate());
  }

  LocalDir move(Mover mover, MapOutputId id, MoveGate gate) throws Exception {
    Candidate candidate = node.candidate(fast, id);
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (true) {
      try {
        return mover.move(candidate, below, gate);
      } catch (MoveStoppedException e) {
        if (e.result() != MoveResult.NOT_YET || System.nanoTime() - deadline > 0) {
          throw e;
        }
        Thread.sleep(10);
      }
    }
  }

  /** A helper that runs. */
  Optional<ProcessHandle> helper() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> child.info().commandLine().orElse("").contains(node.root().toString()))
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .findFirst();
  }

  @Override
  public void close() {
    below.close();
    if (sessions != null) {
      sessions.close();
    }
  }
}
