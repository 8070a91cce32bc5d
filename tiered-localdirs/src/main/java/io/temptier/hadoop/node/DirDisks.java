// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.LocalDir;
import io.temptier.tier.kernel.KernelClassifier;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What the local dirs lie on, found out by the threads that look after them, since to look at a dir
 * is to wait for its disk; and known to others, who must not wait. Safe for use by many threads.
 */
final class DirDisks {
  /** How often a dir is asked: another disk may be mounted there. */
  private static final long REFRESH_NANOS = Duration.ofSeconds(30).toNanos();

  private record Found(Set<String> disks, Set<String> devices, long atNanos) {}

  private final KernelClassifier kernel;
  private final LongSupplier clockNanos;
  private final Map<LocalDir, Found> found = new ConcurrentHashMap<>();

  /**
   * Knows nothing at first.
   *
   * @param clockNanos nanoseconds since some time
   */
  DirDisks(KernelClassifier kernel, LongSupplier clockNanos) {
    this.kernel = kernel;
    this.clockNanos = clockNanos;
  }

  /** Looks at a dir, unless that was done lately. May hang with its disk. */
  void look(LocalDir dir) {
    long now = clockNanos.getAsLong();
    Found known = found.get(dir);
    if (known == null || now - known.atNanos() >= REFRESH_NANOS) {
      KernelClassifier.Classification is = kernel.classify(dir.path());
      found.put(dir, new Found(is.disks(), kernel.devices(is), now));
    }
  }

  /** The disks at the bottom of each dir that was looked at. */
  Map<LocalDir, Set<String>> disks() {
    return names(Found::disks);
  }

  /** The block devices whose counters tell the traffic of each dir that was looked at. */
  Map<LocalDir, Set<String>> devices() {
    return names(Found::devices);
  }

  private Map<LocalDir, Set<String>> names(Function<Found, Set<String>> which) {
    Map<LocalDir, Set<String>> names = new HashMap<>();
    found.forEach((dir, of) -> names.put(dir, which.apply(of)));
    return names;
  }
}
