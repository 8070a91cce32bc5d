// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.OperatingSystemMXBean;
import io.temptier.shuffle.demotion.asuser.MoveHelper;
import io.temptier.shuffle.demotion.asuser.UserMover;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.OutputMover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.demotion.Pace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What moving costs in CPU time, by the NodeManager itself and by a helper, and what the helper's
 * start does. Says it and asserts none of it: a measurement, by request, of as many outputs.
 */
@EnabledIfSystemProperty(named = MoverCpuTest.REQUEST, matches = "[1-9][0-9]*")
class MoverCpuTest {
  static final String REQUEST = "temptier.test.mover-cpu";

  private static final int ROUNDS = 5;

  /** And a first one. */
  private static final int OUTPUTS = 1 + Integer.getInteger(REQUEST, 0);

  private static final long BYTES = 64L << 20;

  /** But for the first one, which waits for the helper and has more classes to load. */
  private static final double MIB = (OUTPUTS - 1) * BYTES / (double) (1L << 20);

  /** Faster than any disk. */
  private static final long RATE = 1L << 40;

  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  @Test
  void besideTheMoverInTheNodeManager(@TempDir Path temp) throws Exception {
    for (int round = 0; round <= ROUNDS; round++) {
      Cpu inProcess = inProcess(Files.createDirectory(temp.resolve("in-" + round)));
      Cpu helper = helper(Files.createDirectory(temp.resolve("helper-" + round)));
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

  private interface Move {
    void move(MapOutputId id) throws Exception;
  }

  /** The CPU time of moves, by this process and by another one. */
  private Cpu measure(HelperTestbed bed, LongSupplier otherNanos, Move move) throws Exception {
    List<MapOutputId> outputs = write(bed);
    long began = process.getProcessCpuTime() + otherNanos.getAsLong();
    move.move(outputs.get(0));
    long first = process.getProcessCpuTime();
    long firstOther = otherNanos.getAsLong();
    for (MapOutputId id : outputs.subList(1, OUTPUTS)) {
      move.move(id);
    }
    long own = process.getProcessCpuTime() - first;
    long rest = own + otherNanos.getAsLong() - firstOther;
    // What was moved, too: the rounds share a disk.
    for (Path dir : List.of(bed.fast.path(), bed.slow.path())) {
      FileUtil.fullyDelete(dir.resolve("usercache").toFile());
    }
    return new Cpu(first + firstOther - began, rest, own);
  }

  private Cpu inProcess(Path temp) throws Exception {
    try (HelperTestbed bed = new HelperTestbed(temp)) {
      Pace pace = new Pace(RATE);
      OutputMover mover = bed.node.mover(pace, step -> {});
      return measure(
          bed,
          () -> 0,
          id -> {
            Candidate candidate = bed.node.candidate(bed.fast, id);
            mover.moveTo(candidate, bed.slow, bed.node.gate(pace, bed.tally));
          });
    }
  }

  private Cpu helper(Path temp) throws Exception {
    try (HelperTestbed bed = new HelperTestbed(temp)) {
      UserMover mover = bed.open(RATE, MoveHelper.LAUNCH, Duration.ofMinutes(5));
      Cpu cpu =
          measure(bed, () -> helperNanos(bed), id -> assertEquals(bed.slow, bed.move(mover, id)));
      assertEquals(1, bed.tally.get(DemotionCounter.HELPER_STARTS));
      return cpu;
    }
  }

  /** Of the helper; none before it is started. */
  private static long helperNanos(HelperTestbed bed) {
    return bed.helper()
        .flatMap(helper -> helper.info().totalCpuDuration())
        .orElse(Duration.ZERO)
        .toNanos();
  }

  private static List<MapOutputId> write(HelperTestbed bed) throws IOException {
    List<MapOutputId> outputs = new ArrayList<>();
    for (int number = 1; number <= OUTPUTS; number++) {
      outputs.add(bed.node.write(bed.fast, number, BYTES));
    }
    return outputs;
  }
}
