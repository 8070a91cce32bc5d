// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.Sizes;
import io.temptier.tier.TierSettings;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one application may still put on a tier, when {@code temptier.app-share} bounds it: its
 * share of the tier's size, less what lies in its dirs ({@code
 * usercache/USER/appcache/APPLICATION}), less what it has claimed. Off, and free, at the default
 * share of 100 %.
 */
final class ApplicationUsage {
  private final TierSettings settings;
  private final LongSupplier clockMillis;
  private final Map<String, DirectoryUsage.Usage> cache = new ConcurrentHashMap<>();

  ApplicationUsage(TierSettings settings, LongSupplier clockMillis) {
    this.settings = settings;
    this.clockMillis = clockMillis;
  }

  /**
   * Bytes {@code application} may still have on the tier of {@code members}; no bound when it is
   * null.
   */
  long headroom(List<DirGauge> members, @Nullable String application) {
    if (settings.appShare() >= 1 || application == null) {
      return Long.MAX_VALUE;
    }
    long size = 0;
    long used = 0;
    for (DirGauge gauge : members) {
      DirGauge.Reading reading = gauge.recent();
      if (reading != null) {
        size += Math.min(gauge.dir().capBytes(), reading.capacity().totalBytes());
        // Files may have holes, and be longer than the disk.
        long here =
            Math.min(usage(gauge.dir().path(), application), reading.capacity().totalBytes());
        used += gauge.outstandingOf(application) + here;
      }
    }
    return (long) (settings.appShare() * size) - used;
  }

  private long usage(Path root, String application) {
    long now = clockMillis.getAsLong();
    // Walked again when the clock was set back too.
    String key = root + "\0" + application;
    DirectoryUsage.Usage usage = cache.get(key);
    if (usage == null || Math.abs(now - usage.startedMillis()) >= settings.refresh().toMillis()) {
      usage = DirectoryUsage.Usage.of(measure(root, application), now);
      // One application a task, few in a NodeManager at a time: old ones are not worth keeping.
      if (cache.size() > 1_000) {
        cache.clear();
      }
      cache.put(key, usage);
    }
    return usage.bytes();
  }

  private long measure(Path root, String application) {
    long bytes = 0;
    try (DirectoryStream<Path> users = Files.newDirectoryStream(root.resolve("usercache"))) {
      for (Path user : users) {
        Path dir = user.resolve("appcache").resolve(application);
        // What lies here is the user's: a link could lead a walk anywhere.
        if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
          bytes = Sizes.sum(bytes, DirectoryUsage.measure(dir, clockMillis).bytes());
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return bytes;
    }
    return bytes;
  }
}
