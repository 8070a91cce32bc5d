// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Programs;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process of {@link KilledMoverTest} that moves an output and is gone at a step, as by {@code
 * kill -9}: nothing is undone, closed or flushed.
 *
 * <p>Arguments: the node's folder, the step, how often it is to be reached.
 */
final class KilledMover {
  private static final int HALTED = 77;

  private KilledMover() {}

  /** Reads what it moves, in whatever way. */
  interface Reader {
    void read() throws IOException;
  }

  /**
   * Runs it on a node's dirs {@code nvme}, {@code disk}, and {@code ram} above them if there, and
   * reads all the time, and once it is gone.
   */
  static void run(Path temp, MoveStep step, int times, Reader reader) throws Exception {
    Process process = Programs.start(Programs.java(KilledMover.class, temp, step, times));
    try {
      for (int reads = 0; process.isAlive() || reads < 2; reads++) {
        reader.read();
      }
      assertEquals(HALTED, process.waitFor());
    } finally {
      process.destroyForcibly().waitFor();
    }
    reader.read();
  }

  public static void main(String[] args) throws Exception {
    TestNode node = new TestNode(Path.of(args[0]));
    LocalDir fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    LocalDir slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    if (Files.exists(Path.of(args[0]).resolve("ram"))) {
      node.dir(Medium.RAM_DISK, "ram", LocalDir.NO_CAP);
    }
    MoveStep last = MoveStep.valueOf(args[1]);
    AtomicInteger left = new AtomicInteger(Integer.parseInt(args[2]));
    MoveStep.Observer observer =
        step -> {
          if (step == last && left.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(HALTED);
          }
        };
    Pace pace = new Pace(1L << 20);
    // From NVMe to the disk, whatever lies above.
    try (Placer below = node.placer(slow::equals)) {
      node.mover(pace, observer)
          .move(node.candidate(fast, TestNode.id(1)), below, node.gate(pace, new DemotionTally()));
    }
  }
}
