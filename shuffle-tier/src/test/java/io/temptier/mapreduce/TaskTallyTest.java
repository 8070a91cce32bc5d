// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import io.temptier.tier.Reason;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.junit.jupiter.api.Test;

class TaskTallyTest {
  private final TaskTally tally = new TaskTally();
  private final CountingReporter reporter = new CountingReporter();

  @Test
  void addsUpByMediumAndSpilledDown() {
    tally.add(on(Medium.NVME, List.of()), 10);
    tally.add(on(Medium.NVME, List.of()), 5);
    tally.add(on(Medium.DISK, List.of(new Placement.Refusal(Medium.NVME, Reason.CAP, 3))), 100);
    tally.reportTo(reporter);
    assertEquals(
        Map.of(
            "NVME_FILES", 2L,
            "NVME_BYTES", 15L,
            "DISK_FILES", 1L,
            "DISK_BYTES", 100L,
            "SPILLED_DOWN_FILES", 1L,
            "SPILLED_DOWN_BYTES", 100L),
        reporter.values());
  }

  @Test
  void reportsNothingTwiceAndNoZeros() {
    tally.add(on(Medium.SSD, List.of()), 7);
    tally.reportTo(reporter);
    tally.reportTo(reporter);
    assertEquals(Map.of("SSD_FILES", 1L, "SSD_BYTES", 7L), reporter.values());
  }

  @Test
  void aJobWithoutCountersLeftGoesWithoutOurs() {
    tally.add(on(Medium.NVME, List.of()), 10);
    reporter.full = true;
    tally.reportTo(reporter);
    assertEquals(Map.of(), reporter.values());
  }

  @Test
  void namesAreReadable() {
    tally.add(on(Medium.DISK, List.of(new Placement.Refusal(Medium.NVME, Reason.FULL, 0))), 1);
    tally.reportTo(reporter);
    Counters.Group group = reporter.counters.getGroup(TaskCounters.GROUP);
    assertEquals("TempTier: temporary data by medium", group.getDisplayName());
    for (Medium medium : Medium.values()) {
      assertEquals(
          medium + ": temporary files",
          group.getCounterForName(TaskCounters.files(medium)).getDisplayName());
      assertEquals(
          medium + ": temporary bytes",
          group.getCounterForName(TaskCounters.bytes(medium)).getDisplayName());
    }
    assertEquals(
        "Spilled down: bytes a faster tier refused",
        group.getCounterForName(TaskCounters.SPILLED_DOWN_BYTES).getDisplayName());
    assertEquals(
        "Spilled down: files a faster tier refused",
        group.getCounterForName(TaskCounters.SPILLED_DOWN_FILES).getDisplayName());
  }

  private static Placement on(Medium medium, List<Placement.Refusal> refusals) {
    LocalDir dir = new LocalDir(Path.of("/" + medium), medium, LocalDir.NO_CAP, "test");
    return new Placement(
        dir, refusals.isEmpty() ? Reason.FASTEST : refusals.get(0).reason(), refusals);
  }

  /** Keeps real counters. */
  private static final class CountingReporter implements Reporter {
    private final Counters counters = new Counters();
    private boolean full;

    Map<String, Long> values() {
      Map<String, Long> values = new TreeMap<>();
      counters.getGroup(TaskCounters.GROUP).forEach(c -> values.put(c.getName(), c.getValue()));
      return values;
    }

    @Override
    public void incrCounter(String group, String counter, long amount) {
      if (full) {
        throw new LimitExceededException("Too many counters: 121 max=120");
      }
      counters.incrCounter(group, counter, amount);
    }

    @Override
    public void setStatus(String status) {}

    @Override
    public Counters.Counter getCounter(Enum<?> name) {
      return counters.findCounter(name);
    }

    @Override
    public Counters.Counter getCounter(String group, String name) {
      return counters.findCounter(group, name);
    }

    @Override
    public void incrCounter(Enum<?> key, long amount) {
      counters.incrCounter(key, amount);
    }

    @Override
    public org.apache.hadoop.mapred.InputSplit getInputSplit() {
      throw new UnsupportedOperationException("no input");
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void progress() {}
  }
}
