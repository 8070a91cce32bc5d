// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches a node while a job runs: disks and cores by the kernel's counters, and once a second the
 * local dirs, by walking them as {@code du} would.
 */
final class NodeSampler extends Sampler {
  private static final long PERIOD_MILLIS = 1000;
  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS_PER_SECOND = 100;

  private final Map<String, EmulatedDisk> disks;
  private final String folder;
  private final Map<String, DiskTraffic> before;
  private final double workBefore;
  private volatile long peakTempBytes;
  private volatile long peakFastBytes;

  /**
   * Begins to watch.
   *
   * @param folder of temporary data on each disk, if it is there
   */
  NodeSampler(Map<String, EmulatedDisk> disks, String folder) throws IOException {
    super("node-sampler", PERIOD_MILLIS);
    this.disks = disks;
    this.folder = folder;
    this.before = read();
    this.workBefore = workOfCores();
    start();
  }

  private Map<String, DiskTraffic> read() throws IOException {
    Map<String, DiskTraffic> traffic = new HashMap<>();
    for (Map.Entry<String, EmulatedDisk> disk : disks.entrySet()) {
      traffic.put(disk.getKey(), disk.getValue().traffic());
    }
    return traffic;
  }

  private static double workOfCores() throws IOException {
    try (var lines = Files.lines(STAT)) {
      return workSeconds(lines.findFirst().orElse(""));
    }
  }

  /** Seconds of work of all cores together, by the line that begins with {@code cpu}: proc(5). */
  static double workSeconds(String line) throws IOException {
    List<String> fields = List.of(line.trim().split(" +", -1));
    if (fields.size() < 8 || !fields.get(0).equals("cpu")) {
      throw new IOException(
          STAT + " begins with \"" + line + "\", not with the times of all cores");
    }
    // user, nice, system, irq, softirq.
    return List.of(1, 2, 3, 6, 7).stream().mapToLong(at -> Long.parseLong(fields.get(at))).sum()
        / TICKS_PER_SECOND;
  }

  /** Seconds of work of all cores since the start. */
  double workSeconds() throws IOException {
    return workOfCores() - workBefore;
  }

  /** What each disk did since the start. */
  Map<String, DiskTraffic> traffic() throws IOException {
    Map<String, DiskTraffic> done = read();
    done.replaceAll((disk, now) -> now.since(before.getOrDefault(disk, now)));
    return done;
  }

  /** The most bytes in the local dirs at a time. */
  long peakTempBytes() {
    return peakTempBytes;
  }

  /** The most of them on the fast disks at a time. */
  long peakFastBytes() {
    return peakFastBytes;
  }

  @Override
  protected void look() throws IOException {
    long fast = 0;
    long all = 0;
    for (Map.Entry<String, EmulatedDisk> disk : disks.entrySet()) {
      long bytes = Folders.bytesOf(disk.getValue().mount().resolve(folder));
      all += bytes;
      fast += WorkerNode.isHdd(disk.getKey()) ? 0 : bytes;
    }
    peakFastBytes = Math.max(peakFastBytes, fast);
    peakTempBytes = Math.max(peakTempBytes, all);
  }
}
