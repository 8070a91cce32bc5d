// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

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
  private final String folder;
  private final List<NodeSample> moments = new ArrayList<>();
  private final Reading first;
  private Reading last;

  /** All that the kernel has counted so far. */
  private record Reading(double seconds, CpuTimes cpu, Map<String, DiskTraffic> disks) {
    private Map<String, DiskTraffic> since(Reading before) {
      Map<String, DiskTraffic> done = new HashMap<>();
      disks.forEach(
          (disk, traffic) ->
              done.put(disk, traffic.since(before.disks.getOrDefault(disk, traffic))));
      return done;
    }
  }

  /**
   * Begins to watch.
   *
   * @param folder of temporary data on each disk, if it is there
   */
  NodeSampler(Map<String, Disk> disks, WorkerNode node, String folder) throws IOException {
    super("node-sampler", PERIOD_MILLIS);
    this.disks = disks;
    this.node = node;
    this.folder = folder;
    this.first = read();
    this.last = first;
    start();
  }

  private Reading read() throws IOException {
    Map<String, DiskTraffic> traffic = new HashMap<>();
    for (Map.Entry<String, Disk> disk : disks.entrySet()) {
      traffic.put(disk.getKey(), disk.getValue().traffic());
    }
    return new Reading(seconds(), CpuTimes.now(), traffic);
  }

  List<NodeSample> moments() {
    synchronized (moments) {
      return List.copyOf(moments);
    }
  }

  /** Seconds of work of all cores since the start. */
  double workSeconds() throws IOException {
    return CpuTimes.now().since(first.cpu).workSeconds();
  }

  /** What each disk did since the start. */
  Map<String, DiskTraffic> traffic() throws IOException {
    return read().since(first);
  }

  @Override
  protected void look() throws IOException {
    if (seconds() - last.seconds < PERIOD_MILLIS / 2e3) {
      return;
    }
    Reading now = read();
    double seconds = now.seconds - last.seconds;
    Map<String, DiskRate> rates = new HashMap<>();
    now.since(last).forEach((disk, done) -> rates.put(disk, rate(disk, done, seconds)));
    CpuTimes done = now.cpu.since(last.cpu);
    last = now;
    NodeSample.TempBytes temp = new NodeSample.TempBytes(bytes(false), bytes(true));
    NodeSample moment =
        new NodeSample(now.seconds, done.workShare(), done.ioWaitShare(), rates, temp);
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

  /** Bytes of temporary data on the slow disks, or on the others. */
  private long bytes(boolean slow) throws IOException {
    long bytes = 0;
    for (Map.Entry<String, Disk> disk : disks.entrySet()) {
      if (WorkerNode.isHdd(disk.getKey()) == slow) {
        bytes += Folders.bytesOf(disk.getValue().mount().resolve(folder));
      }
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
