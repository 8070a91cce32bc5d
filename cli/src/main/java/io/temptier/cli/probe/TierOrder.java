// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Orders dirs by what was measured, fastest first, and says where their names disagree with it. A
 * disk is judged by the latency of single requests: by 99 of 100 of them, since a task has to wait
 * for its slowest. Dirs within a factor of two of the fastest of their group make one tier: that is
 * less than two disks of one kind may differ from one second to the next. Names are held against
 * the mean: a median would not see a disk that answers three requests from a cache and the fourth
 * after a tenth of a second.
 */
final class TierOrder {
  /** More is another kind of disk. */
  private static final double SAME_TIER = 2;

  /**
   * Slower in the mean than a sound disk of that kind: a request to flash takes 10 to 300 us, to a
   * rotating disk a seek.
   */
  private static final double FLASH_MICROS = 2_000;

  /** The same for memory. */
  private static final double MEMORY_MICROS = 100;

  /** Faster in the mean than any seek. */
  private static final double SEEK_MICROS = 1_000;

  private final List<List<ProbedDir>> tiers;

  private TierOrder(List<List<ProbedDir>> tiers) {
    this.tiers = tiers;
  }

  static TierOrder of(List<ProbedDir> dirs) {
    List<ProbedDir> sorted =
        dirs.stream()
            .sorted(Comparator.comparingDouble(TierOrder::micros))
            .collect(Immutable.toList());
    List<List<ProbedDir>> tiers = new ArrayList<>();
    for (ProbedDir dir : sorted) {
      List<ProbedDir> last = tiers.isEmpty() ? Immutable.listOf() : tiers.get(tiers.size() - 1);
      if (last.isEmpty() || micros(dir) > SAME_TIER * micros(last.get(0))) {
        tiers.add(new ArrayList<>(Immutable.listOf(dir)));
      } else {
        last.add(dir);
      }
    }
    return new TierOrder(tiers);
  }

  private static double micros(ProbedDir dir) {
    return dir.profile().mix().p99();
  }

  /** The tiers, fastest first; the dirs of one in the order of their latency. */
  List<List<ProbedDir>> tiers() {
    return tiers;
  }

  /** All dirs, in the order of their tiers. */
  List<ProbedDir> dirs() {
    return tiers.stream().flatMap(List::stream).collect(Immutable.toList());
  }

  /** The number of a dir's tier, from 1. */
  int tierOf(ProbedDir dir) {
    int tier = 0;
    while (tier < tiers.size() && !tiers.get(tier).contains(dir)) {
      tier++;
    }
    return tier + 1;
  }

  /** What to write for {@code temptier.local-dirs}: each dir by the name it has. */
  String suggestion() {
    return dirs().stream()
        .map(dir -> "[" + dir.medium() + "]" + dir.path())
        .collect(Collectors.joining(","));
  }

  /** Where a name and what was measured disagree, for people; best is none. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (ProbedDir dir : dirs()) {
      double mean = dir.profile().mix().mean();
      Medium medium = dir.medium();
      boolean direct = dir.profile().direct();
      if (direct && medium.compareTo(Medium.NVME) < 0 && mean > MEMORY_MICROS) {
        warnings.add(claim(dir, "slower than memory: is it mounted with DAX?"));
      } else if (direct && medium.compareTo(Medium.SSD) <= 0 && mean > FLASH_MICROS) {
        warnings.add(claim(dir, "as slow as a rotating disk: tag it [DISK], or mend the disk"));
      } else if (direct && medium == Medium.DISK && mean < SEEK_MICROS) {
        warnings.add(
            claim(dir, "faster than any seek: a cache answers, or it is no rotating disk"));
      }
    }
    for (int fast = 0; fast < tiers.size(); fast++) {
      for (ProbedDir slow :
          tiers.subList(fast + 1, tiers.size()).stream()
              .flatMap(List::stream)
              .collect(Immutable.toList())) {
        for (ProbedDir dir : tiers.get(fast)) {
          if (slow.medium().compareTo(dir.medium()) < 0) {
            warnings.add(
                String.format(
                    Locale.ROOT,
                    "[%s]%s would be filled before [%s]%s, but is %.1f times as slow",
                    slow.medium(),
                    slow.path(),
                    dir.medium(),
                    dir.path(),
                    micros(slow) / micros(dir)));
          }
        }
      }
    }
    return warnings;
  }

  private static String claim(ProbedDir dir, String what) {
    return String.format(
        Locale.ROOT,
        "[%s]%s (%s) answers in %.0f us in the mean, %s",
        dir.medium(),
        dir.path(),
        dir.tag().isPresent() ? "your tag; the kernel says " + dir.kernel() : "so the kernel says",
        dir.profile().mix().mean(),
        what);
  }

  /** The result for programs; latencies are in microseconds. */
  ObjectNode json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode dirs = root.putArray("dirs");
    for (ProbedDir dir : dirs()) {
      ObjectNode node = dirs.addObject();
      node.put("path", dir.path().toString())
          .put("tier", tierOf(dir))
          .put("medium", dir.medium().name())
          .put("kernel", dir.kernel().name())
          .put("why", dir.why());
      dir.tag().ifPresent(tag -> node.put("tag", tag.name()));
      node.putPOJO("profile", dir.profile());
    }
    root.put("localDirs", suggestion());
    warnings().forEach(root.putArray("warnings")::add);
    return root;
  }
}
