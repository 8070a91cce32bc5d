// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import io.temptier.fixtures.LoopDisk;
import io.temptier.hadoop.NodeManagerBed;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What TempTier's own threads cost a NodeManager in CPU time: device watch, history, upkeep and the
 * rest, over twelve disks (loop devices for root, else folders of one disk), at their real
 * intervals. Says it and asserts none of it: a measurement, by request; the property is how many
 * seconds of it.
 */
@EnabledIfSystemProperty(named = "temptier.test.node-cost", matches = "[1-9]\\d*")
class NodeCostTest {
  private static final int FAST_DIRS = 2;
  private static final int DIRS = 12;
  private static final long DISK_BYTES = 64L << 20;

  /** On the node at a time; one ends each second, and another begins. */
  private static final int APPLICATIONS = 20;

  private static final int USERS = 5;
  private static final int STEPS_PER_SECOND = 10;

  /** The JIT has most of it then. */
  private static final Duration WARM_UP = Duration.ofSeconds(30);

  /** A running application, and where its tasks write down what they place. */
  private record Running(ApplicationId id, Path folder, PlacementJournal journal) {}

  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<LoopDisk> disks = new ArrayList<>();
  private final List<LocalDir> dirs = new ArrayList<>();
  private final Deque<Running> running = new ArrayDeque<>();
  private int begun;

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void ofItsThreads(int placementsPerSecond, @TempDir Path temp) throws Exception {
    makeDirs(temp);
    String[] tagged =
        dirs.stream().map(dir -> "[" + dir.medium() + "]" + dir.path()).toArray(String[]::new);
    try (NodeManagerBed node = new NodeManagerBed(temp, tagged)) {
      node.start();
      work(node, WARM_UP, placementsPerSecond);
      Duration measured = Duration.ofSeconds(Integer.getInteger("temptier.test.node-cost"));
      Map<Long, Long> before = cpuNanos();
      long processBefore = process.getProcessCpuTime();
      long began = System.nanoTime();
      work(node, measured, placementsPerSecond);
      double seconds = (System.nanoTime() - began) / 1e9;
      long whole = process.getProcessCpuTime() - processBefore;
      say(placementsPerSecond, before, whole, seconds);
    } finally {
      for (Running application : running) {
        application.journal().close();
      }
      for (LoopDisk disk : disks) {
        disk.close();
      }
    }
  }

  private void makeDirs(Path temp) throws IOException {
    for (int number = 0; number < DIRS; number++) {
      Path root = temp.resolve("disk" + number);
      try {
        LoopDisk disk = LoopDisk.create(temp, "disk" + number, DISK_BYTES);
        disks.add(disk);
        root = disk.path();
      } catch (IOException e) {
        System.out.println("No disk of its own for " + root + ": " + e.getMessage());
      }
      dirs.add(Layouts.dir(root.resolve("yarn"), number < FAST_DIRS ? Medium.NVME : Medium.DISK));
    }
  }

  /** What a node's tasks do to it, for a while; nothing without placements. */
  private void work(NodeManagerBed node, Duration time, int placementsPerSecond) throws Exception {
    long began = System.nanoTime();
    for (long step = 0; System.nanoTime() - began < time.toNanos(); step++) {
      if (placementsPerSecond > 0) {
        if (step % STEPS_PER_SECOND == 0) {
          change(node);
        }
        for (int i = 0; i < placementsPerSecond / STEPS_PER_SECOND; i++) {
          place();
        }
      }
      long next = began + (step + 1) * (1_000_000_000L / STEPS_PER_SECOND);
      Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
    }
  }

  private void change(NodeManagerBed node) throws IOException {
    do {
      ApplicationId id = ApplicationId.newInstance(1, ++begun);
      String user = "user" + begun % USERS;
      Path root = dirs.get(begun % DIRS).path();
      Path folder = root.resolve("usercache").resolve(user).resolve("appcache").resolve("" + id);
      Files.createDirectories(folder);
      running.add(
          new Running(id, folder, PlacementJournal.ofApplication(List.of(folder), dir -> true)));
      node.applications.put(id, NodeManagerBed.application(user));
    } while (running.size() < APPLICATIONS);
    if (running.size() > APPLICATIONS) {
      Running over = running.remove();
      over.journal().close();
      node.applications.remove(over.id());
      assertTrue(FileUtil.fullyDelete(over.folder().toFile()), over.toString());
    }
  }

  private void place() {
    Running application = running.remove();
    running.add(application);
    PlacementRequest request =
        PlacementRequest.of(
            "output/attempt_1_0001_m_000001_0/spill0.out",
            FileKind.SPILL,
            1 << 20,
            true,
            application.id().toString(),
            0);
    Placement placement =
        Placement.of(
            dirs.get(DIRS - 1),
            Reason.FULL,
            List.of(Placement.Refusal.of(Medium.NVME, Reason.FULL, 0)));
    application.journal().placed(request, placement);
    application.journal().settled(request, placement, 1 << 20);
  }

  /** Of each thread so far, by its id. */
  private Map<Long, Long> cpuNanos() {
    Map<Long, Long> all = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      all.put(id, Math.max(0, threads.getThreadCpuTime(id)));
    }
    return all;
  }

  private void say(int placements, Map<Long, Long> before, long processNanos, double seconds) {
    long ours = 0;
    for (Map.Entry<Long, Long> thread : cpuNanos().entrySet()) {
      ThreadInfo info = threads.getThreadInfo(thread.getKey());
      // Most are borrowed, now for this and now for that.
      if (info != null && info.getThreadName().toLowerCase(Locale.ROOT).startsWith("temptier")) {
        ours += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d disks, %d placements a second, %.0f s: CPU ms a second (1 is 0.1 %% of a core)%n",
        disks.isEmpty() ? 1 : DIRS,
        placements,
        seconds);
    line("TempTier's threads", ours, seconds);
    line("the whole JVM, with what the test itself does", processNanos, seconds);
  }

  private static void line(String name, long nanos, double seconds) {
    System.out.printf(Locale.ROOT, "  %-46s %6.3f%n", name, nanos / 1e6 / seconds);
  }
}
