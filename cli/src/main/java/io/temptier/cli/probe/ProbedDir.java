// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A dir, what it is called, and how fast its disk answers. Dirs are ordered by the latency of 99 of
 * 100 requests, since a task has to wait for its slowest. Names are held against the mean: a median
 * would not see a disk that answers three requests from a cache and the fourth after a tenth of a
 * second.
 */
@AutoValue
abstract class ProbedDir {
  /** More, in what 99 of 100 requests take, is another kind of disk. */
  private static final double SAME_KIND = 2;

  /** Slower in the mean than sound flash, which takes 10 to 300 us. */
  private static final double FLASH_MICROS = 2_000;

  /** The same for memory. */
  private static final double MEMORY_MICROS = 100;

  /** Faster in the mean than any seek. */
  private static final double SEEK_MICROS = 1_000;

  abstract Path path();

  /** The medium its user calls it, or empty. */
  abstract Optional<Medium> tag();

  /** The medium the kernel knows. */
  abstract Medium kernel();

  abstract DeviceProbe.Profile profile();

  static ProbedDir of(Path path, Optional<Medium> tag, Medium kernel, DeviceProbe.Profile profile) {
    return new AutoValue_ProbedDir(path, tag, kernel, profile);
  }

  /** What it passes for: its tag, else what the kernel says. */
  Medium medium() {
    return tag().orElse(kernel());
  }

  /** As in {@code temptier.local-dirs}. */
  String tagged() {
    return "[" + medium() + "]" + path();
  }

  double micros() {
    return profile().p99Micros();
  }

  /** Where names and what was measured disagree, for people; best is none. */
  static List<String> warnings(List<ProbedDir> dirs) {
    List<String> warnings = new ArrayList<>();
    for (ProbedDir dir : dirs) {
      String doubt = dir.profile().direct() ? dir.doubt() : "";
      if (!doubt.isEmpty()) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "%s (%s) answers in %.0f us in the mean, %s",
                dir.tagged(),
                dir.tag().isPresent()
                    ? "your tag; the kernel says " + dir.kernel()
                    : "so the kernel says",
                dir.profile().meanMicros(),
                doubt));
      }
    }
    for (ProbedDir fast : dirs) {
      for (ProbedDir slow : dirs) {
        if (slow.micros() > SAME_KIND * fast.micros()
            && slow.medium().compareTo(fast.medium()) < 0) {
          warnings.add(
              String.format(
                  Locale.ROOT,
                  "%s would be filled before %s, but is %.1f times as slow",
                  slow.tagged(),
                  fast.tagged(),
                  slow.micros() / fast.micros()));
        }
      }
    }
    return warnings;
  }

  private String doubt() {
    double mean = profile().meanMicros();
    if (medium().compareTo(Medium.NVME) < 0 && mean > MEMORY_MICROS) {
      return "slower than memory: is it mounted with DAX?";
    }
    if (medium().compareTo(Medium.SSD) <= 0 && mean > FLASH_MICROS) {
      return "as slow as a rotating disk: tag it [DISK], or mend the disk";
    }
    return medium() == Medium.DISK && mean < SEEK_MICROS
        ? "faster than any seek: a cache answers, or it is no rotating disk"
        : "";
  }

  /** For programs; latencies are in microseconds. */
  @JsonValue
  ObjectNode json() {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", path().toString())
            .put("medium", medium().name())
            .put("kernel", kernel().name());
    tag().ifPresent(tag -> node.put("tag", tag.name()));
    return node.putPOJO("profile", profile());
  }
}
