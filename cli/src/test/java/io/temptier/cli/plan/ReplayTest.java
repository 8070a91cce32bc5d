// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.plan.PastJob.Task;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReplayTest {
  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;
  private static final long MINUTE = 60_000;

  @Test
  void outputsFillTheFastDiskInOrderAndTheRestIsSpilled() throws IOException {
    // 5 outputs of 10 MB, one after the other: a disk of 25 MB holds 2 of them.
    PlanResult result = run(false, List.of(maps("a", 0, 5, 10 * MB)), 25 * MB, 51 * MB);
    FastSize small = result.sizes().get(0);
    assertEquals(20 * MB, small.placedBytes());
    assertEquals(30 * MB, small.spilledBytes());
    assertEquals(0.4, small.hitShare(), 1e-9);
    FastSize large = result.sizes().get(1);
    assertEquals(50 * MB, large.placedBytes());
    assertEquals(51 * MB, result.recommended(1e9).orElseThrow().fastBytes());
    assertEquals(5, result.tasks());
    assertEquals(50 * MB, result.mostBytes());
  }

  @Test
  void whatAJobLeavesIsFreeForTheNext() throws IOException {
    FastSize size =
        run(false, List.of(maps("a", 0, 2, 10 * MB), maps("b", 60 * MINUTE, 2, 10 * MB)), 25 * MB)
            .sizes()
            .get(0);
    assertEquals(40 * MB, size.placedBytes());
    assertEquals(0, size.spilledBytes());
  }

  @Test
  void nodesHaveDisksOfTheirOwn() throws IOException {
    PastJob job =
        PastJob.of(
            "a",
            0,
            "",
            List.of(
                Task.of("one", 0, MINUTE, 20 * MB, 0, 0),
                Task.of("two", 0, MINUTE, 20 * MB, 0, 0)));
    PlanResult result = run(false, List.of(job), 25 * MB);
    assertEquals(40 * MB, result.sizes().get(0).placedBytes());
    assertEquals(2, result.nodes());
    assertEquals(20 * MB, result.mostBytes());
    assertEquals(20 * MB * 24 * 60, result.bytesPerDay(result.sizes().get(0)), 1);
  }

  @Test
  void demotionMakesRoomFromTheHighMarkToTheLowOne() throws IOException {
    // 10 outputs of 10 MB on 100 MB, 60 s each: at 80 MB the oldest go until 50 MB are left.
    FastSize size = run(true, List.of(maps("a", 0, 10, 10 * MB)), 100 * MB).sizes().get(0);
    assertEquals(100 * MB, size.placedBytes());
    assertEquals(0, size.spilledBytes());
    assertEquals(30 * MB, size.demotedBytes());
  }

  @Test
  void whatIsFetchedGoesFirst() throws IOException {
    // When the third fills the disk to 90 %, all of a is fetched, and none of the older b.
    PastJob b = PastJob.of("b", 0, "", List.of(Task.of("n", 0, 10, 30 * MB, 0, 0), idle(90)));
    PastJob a =
        PastJob.of(
            "a",
            0,
            "",
            List.of(Task.of("n", 0, 20, 30 * MB, 0, 0), Task.of("n", 20, 90, 0, 0, 30)));
    PastJob c = PastJob.of("c", 0, "", List.of(Task.of("n", 0, 40, 30 * MB, 0, 0), idle(90)));
    List<PastJob> scaled = new ArrayList<>();
    for (PastJob job : List.of(b, a, c)) {
      List<Task> tasks =
          job.tasks().stream()
              .map(
                  task ->
                      Task.of(
                          task.host(),
                          task.startMillis() * MINUTE,
                          task.finishMillis() * MINUTE,
                          task.outputBytes(),
                          0,
                          task.fetchedMillis() * MINUTE))
              .toList();
      scaled.add(PastJob.of(job.id(), 0, "", tasks));
    }
    // What is placed after a moved away, and before b and c end, has 40 MB.
    scaled.add(PastJob.of("d", 0, "", List.of(Task.of("n", 0, 50 * MINUTE, 40 * MB, 0, 0))));
    FastSize size = run(true, scaled, 100 * MB).sizes().get(0);
    assertEquals(130 * MB, size.placedBytes());
    assertTrue(size.demotedBytes() >= 30 * MB, () -> size.demotedBytes() + "");
  }

  private static Task idle(long finish) {
    return Task.of("n", 0, finish, 0, 0, 0);
  }

  @Test
  void whatATaskDeletesTakesRoomUntilItsEnd() throws IOException {
    // 200 MB in three pieces, then the output of 100 MB beside them, and later one of 150 MB.
    PastJob job =
        PastJob.of(
            "a",
            0,
            "",
            List.of(
                Task.of("n", 0, MINUTE, 100 * MB, 200 * MB, 0),
                Task.of("n", 0, 2 * MINUTE, 150 * MB, 0, 0)));
    PlanResult result = run(false, List.of(job), 260 * MB, GB);
    FastSize small = result.sizes().get(0);
    assertEquals(100 * MB, small.spilledBytes(), "the output beside the pieces");
    assertEquals(350, Math.round(small.placedBytes() / (double) MB));
    assertEquals(450, Math.round(result.sizes().get(1).placedBytes() / (double) MB));
    assertEquals(300, Math.round(result.mostBytes() / (double) MB));
  }

  @Test
  void theResultDoesNotHangOnWhichSizesAreComparedWithIt() throws IOException {
    FastSize alone = random(2 * GB).sizes().get(0);
    FastSize among = random(GB, 2 * GB, 8 * GB).sizes().get(1);
    assertTrue(alone.spilledBytes() > 0 && alone.demotedBytes() > 0);
    assertEquals(alone.placedBytes(), among.placedBytes());
    assertEquals(alone.demotedBytes(), among.demotedBytes());
  }

  @Test
  void aLargerDiskNeverSpillsMore() throws IOException {
    List<FastSize> sizes = random(GB / 2, GB, 2 * GB, 4 * GB, 64 * GB).sizes();
    for (int i = 1; i < sizes.size(); i++) {
      FastSize smaller = sizes.get(i - 1);
      FastSize larger = sizes.get(i);
      assertTrue(larger.spilledBytes() <= smaller.spilledBytes(), "size " + i);
      assertEquals(
          smaller.placedBytes() + smaller.spilledBytes(),
          larger.placedBytes() + larger.spilledBytes(),
          "all that is written is the same");
    }
    assertTrue(sizes.get(0).spilledBytes() > 0);
    assertEquals(0, sizes.get(4).spilledBytes());
  }

  @Test
  void anEmptyTraceIsAnError() {
    assertThrows(IOException.class, () -> run(false, List.of(), GB));
  }

  /** 40 jobs of some maps and two reduces, on four nodes. */
  private static PlanResult random(long... sizes) throws IOException {
    Random random = new Random(1);
    List<PastJob> jobs = new ArrayList<>();
    for (int number = 0; number < 40; number++) {
      long submit = number * 10_000L;
      List<Task> tasks = new ArrayList<>();
      for (int map = random.nextInt(40); map >= 0; map--) {
        String host = "n" + random.nextInt(4);
        long end = submit + MINUTE + random.nextInt(60_000);
        tasks.add(Task.of(host, submit, end, random.nextInt(200) * MB, random.nextInt(90) * MB, 0));
      }
      long maps = submit + 2 * MINUTE;
      for (int reduce = 0; reduce < 2; reduce++) {
        tasks.add(Task.of("n" + reduce, maps, maps + 2 * MINUTE, 0, 90 * MB, maps + MINUTE));
      }
      jobs.add(PastJob.of("job_" + number, submit, "", tasks));
    }
    return run(true, jobs, sizes);
  }

  private static PlanResult run(boolean demotion, List<PastJob> jobs, long... sizes)
      throws IOException {
    Map<Medium, DemotionSettings.Marks> marks = new EnumMap<>(Medium.class);
    for (Medium medium : Medium.values()) {
      marks.put(medium, DemotionSettings.Marks.of(0.8, true, 0.5, true));
    }
    FastDisk.Rules rules =
        FastDisk.Rules.of(
            Reserve.ofBytes(0),
            TierSettings.DEFAULT.toBuilder().appShare(1).build(),
            DemotionSettings.of(demotion, marks, 64 * MB));
    List<Long> fast = new ArrayList<>();
    for (long size : sizes) {
      fast.add(size);
    }
    var each = jobs.iterator();
    return new Replay(rules, fast).run(() -> each.hasNext() ? each.next() : null, ended -> {});
  }

  /** So many maps on one node, each of a minute after the other; its outputs stay as long again. */
  private static PastJob maps(String id, long submitMillis, int maps, long bytes) {
    return PastJob.of(
        id,
        submitMillis,
        "",
        IntStream.range(0, maps)
            .mapToObj(
                map -> {
                  long start = submitMillis + map * MINUTE;
                  return Task.of("n", start, start + MINUTE, bytes, 0, 0);
                })
            .toList());
  }
}
