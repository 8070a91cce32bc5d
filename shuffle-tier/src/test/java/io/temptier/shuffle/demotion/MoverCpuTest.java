// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.CpuTime;
import io.temptier.shuffle.demotion.move.Mover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What moving costs in CPU time, by the NodeManager itself and by a helper, and what the helper's
 * start does. Says it and asserts none of it: a measurement, by request, of as many outputs. What
 * the helper's JVM compiles counts; what this one does, which a NodeManager did long ago, does not.
 */
@EnabledIfSystemProperty(named = MoverCpuTest.REQUEST, matches = "[1-9][0-9]*")
class MoverCpuTest extends HelperTests {
  static final String REQUEST = "temptier.test.mover-cpu";

  private static final int ROUNDS = 5;

  /** And a first one. */
  private static final int OUTPUTS = 1 + Integer.getInteger(REQUEST, 0);

  private static final long OUTPUT_BYTES = 64L << 20;

  /** But for the first one, which waits for the helper and has more classes to load. */
  private static final double MIB = (OUTPUTS - 1) * OUTPUT_BYTES / (double) (1L << 20);

  /** Faster than any disk. */
  private static final long RATE = 1L << 40;

  @Test
  void besideTheMoverInTheNodeManager() throws Exception {
    for (int round = 0; round <= ROUNDS; round++) {
      Cpu inProcess = measure(node.mover(new Pace(RATE), step -> {}));
      open(RATE, Duration.ofMinutes(5));
      Cpu helper = measure(mover);
      assertCount(1 + round, DemotionCounter.HELPER_STARTS);
      sessions.close();
      awaitNoHelper();
      if (round > 0) {
        System.out.printf(
            Locale.ROOT,
            "%.0f MiB: in process %.0f MiB per CPU second, by a helper %.0f: %.2f (%d of its %d ms"
                + " are the NodeManager's); the output before them took %d and %d ms%n",
            MIB,
            inProcess.rate(),
            helper.rate(),
            helper.rate() / inProcess.rate(),
            helper.ownNanos / 1_000_000,
            helper.restNanos / 1_000_000,
            inProcess.firstNanos / 1_000_000,
            helper.firstNanos / 1_000_000);
      }
    }
  }

  /** CPU time of the first output, and of the others; of the latter, this process's. */
  private record Cpu(long firstNanos, long restNanos, long ownNanos) {
    double rate() {
      return MIB / (restNanos / 1e9);
    }
  }

  /** The CPU time of moves, by this process and by a helper. */
  private Cpu measure(Mover by) throws Exception {
    List<MapOutputId> outputs = node.writeAll(fast, OUTPUTS, OUTPUT_BYTES);
    long began = nanos();
    MoveGate gate = node.gate(new Pace(RATE), tally);
    assertEquals(slow, move(by, outputs.get(0), gate));
    long first = nanos() - began;
    Optional<ProcessHandle> helper = helper();
    long firstOther = helper.map(MoverCpuTest::nanos).orElse(0L);
    began = nanos();
    for (MapOutputId id : outputs.subList(1, OUTPUTS)) {
      assertEquals(slow, move(by, id, gate));
    }
    long own = nanos() - began;
    long other = helper.map(MoverCpuTest::nanos).orElse(0L) - firstOther;
    // What was moved, too: the rounds share a disk.
    for (LocalDir dir : node.dirs) {
      Path outputsOf = dir.path().resolve(MapOutputId.outputs(TestNode.USER, TestNode.APP));
      FileUtil.fullyDelete(outputsOf.toFile());
    }
    return new Cpu(first + firstOther, own + other, own);
  }

  /** What this process used, but for its compilers. */
  private static long nanos() {
    return CpuTime.nanos("self", false);
  }

  private static long nanos(ProcessHandle helper) {
    return CpuTime.nanos(Long.toString(helper.pid()), true);
  }
}
