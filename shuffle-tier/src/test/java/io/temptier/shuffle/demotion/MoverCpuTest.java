// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.OperatingSystemMXBean;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What moving costs in CPU time, by the NodeManager itself and by a helper, whose start counts.
 * Says it and asserts none of it: a measurement, by request.
 */
@EnabledIfSystemProperty(named = "temptier.test.mover-cpu", matches = "1")
class MoverCpuTest {
  private static final int ROUNDS = 5;
  private static final int OUTPUTS = 16;
  private static final long BYTES = 64L << 20;
  private static final double ALL_MIB = OUTPUTS * BYTES / (double) (1L << 20);

  /** Faster than any disk. */
  private static final long RATE = 1L << 40;

  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  @Test
  void besideTheMoverInTheNodeManager(@TempDir Path temp) throws Exception {
    for (int round = 0; round <= ROUNDS; round++) {
      double inProcess = inProcess(Files.createDirectory(temp.resolve("in-" + round)));
      double helper = helper(Files.createDirectory(temp.resolve("helper-" + round)));
      if (round > 0) {
        System.out.printf(
            Locale.ROOT,
            "%.0f MiB: in process %.0f MiB per CPU second, by a helper %.0f: %.2f%n",
            ALL_MIB,
            inProcess,
            helper,
            helper / inProcess);
      }
    }
  }

  private double inProcess(Path temp) throws Exception {
    try (HelperTestbed bed = new HelperTestbed(temp)) {
      Pace pace = new Pace(RATE);
      OutputMover mover =
          new OutputMover(
              (Integer) Files.getAttribute(temp, "unix:uid"),
              bed.node.dirs,
              pace,
              new EndedFolders(System::nanoTime),
              step -> {});
      List<MapOutputId> outputs = write(bed);
      long before = process.getProcessCpuTime();
      for (MapOutputId id : outputs) {
        FileStamp stamp = FileStamp.of(bed.node.file(bed.fast, id));
        mover.move(new MovePaths(new Candidate(id, bed.fast, stamp, 0), bed.slow), bed.gate(pace));
      }
      return rate(bed, process.getProcessCpuTime() - before);
    }
  }

  private double helper(Path temp) throws Exception {
    try (HelperTestbed bed = new HelperTestbed(temp)) {
      UserMover mover = bed.open(RATE, MoveHelper.LAUNCH, Duration.ofMinutes(5));
      List<MapOutputId> outputs = write(bed);
      long before = process.getProcessCpuTime();
      for (MapOutputId id : outputs) {
        assertEquals(bed.slow, bed.move(mover, id));
      }
      Duration its = bed.helper().orElseThrow().info().totalCpuDuration().orElseThrow();
      assertEquals(1, bed.tally.get(DemotionCounter.HELPER_STARTS));
      return rate(bed, process.getProcessCpuTime() - before + its.toNanos());
    }
  }

  private static List<MapOutputId> write(HelperTestbed bed) throws IOException {
    List<MapOutputId> outputs = new ArrayList<>();
    for (int number = 1; number <= OUTPUTS; number++) {
      outputs.add(bed.node.write(bed.fast, number, BYTES));
    }
    return outputs;
  }

  /** Deletes what was moved, too: the rounds share a disk. */
  private static double rate(HelperTestbed bed, long cpuNanos) {
    for (Path dir : List.of(bed.fast.path(), bed.slow.path())) {
      FileUtil.fullyDelete(dir.resolve("usercache").toFile());
    }
    return ALL_MIB / (cpuNanos / 1e9);
  }
}
