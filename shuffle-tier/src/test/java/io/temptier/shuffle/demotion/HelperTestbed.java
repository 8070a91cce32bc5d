// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.os.FileStamp;
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
import org.jspecify.annotations.Nullable;

/** Two tiers whose outputs are moved by helpers, and a clock that can be put forward. */
final class HelperTestbed implements AutoCloseable {
  final TestNode node;
  final LocalDir fast;
  final LocalDir slow;
  final DemotionTally tally = new DemotionTally();
  final AtomicLong aheadNanos = new AtomicLong();
  final List<String> troubles = Collections.synchronizedList(new ArrayList<>());
  private final DirectProcesses processes = new DirectProcesses();
  private @Nullable HelperSessions sessions;
  private Pace pace = new Pace(1);
  private final Placer below;

  HelperTestbed(Path temp) throws IOException {
    this.node = new TestNode(temp);
    this.fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    this.slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    this.below = node.below();
  }

  /** Counts, and keeps the reasons of failures. */
  private final class Listener implements HelperSessions.Listener {
    private final HelperNumbers numbers = HelperNumbers.of(tally, node.moved::add);

    @Override
    public void started() {
      numbers.started();
    }

    @Override
    public void failed(ApplicationUser who, String why) {
      troubles.add(why);
      numbers.failed(who, why);
    }

    @Override
    public void cleaned(ApplicationUser who, String attempt) {
      numbers.cleaned(who, attempt);
    }
  }

  /** From now on the executor refuses to run anything. */
  void refuse(String why) {
    processes.refuse(why);
  }

  /** From now on the executor runs nothing of anybody; an empty reason mends it. */
  void breakExecutor(String why) {
    processes.breakDown(why);
  }

  /** From now on the executor kills nobody. */
  void refuseToKill() {
    processes.refuseToKill();
  }

  /**
   * Sets helpers up.
   *
   * @param bytesPerSecond how fast they may copy
   * @param java what is started as a helper
   * @param patience how long one may say nothing
   */
  UserMover open(long bytesPerSecond, Launch java, Duration patience) throws IOException {
    pace = new Pace(bytesPerSecond);
    sessions =
        new HelperSessions(
            processes,
            java,
            node.dirs,
            bytesPerSecond,
            node.users.keySet(),
            new Listener(),
            () -> System.nanoTime() + aheadNanos.get());
    return new UserMover(sessions, node.dirs, pace, patience);
  }

  HelperSessions sessions() {
    return Objects.requireNonNull(sessions);
  }

  MoveGate gate() {
    return gate(pace);
  }

  MoveGate gate(Pace used) {
    return gate(used, node.busy::contains);
  }

  /** One that asks {@code load} before the move, and after each part. */
  MoveGate gate(DeviceLoad load) {
    return gate(pace, load);
  }

  private MoveGate gate(Pace used, DeviceLoad load) {
    return new MoveGate(TestNode.APP, node::running, load, () -> false, used, tally);
  }

  /** Moves an output, as soon as there is a helper. */
  LocalDir move(UserMover mover, MapOutputId id) throws Exception {
    return move(mover, id, gate());
  }

  LocalDir move(UserMover mover, MapOutputId id, MoveGate gate) throws Exception {
    Candidate candidate = Candidate.of(id, fast, FileStamp.of(node.file(fast, id)), 0);
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (true) {
      try {
        return moveNow(mover, candidate, gate);
      } catch (MoveStoppedException e) {
        if (e.result() != MoveResult.NOT_YET || System.nanoTime() - deadline > 0) {
          throw e;
        }
        Thread.sleep(10);
      }
    }
  }

  /** Moves an output, if there is a helper. */
  LocalDir moveNow(UserMover mover, Candidate candidate, MoveGate gate) throws IOException {
    return mover.move(candidate, below, gate);
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
