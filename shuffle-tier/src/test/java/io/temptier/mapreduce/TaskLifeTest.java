// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that fail, that share their JVM, and that run where TempTier is switched off. */
class TaskLifeTest {
  @TempDir Path base;

  @Test
  void aFailedMapLeavesNoClaim() throws Exception {
    LocalJobs jobs = new LocalJobs(base);
    Job job = tiered(jobs, TestJob.MANY_SPILLS);
    job.setMapperClass(TestTasks.FailingMapper.class);
    try (RecordedPlacements placements = new RecordedPlacements()) {
      assertFalse(job.waitForCompletion(false));
      assertNotEquals(0, placements.files(Medium.NVME), "failed before its first spill");
    }
    assertNothingHeld();
  }

  @Test
  void aFailedReduceLeavesNoClaim() throws Exception {
    LocalJobs jobs = new LocalJobs(base);
    Job job = tiered(jobs, TestJob.REDUCE_MERGE_PASSES);
    job.setReducerClass(FailingReducer.class);
    try (RecordedPlacements placements = new RecordedPlacements()) {
      assertFalse(job.waitForCompletion(false));
      assertTrue(placements.kinds().contains(FileKind.MERGE), "failed before its merges");
    }
    assertNothingHeld();
  }

  @Test
  void jobsInOneJvmDoNotMix() throws Exception {
    LocalJobs jobs = new LocalJobs(base);
    TestJob kind = TestJob.MAP_MERGE_PASSES;
    Job alone = tiered(jobs, kind);
    assertTrue(alone.waitForCompletion(false));
    List<Path> stockRoots = List.of(jobs.root("stock"));
    Job stock = jobs.job(kind, "stock", stockRoots, new Configuration(false));
    List<Path> otherRoots = jobs.tiers("other", 0);
    Job tiered =
        jobs.job(kind, "roomy", jobs.tiers("roomy", LocalDir.NO_CAP), LocalJobs.tieredSettings());
    Job closed = jobs.job(kind, "closed", otherRoots, LocalJobs.tieredSettings());

    stock.submit();
    tiered.submit();
    closed.submit();

    assertTrue(stock.waitForCompletion(false));
    assertTrue(tiered.waitForCompletion(false));
    assertTrue(closed.waitForCompletion(false));
    Map<String, byte[]> expected = LocalJobs.output(alone);
    for (Job job : List.of(stock, tiered, closed)) {
      Map<String, byte[]> output = LocalJobs.output(job);
      assertEquals(expected.keySet(), output.keySet());
      expected.forEach((name, bytes) -> assertArrayEquals(bytes, output.get(name), name));
    }
    // The same files were placed whether the job ran alone or among others.
    assertEquals(0, counter(stock, TaskCounters.files(Medium.DISK)));
    assertEquals(0, counter(stock, TaskCounters.files(Medium.NVME)));
    assertEquals(
        counter(alone, TaskCounters.files(Medium.NVME)),
        counter(tiered, TaskCounters.files(Medium.NVME)));
    assertEquals(0, counter(tiered, TaskCounters.files(Medium.DISK)));
    assertEquals(
        counter(alone, TaskCounters.files(Medium.NVME)),
        counter(closed, TaskCounters.files(Medium.DISK)));
    assertEquals(0, counter(closed, TaskCounters.files(Medium.NVME)));
    assertNothingHeld();
  }

  @Test
  void bytesAreThoseOfTheFiles() throws Exception {
    LocalJobs jobs = new LocalJobs(base);
    Job job = tiered(jobs, TestJob.ONE_SPILL);
    assertTrue(job.waitForCompletion(false));
    // One spill a map, which becomes its output; the reducers' two merges hold the same records.
    long outputs =
        job.getCounters().findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue();
    long counted = counter(job, TaskCounters.bytes(Medium.NVME));
    assertTrue(
        counted >= 2 * outputs - 1024 && counted <= 2 * outputs,
        counted + " bytes counted, map outputs have " + outputs);
  }

  @Test
  void switchedOffItIsStock() throws Exception {
    LocalJobs jobs = new LocalJobs(base);
    Configuration off = LocalJobs.tieredSettings();
    off.setBoolean("temptier.enabled", false);
    Job job = jobs.job(TestJob.MAP_MERGE_PASSES, "off", List.of(jobs.root("off")), off);
    assertTrue(job.waitForCompletion(false));
    assertEquals(0, job.getCounters().getGroup(TaskCounters.GROUP).size());
    assertNothingHeld();
  }

  private static Job tiered(LocalJobs jobs, TestJob kind) throws Exception {
    return jobs.job(
        kind, "alone", jobs.tiers("alone", LocalDir.NO_CAP), LocalJobs.tieredSettings());
  }

  private static long counter(Job job, String name) throws Exception {
    return job.getCounters().findCounter(TaskCounters.GROUP, name).getValue();
  }

  private void assertNothingHeld() throws Exception {
    assertEquals(0, MergerAllocator.attemptsInMerger());
    assertEquals(List.of(), NoLeftovers.claims(base.resolve("local")));
  }

  /** Fails at its first key. */
  public static final class FailingReducer extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void reduce(Text key, Iterable<Text> values, Context context) throws IOException {
      throw new IOException("meant to fail");
    }
  }
}
