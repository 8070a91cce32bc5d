// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.NodeSample;
import io.temptier.bench.experiment.NodeSample.DiskRate;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches disks, cores and local dirs while a job runs, once a second, by the kernel's counters and
 * by walking the dirs as {@code du} would. {@link #moments} may be called by any thread.
 */
final class NodeSampler extends Sampler {
  private static final long PERIOD_MILLIS = 1000;
  private static final double MB = 1e6;

  private final Map<String, Disk> disks;
  private final WorkerNode node;
  private final List<Path> fastDirs;
  private final List<Path> slowDirs;
  private final List<NodeSample> moments = new ArrayList<>();
  private final Map<String, DiskTraffic> before = new HashMap<>();
  private final Map<String, DiskTraffic> first;
  private final CpuTimes firstCpu;
  private CpuTimes cpuBefore;
  private double secondsBefore;

  /**
   * Begins to watch.
   *
   * @param folder of temporary data on each disk, if it is there
   */
  NodeSampler(Map<String, Disk> disks, WorkerNode node, String folder) throws IOException {
    super("node-sampler", PERIOD_MILLIS);
    this.disks = disks;
    this.node = node;
    this.fastDirs = dirs(disks, folder, false);
    this.slowDirs = dirs(disks, folder, true);
    this.firstCpu = CpuTimes.now();
    this.cpuBefore = firstCpu;
    for (Map.Entry<String, Disk> disk : disks.entrySet()) {
      before.put(disk.getKey(), disk.getValue().traffic());
    }
    this.first = Map.copyOf(before);
    start();
  }

  private static List<Path> dirs(Map<String, Disk> disks, String folder, boolean slow) {
    return disks.entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()) == slow)
        .map(disk -> disk.getValue().mount().resolve(folder))
        .toList();
  }

  List<NodeSample> moments() {
    synchronized (moments) {
      return List.copyOf(moments);
    }
  }

  /** Seconds of work of all cores since the start. */
  double workSeconds() throws IOException {
    return CpuTimes.now().since(firstCpu).workSeconds();
  }

  /** What each disk did since the start. */
  Map<String, DiskTraffic> traffic() throws IOException {
    Map<String, DiskTraffic> traffic = new HashMap<>();
    for (Map.Entry<String, DiskTraffic> disk : first.entrySet()) {
      Disk now = disks.get(disk.getKey());
      if (now != null) {
        traffic.put(disk.getKey(), now.traffic().since(disk.getValue()));
      }
    }
    return traffic;
  }

  @Override
  protected void look() throws IOException {
    double now = seconds();
    double seconds = now - secondsBefore;
    if (seconds < PERIOD_MILLIS / 2e3) {
      return;
    }
    Map<String, DiskRate> rates = new HashMap<>();
    for (Map.Entry<String, Disk> disk : disks.entrySet()) {
      DiskTraffic traffic = disk.getValue().traffic();
      DiskTraffic done = traffic.since(before.getOrDefault(disk.getKey(), traffic));
      rates.put(disk.getKey(), rate(disk.getKey(), done, seconds));
      before.put(disk.getKey(), traffic);
    }
    CpuTimes cpu = CpuTimes.now();
    CpuTimes done = cpu.since(cpuBefore);
    cpuBefore = cpu;
    secondsBefore = now;
    NodeSample moment =
        new NodeSample(
            now,
            done.workShare(),
            done.ioWaitShare(),
            rates,
            new NodeSample.TempBytes(bytes(fastDirs), bytes(slowDirs)));
    synchronized (moments) {
      moments.add(moment);
    }
  }

  private DiskRate rate(String disk, DiskTraffic done, double seconds) {
    return new DiskRate(
        done.readBytes() / MB / seconds,
        done.writtenBytes() / MB / seconds,
        node.load(disk, done, seconds));
  }

  private static long bytes(List<Path> dirs) throws IOException {
    long bytes = 0;
    for (Path dir : dirs) {
      bytes += Folders.bytesOf(dir);
    }
    return bytes;
  }

  /**
   * What the machine's cores did since it started, in ticks of a hundredth of a second.
   *
   * @param idle nothing
   * @param ioWait nothing, while something waited for a disk
   */
  record CpuTimes(long user, long system, long idle, long ioWait) {
    private static final Path STAT = Path.of("/proc/stat");
    private static final double TICKS_PER_SECOND = 100;

    static CpuTimes now() throws IOException {
      try (var lines = Files.lines(STAT)) {
        return parse(lines.findFirst().orElse(""));
      }
    }

    /** Parses the line that begins with {@code cpu}, see proc(5). */
    static CpuTimes parse(String line) throws IOException {
      List<String> fields = List.of(line.trim().split(" +", -1));
      if (fields.size() < 8 || !fields.get(0).equals("cpu")) {
        throw new IOException(
            STAT + " begins with \"" + line + "\", not with the times of all cores");
      }
      return new CpuTimes(
          ticks(fields, 1) + ticks(fields, 2),
          ticks(fields, 3) + ticks(fields, 6) + ticks(fields, 7),
          ticks(fields, 4),
          ticks(fields, 5));
    }

    private static long ticks(List<String> fields, int at) {
      return Long.parseLong(fields.get(at));
    }

    /** What was done since {@code before}. */
    CpuTimes since(CpuTimes before) {
      return new CpuTimes(
          user - before.user,
          system - before.system,
          idle - before.idle,
          Math.max(0, ioWait - before.ioWait));
    }

    /** Seconds of work, of all cores together. */
    double workSeconds() {
      return (user + system) / TICKS_PER_SECOND;
    }

    /** The share that was work, 0 to 1. */
    double workShare() {
      return share(user + system);
    }

    /** The share that was waiting for disks, 0 to 1. */
    double ioWaitShare() {
      return share(ioWait);
    }

    private double share(long part) {
      long all = user + system + idle + ioWait;
      return all <= 0 ? 0 : (double) part / all;
    }
  }
}
