// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A dir, what it is called, and how fast its disk answers. Dirs are ordered by the latency of 99 of
 * 100 requests, since a task has to wait for its slowest. Names are held against the mean: a median
 * would not see a disk that answers three requests from a cache and the fourth after a tenth of a
 * second.
 */
final class ProbedDir {
  /** More, in what 99 of 100 requests take, is another kind of disk. */
  private static final double SAME_KIND = 2;

  /** Slower in the mean than sound flash, which takes 10 to 300 us. */
  private static final double FLASH_MICROS = 2_000;

  /** The same for memory. */
  private static final double MEMORY_MICROS = 100;

  /** Faster in the mean than any seek. */
  private static final double SEEK_MICROS = 1_000;

  // For programs, too: these are the members of the JSON. Latencies are in microseconds.
  final String path;
  final Medium medium;
  final Medium kernel;

  @JsonInclude(JsonInclude.Include.NON_NULL)
  final @Nullable Medium tag;

  final DeviceProbe.Profile profile;

  /** What it passes for is its tag, else what the kernel says. */
  ProbedDir(Path path, @Nullable Medium tag, Medium kernel, DeviceProbe.Profile profile) {
    this.path = path.toString();
    this.medium = tag == null ? kernel : tag;
    this.kernel = kernel;
    this.tag = tag;
    this.profile = profile;
  }

  /** As in {@code temptier.local-dirs}. */
  String tagged() {
    return "[" + medium + "]" + path;
  }

  double micros() {
    return profile.p99Micros();
  }

  /** Where names and what was measured disagree, for people; best is none. */
  static List<String> warnings(List<ProbedDir> dirs) {
    List<String> warnings = new ArrayList<>();
    for (ProbedDir dir : dirs) {
      String doubt = dir.profile.direct() ? dir.doubt() : "";
      if (!doubt.isEmpty()) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "%s (%s) answers in %.0f us in the mean, %s",
                dir.tagged(),
                dir.tag == null ? "so the kernel says" : "your tag; the kernel says " + dir.kernel,
                dir.profile.meanMicros(),
                doubt));
      }
    }
    for (ProbedDir fast : dirs) {
      for (ProbedDir slow : dirs) {
        double times = slow.micros() / fast.micros();
        if (times > SAME_KIND && slow.medium.compareTo(fast.medium) < 0) {
          warnings.add(
              String.format(
                  Locale.ROOT,
                  "%s would be filled before %s, but is %.1f times as slow",
                  slow.tagged(),
                  fast.tagged(),
                  times));
        }
      }
    }
    return warnings;
  }

  private String doubt() {
    double mean = profile.meanMicros();
    if (medium.compareTo(Medium.NVME) < 0 && mean > MEMORY_MICROS) {
      return "slower than memory: is it mounted with DAX?";
    }
    if (medium.compareTo(Medium.SSD) <= 0 && mean > FLASH_MICROS) {
      return "as slow as a rotating disk: tag it [DISK], or mend the disk";
    }
    return medium == Medium.DISK && mean < SEEK_MICROS
        ? "faster than any seek: a cache answers, or it is no rotating disk"
        : "";
  }
}
