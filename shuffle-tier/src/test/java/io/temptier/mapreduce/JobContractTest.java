// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import io.temptier.tier.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every test job, run with every placement, has the output, byte by byte, that stock gives it. */
@ExtendWith(NoLeftovers.class)
class JobContractTest implements NoLeftovers.Roots {
  /** Caps of the fast tier, and so ways for files to go. */
  enum FastTier {
    ROOMY(LocalDir.NO_CAP),
    /** Less than the large jobs need, more than each of their files. */
    FILLS_UP(2 << 20),
    CLOSED(0);

    private final long capBytes;

    FastTier(long capBytes) {
      this.capBytes = capBytes;
    }
  }

  private static final Set<TaskCounter> NOT_REPEATABLE =
      EnumSet.of(
          TaskCounter.GC_TIME_MILLIS,
          TaskCounter.CPU_MILLISECONDS,
          TaskCounter.PHYSICAL_MEMORY_BYTES,
          TaskCounter.VIRTUAL_MEMORY_BYTES,
          TaskCounter.COMMITTED_HEAP_BYTES,
          TaskCounter.MAP_PHYSICAL_MEMORY_BYTES_MAX,
          TaskCounter.MAP_VIRTUAL_MEMORY_BYTES_MAX,
          TaskCounter.REDUCE_PHYSICAL_MEMORY_BYTES_MAX,
          TaskCounter.REDUCE_VIRTUAL_MEMORY_BYTES_MAX,
          // Differ from run to run of stock too, with the order in which segments arrive.
          TaskCounter.SPILLED_RECORDS,
          TaskCounter.MERGED_MAP_OUTPUTS);

  /** Shared by all tests, so that each job runs stock once. */
  @TempDir static Path base;

  private static final Map<TestJob, LocalJobs.Result> STOCK = new EnumMap<>(TestJob.class);

  @Override
  public Path roots() {
    return base.resolve("local");
  }

  static List<Arguments> jobsAndTiers() {
    List<Arguments> all = new ArrayList<>();
    for (TestJob job : TestJob.values()) {
      for (FastTier fastTier : FastTier.values()) {
        all.add(Arguments.of(job, fastTier));
      }
    }
    return all;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("jobsAndTiers")
  void sameOutputAsStock(TestJob job, FastTier fastTier) throws Exception {
    LocalJobs jobs = new LocalJobs(base);
    LocalJobs.Result stock = stock(job, jobs);
    long fallbacks = LocalJobs.fallbacks();
    // Roots of its own for each test: the claims of the one before may stand for some seconds more.
    String name = job + "-" + fastTier;
    try (RecordedPlacements placements = new RecordedPlacements()) {
      LocalJobs.Result tiered = jobs.tiered(job, name, jobs.tiers(name, fastTier.capBytes));

      assertTrue(tiered.successful(), "the job failed");
      assertSameFiles(stock.files(), tiered.files());
      assertSameTaskCounters(stock.counters(), tiered.counters());
      assertEquals(fallbacks, LocalJobs.fallbacks(), "asked stock because of a failure");
      assertTrue(
          placements.kinds().containsAll(job.kinds()),
          () -> job.kinds() + " expected, placed were " + placements.kinds());
      placements.entries().forEach(entry -> assertPlacedByReason(entry.placement(), fastTier));
      assertCountersTell(placements, tiered.counters());
      if (fastTier == FastTier.FILLS_UP && job.large()) {
        assertTrue(placements.files(Medium.NVME) > 0, "nothing went to the fast tier");
        assertTrue(placements.files(Medium.DISK) > 0, "nothing was spilled down");
      }
    }
  }

  private static synchronized LocalJobs.Result stock(TestJob job, LocalJobs jobs) throws Exception {
    LocalJobs.Result result = STOCK.get(job);
    if (result == null) {
      result = jobs.stock(job);
      assertTrue(result.successful(), "stock failed");
      STOCK.put(job, result);
    }
    return result;
  }

  private static void assertSameFiles(Map<String, byte[]> expected, Map<String, byte[]> actual) {
    assertEquals(expected.keySet(), actual.keySet());
    assertTrue(expected.keySet().stream().anyMatch(name -> name.endsWith(".crc")));
    expected.forEach((name, bytes) -> assertArrayEquals(bytes, actual.get(name), name));
  }

  private static void assertSameTaskCounters(Counters expected, Counters actual) {
    for (TaskCounter counter : EnumSet.complementOf(EnumSet.copyOf(NOT_REPEATABLE))) {
      assertEquals(
          expected.findCounter(counter).getValue(),
          actual.findCounter(counter).getValue(),
          counter.name());
    }
  }

  private static void assertPlacedByReason(Placement placement, FastTier fastTier) {
    if (placement.reason() == Reason.FASTEST) {
      assertEquals(Medium.NVME, placement.dir().medium(), placement.toString());
      assertEquals(List.of(), placement.refusals());
    } else {
      assertEquals(Medium.DISK, placement.dir().medium(), placement.toString());
      assertEquals(Reason.CAP, placement.reason(), placement.toString());
      assertEquals(
          List.of(Medium.NVME),
          placement.refusals().stream().map(Placement.Refusal::medium).toList());
    }
    if (fastTier != FastTier.FILLS_UP) {
      assertEquals(fastTier == FastTier.ROOMY ? Reason.FASTEST : Reason.CAP, placement.reason());
    }
  }

  private static void assertCountersTell(RecordedPlacements placements, Counters counters) {
    long files = 0;
    for (Medium medium : Medium.values()) {
      long counted = value(counters, TaskCounters.files(medium));
      assertEquals(placements.files(medium), counted, TaskCounters.files(medium));
      assertEquals(counted > 0, value(counters, TaskCounters.bytes(medium)) > 0, "bytes " + medium);
      files += counted;
    }
    assertEquals(placements.entries().size(), files);
    assertEquals(placements.spilledDown(), value(counters, TaskCounters.SPILLED_DOWN_FILES));
    // With two tiers, what lies on the lower one was refused by the other.
    assertEquals(
        value(counters, TaskCounters.bytes(Medium.DISK)),
        value(counters, TaskCounters.SPILLED_DOWN_BYTES));
  }

  private static long value(Counters counters, String name) {
    return counters.findCounter(TaskCounters.GROUP, name).getValue();
  }
}
