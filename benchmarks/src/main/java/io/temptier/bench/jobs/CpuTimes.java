// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
