// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Counts what dirs in memory may hold against the memory of the node: YARN gives its containers
 * what it was told, and knows nothing of a tmpfs.
 */
final class MemoryCheck {
  private static final String MEMORY_KEY = YarnConfiguration.NM_PMEM_MB;
  private static final String RESERVED_KEY = YarnConfiguration.NM_SYSTEM_RESERVED_PMEM_MB;

  /** The part of the machine's memory that YARN takes where no size is configured. */
  private static final double YARNS_SHARE = 0.8;

  private final ConfReader reader;

  MemoryCheck(ConfReader reader) {
    this.reader = reader;
  }

  /**
   * Notes how much memory is promised, a WARNING when that is more than there is.
   *
   * @param memoryBytes of the machine; empty when unknown
   */
  void check(List<NodeDir> dirs, OptionalLong memoryBytes) {
    long inDirs = bytesInDirs(dirs);
    if (inDirs == 0 || !memoryBytes.isPresent()) {
      return;
    }
    long memory = memoryBytes.getAsLong();
    boolean detected = configuredMegabytes() < 0 && detects();
    long containers = containerBytes(memory, detected);
    String what =
        String.format(
            Locale.ROOT,
            "RAM_DISK dirs may hold %s, beside %s for containers; the machine has %s",
            Sizes.format(inDirs),
            Sizes.format(containers),
            Sizes.format(memory));
    String key = detected ? RESERVED_KEY : MEMORY_KEY;
    if (containers <= memory - inDirs) {
      reader.info(key, reader.raw(key), what + ".", "Nothing to do.");
      return;
    }
    reader.warning(
        key,
        reader.raw(key),
        what + ". Once the dirs are full, the kernel swaps or kills containers.",
        (detected
                ? "Set it to more than " + (inDirs >> 20)
                : "Set it to less than " + (Math.max(0, memory - inDirs) >> 20))
            + ", or give the dirs less: mount them with a smaller size=, or cap them, such as"
            + " [RAM_DISK:2g].");
  }

  /** File systems count once, and no more than the caps of their dirs. */
  private static long bytesInDirs(List<NodeDir> dirs) {
    List<NodeDir> left =
        new ArrayList<>(
            dirs.stream()
                .filter(dir -> dir.kernel().medium() == Medium.RAM_DISK)
                .collect(Immutable.toList()));
    long sum = 0;
    while (!left.isEmpty()) {
      NodeDir first = left.get(0);
      List<NodeDir> together =
          left.stream()
              .filter(dir -> dir.equals(first) || dir.kernel().sharesFileSystem(first.kernel()))
              .collect(Immutable.toList());
      left.removeAll(together);
      long size = Math.max(0, first.totalBytes());
      boolean capped = together.stream().map(NodeDir::dir).allMatch(LocalDir::capped);
      sum += capped ? Math.min(size, caps(together, size)) : size;
    }
    return sum;
  }

  private static long caps(List<NodeDir> dirs, long most) {
    return dirs.stream().mapToLong(dir -> Math.min(most, dir.dir().capBytes())).sum();
  }

  private boolean detects() {
    Configuration conf = reader.conf();
    return conf.getBoolean(YarnConfiguration.NM_ENABLE_HARDWARE_CAPABILITY_DETECTION, false);
  }

  private long configuredMegabytes() {
    return number(MEMORY_KEY);
  }

  private long containerBytes(long memory, boolean detected) {
    if (detected) {
      long reserved = number(RESERVED_KEY);
      return reserved < 0 ? (long) (YARNS_SHARE * memory) : Math.max(0, memory - (reserved << 20));
    }
    long megabytes = configuredMegabytes();
    return (megabytes < 0 ? YarnConfiguration.DEFAULT_NM_PMEM_MB : megabytes) << 20;
  }

  /** A number of megabytes; -1 when it is not given or none, which YARN itself complains of. */
  private long number(String key) {
    try {
      return Integer.parseInt(reader.raw(key));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
