// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.plan.PastJob.Task;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.policy.FillLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ReplayTest {
  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;
  private static final long MINUTE = 60_000;

  @Test
  void outputsFillTheFastDiskInOrderAndTheRestIsSpilled() throws IOException {
    // 5 outputs of 10 MB, one after the other: a disk of 25 MB holds 2 of them.
    Replay replay = run(false, List.of(maps("a", 0, 5)), 25 * MB, 51 * MB);
    assertSize(20, 30, 0, replay.sizes.get(0));
    assertEquals(0.4, replay.sizes.get(0).hitShare(), 1e-9);
    assertSize(50, 0, 0, replay.sizes.get(1));
    assertEquals(51 * MB, replay.recommended().orElseThrow().fastBytes);
    assertEquals(5, replay.tasks);
    assertEquals(50 * MB, replay.mostBytes);
  }

  @Test
  void whatAJobLeavesIsFreeForTheNext() throws IOException {
    List<PastJob> jobs = List.of(maps("a", 0, 2), maps("b", 60, 2));
    assertSize(40, 0, 0, run(false, jobs, 25 * MB).sizes.get(0));
  }

  @Test
  void nodesHaveDisksOfTheirOwn() throws IOException {
    PastJob job = job("a", task("one", 0, 1, 20, 0), task("two", 0, 1, 20, 0));
    Replay replay = run(false, List.of(job), 25 * MB);
    FastSize size = replay.sizes.get(0);
    assertSize(40, 0, 0, size);
    assertEquals(2, replay.nodes());
    assertEquals(20 * MB, replay.mostBytes);
    assertEquals(20 * MB * 24 * 60, size.bytesPerDay(replay.days()), 1);
  }

  @Test
  void demotionMakesRoomFromTheHighMarkToTheLowOne() throws IOException {
    // 10 outputs of 10 MB on 100 MB, 60 s each: at 80 MB the oldest go until 50 MB are left.
    assertSize(100, 0, 30, run(true, List.of(maps("a", 0, 10)), 100 * MB).sizes.get(0));
  }

  @Test
  void whatIsInUseStays() throws IOException {
    // The same, with outputs that nobody fetches and that become cold after an hour.
    Replay replay = run(demotion(true, Duration.ofHours(1)), List.of(maps("a", 0, 10)), 100 * MB);
    assertSize(90, 10, 0, replay.sizes.get(0));
  }

  @Test
  void whatIsFetchedGoesFirst() throws IOException {
    // When the third fills the disk to 90 %, all of a is fetched, and none of the older b.
    PastJob b = job("b", task("n", 0, 10, 30, 0), task("n", 0, 90, 0, 0));
    PastJob a = job("a", task("n", 0, 20, 30, 0), task("n", 20, 90, 0, 30));
    PastJob c = job("c", task("n", 0, 40, 30, 0), task("n", 0, 90, 0, 0));
    // What is placed after a moved away, and before b and c end, has 40 MB.
    PastJob d = job("d", task("n", 0, 50, 40, 0));
    FastSize size = run(true, List.of(b, a, c, d), 100 * MB).sizes.get(0);
    assertEquals(130 * MB, size.placedBytes);
    assertTrue(size.demotedBytes >= 30 * MB, () -> size.demotedBytes + "");
  }

  @Test
  void whatATaskDeletesTakesRoomUntilItsEnd() throws IOException {
    // 200 MB in three pieces, then the output of 100 MB beside them, and later one of 150 MB.
    Task spills = Task.of("n", 0, MINUTE, 100 * MB, 200 * MB, 0);
    Replay replay = run(false, List.of(job("a", spills, task("n", 0, 2, 150, 0))), 260 * MB, GB);
    assertSize(350, 100, 0, replay.sizes.get(0));
    assertSize(450, 0, 0, replay.sizes.get(1));
    assertEquals(300, Math.round(replay.mostBytes / (double) MB));
  }

  @Test
  void aLargerDiskNeverSpillsMoreAndSizesDoNotTouchEachOther() throws IOException {
    List<FastSize> sizes = random(GB / 2, GB, 2 * GB, 4 * GB, 64 * GB).sizes;
    for (int i = 1; i < sizes.size(); i++) {
      FastSize smaller = sizes.get(i - 1);
      FastSize larger = sizes.get(i);
      assertTrue(larger.spilledBytes <= smaller.spilledBytes, "size " + i);
      assertEquals(
          smaller.placedBytes + smaller.spilledBytes,
          larger.placedBytes + larger.spilledBytes,
          "all that is written is the same");
    }
    assertEquals(0, sizes.get(4).spilledBytes);
    FastSize alone = random(2 * GB).sizes.get(0);
    assertTrue(alone.spilledBytes > 0 && alone.demotedBytes > 0);
    assertEquals(alone.placedBytes, sizes.get(2).placedBytes);
    assertEquals(alone.demotedBytes, sizes.get(2).demotedBytes);
  }

  /** All in MB. */
  private static void assertSize(long placed, long spilled, long demoted, FastSize size) {
    assertEquals(placed, Math.round(size.placedBytes / (double) MB));
    assertEquals(spilled, Math.round(size.spilledBytes / (double) MB));
    assertEquals(demoted, Math.round(size.demotedBytes / (double) MB));
  }

  /** 40 jobs of some maps and two reduces, on four nodes. */
  private static Replay random(long... sizes) throws IOException {
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

  private static DemotionSettings demotion(boolean enabled, Duration coldAfter) {
    DemotionSettings.Marks marks = DemotionSettings.Marks.of(0.8, true, 0.5, true);
    return DemotionSettings.of(enabled, marks, 64 * MB, coldAfter);
  }

  private static Replay run(boolean demotion, List<PastJob> jobs, long... sizes)
      throws IOException {
    return run(demotion(demotion, Duration.ZERO), jobs, sizes);
  }

  private static Replay run(DemotionSettings demotion, List<PastJob> jobs, long... sizes)
      throws IOException {
    Replay replay =
        new Replay(
            Reserve.ofBytes(0),
            FillLimits.parse(""),
            demotion,
            LongStream.of(sizes).boxed().toList());
    jobs.forEach(replay::add);
    replay.finish();
    return replay;
  }

  private static PastJob job(String id, Task... tasks) {
    return PastJob.of(id, 0, "", List.of(tasks));
  }

  /** Times in minutes, its output in MB. */
  private static Task task(String host, long start, long finish, long output, long fetched) {
    return Task.of(host, start * MINUTE, finish * MINUTE, output * MB, 0, fetched * MINUTE);
  }

  /** So many maps on one node, each of a minute after the other, with outputs of 10 MB. */
  private static PastJob maps(String id, long submit, int maps) {
    return PastJob.of(
        id,
        submit * MINUTE,
        "",
        LongStream.range(submit, submit + maps)
            .mapToObj(start -> task("n", start, start + 1, 10, 0))
            .toList());
  }
}
