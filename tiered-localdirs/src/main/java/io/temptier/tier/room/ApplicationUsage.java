// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.capacity.DirectoryUsage;
import io.temptier.tier.settings.TierSettings;
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
  private final Map<Path, DirectoryUsage.Usage> cache = new ConcurrentHashMap<>();

  ApplicationUsage(TierSettings settings, LongSupplier clockMillis) {
    this.settings = settings;
    this.clockMillis = clockMillis;
  }

  /**
   * Bytes that the application of {@code request} may still have on the tier of {@code members}; no
   * bound when there is none.
   */
  long headroom(List<DirGauge> members, PlacementRequest request) {
    String application = request.application();
    if (settings.appShare() >= 1 || application == null) {
      return Long.MAX_VALUE;
    }
    long size = 0;
    long used = 0;
    for (DirGauge gauge : members) {
      DirReading reading = gauge.recent();
      if (reading != null) {
        size += Math.min(gauge.dir().capBytes(), reading.capacity().totalBytes());
        // Files may have holes, and be longer than the disk.
        long here = usage(gauge.dir().path(), request.user(), application);
        used += Math.min(here, reading.capacity().totalBytes());
        used += reading.outstanding().byApplication().getOrDefault(application, 0L);
      }
    }
    return (long) (settings.appShare() * size) - used;
  }

  /**
   * Bytes in the application's own folder. One of its name that another user made is none of it.
   *
   * @param user null when not known: what lies there is then not counted
   */
  private long usage(Path root, @Nullable String user, String application) {
    if (user == null) {
      return 0;
    }
    Path dir = root.resolve("usercache").resolve(user).resolve("appcache").resolve(application);
    long now = clockMillis.getAsLong();
    DirectoryUsage.Usage usage = cache.get(dir);
    // Walked again when the clock was set back too.
    if (usage == null || Math.abs(now - usage.startedMillis()) >= settings.refresh().toMillis()) {
      // What lies here is the user's: a link could lead a walk anywhere.
      usage =
          Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)
              ? DirectoryUsage.measure(dir, clockMillis)
              : DirectoryUsage.Usage.of(0, now);
      // One application a task, few in a NodeManager at a time: old ones are not worth keeping.
      if (cache.size() > 1_000) {
        cache.clear();
      }
      cache.put(dir, usage);
    }
    return usage.bytes();
  }
}
