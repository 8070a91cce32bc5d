// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Trees;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.demotion.asuser.MoveHelper;
import io.temptier.shuffle.demotion.asuser.UserMover;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.Mover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests that have helpers move outputs, with a clock that can be put forward. */
abstract class HelperTests extends TwoTiers {
  private static final long FAST_RATE = 1L << 30;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

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
  MoveContext context;
  HelperSessions sessions;
  UserMover mover;

  /** The folders of helpers. */
  Path scratch;

  private Placer below;

  @BeforeEach
  final void openFast() throws IOException {
    scratch = fast.path().resolve(".temptier/as-user");
    below = node.placer(slow::equals);
    node.asUsers = Optional.of(processes);
    open(FAST_RATE, MoveHelper.LAUNCH, PATIENCE);
  }

  @AfterEach
  final void close() throws IOException {
    below.close();
    sessions.close();
    awaitNoHelper();
    // What one that was killed or stopped left, as the next one does.
    node.clean();
  }

  /**
   * Sets helpers up anew, before there are any.
   *
   * @param bytesPerSecond how fast they may copy
   * @param patience how long one may say nothing
   */
  final void open(long bytesPerSecond, Duration patience) throws IOException {
    open(bytesPerSecond, MoveHelper.LAUNCH, patience);
  }

  final void open(long bytesPerSecond) throws IOException {
    open(bytesPerSecond, PATIENCE);
  }

  /** Has a user put something in the place of helpers. */
  final void openHostile(String does, Duration patience) throws IOException {
    HostileHelper.tell(temp, does);
    Launch own = new Launch(HostileHelper.class, List.of(MoveHelper.class, LocalDir.class));
    open(FAST_RATE, own, patience);
  }

  private void open(long bytesPerSecond, Launch java, Duration patience) throws IOException {
    context = node.context(new Pace(bytesPerSecond));
    sessions =
        new HelperSessions(
            node::asUsers,
            java,
            context,
            bytesPerSecond,
            node.users::containsKey,
            tally,
            () -> System.nanoTime() + aheadNanos.get(),
            this::run);
    mover = new UserMover(sessions, context, patience);
  }

  private void run(Runnable work) {
    if (!threadsToSpare) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    Threads.run("a helper", work);
  }

  final MoveGate gate() {
    return node.gate(context.pace(), tally);
  }

  /** Moves an output, as soon as there is a helper. */
  final LocalDir move(MapOutputId id) throws Exception {
    return move(mover, id, gate());
  }

  final LocalDir move(Mover by, MapOutputId id, MoveGate gate) throws Exception {
    Candidate candidate = node.candidate(fast, id);
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (true) {
      try {
        return by.move(candidate, below, gate);
      } catch (MoveStoppedException e) {
        if (e.result() != MoveResult.NOT_YET || System.nanoTime() - deadline > 0) {
          throw e;
        }
        Thread.sleep(10);
      }
    }
  }

  /** A helper that runs. */
  final Optional<ProcessHandle> helper() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> child.info().commandLine().orElse("").contains(temp.toString()))
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .findFirst();
  }

  /** Waits until the helper has ended. */
  final void awaitNoHelper() {
    Eventually.holds("it ends", () -> helper().isEmpty());
  }

  final ApplicationUser who() throws IOException {
    return UserMover.owner(fast, TestNode.USER, TestNode.APP, node.uid());
  }

  /** Writes an output into the fast dir. */
  final MapOutputId write(int number) throws IOException {
    return node.write(fast, number, BYTES);
  }

  /** Writes an output, and has it moved. */
  final void assertMoves(int number) throws Exception {
    assertEquals(slow, move(write(number)));
  }

  static void assertEmpty(Path folder) throws IOException {
    assertEquals(List.of(folder), Trees.below(folder));
  }

  final void assertCount(int expected, DemotionCounter counter) {
    assertEquals(expected, tally.get(counter), troubles::toString);
  }
}
