// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SyntheticTraceTest {
  private static final int TASKS = 50_000;
  private static final int CONTAINERS = 200;

  @Test
  void aSeedIsATrace() {
    assertEquals(jobs(7), jobs(7));
    assertNotEquals(jobs(7), jobs(8));
  }

  @Test
  void jobsComeInOrderAndMostAreSmall() {
    List<TraceJob> jobs = jobs(1);
    long last = 0;
    long small = 0;
    long tasks = 0;
    long tasksOfLarge = 0;
    for (TraceJob job : jobs) {
      assertTrue(job.submitMillis() >= last, job::id);
      last = job.submitMillis();
      small += job.maps().size() <= 10 ? 1 : 0;
      tasks += job.tasks();
      tasksOfLarge += job.maps().size() > 100 ? job.tasks() : 0;
    }
    assertTrue(tasks >= TASKS, () -> "tasks of " + jobs.size() + " jobs");
    assertTrue(small > jobs.size() * 0.75, "small jobs: " + small + " of " + jobs.size());
    assertTrue(tasksOfLarge > tasks / 2, "tasks of large jobs: " + tasksOfLarge + " of " + tasks);
  }

  @Test
  void aNodesJobsAreSmallEnoughForIt() {
    SyntheticTrace trace = new SyntheticTrace(1, SyntheticTrace.Shape.NODE, TASKS, 10, 0.5);
    int largest = 0;
    for (TraceJob job = trace.next(); job != null; job = trace.next()) {
      largest = Math.max(largest, job.maps().size());
      assertEquals((job.maps().size() + 1) / 2, job.reduces().size(), job::id);
    }
    assertTrue(largest == 7 || largest == 8, "largest job: " + largest);
  }

  @Test
  void containersAreAsBusyAsWasAskedFor() {
    List<TraceJob> jobs = jobs(1);
    double busy = 0;
    for (TraceJob job : jobs) {
      busy += job.maps().stream().mapToLong(TraceJob.MapTask::millis).sum();
      busy += job.reduces().stream().mapToLong(TraceJob.ReduceTask::millis).sum();
    }
    double span = jobs.get(jobs.size() - 1).submitMillis() - jobs.get(0).submitMillis();
    // A few large jobs are most of it, so that it varies.
    assertEquals(0.5, busy / span / CONTAINERS, 0.2);
  }

  private static List<TraceJob> jobs(long seed) {
    SyntheticTrace trace = new SyntheticTrace(seed, TASKS, CONTAINERS, 0.5);
    List<TraceJob> jobs = new ArrayList<>();
    for (TraceJob job = trace.next(); job != null; job = trace.next()) {
      jobs.add(job);
    }
    return jobs;
  }
}
