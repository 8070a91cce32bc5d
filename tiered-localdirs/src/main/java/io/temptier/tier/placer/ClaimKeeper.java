// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.claim.Claim;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.DirGauge;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the files this process is writing and keeps their claims honest: a claim shrinks as its
 * file grows, is renewed every second while it stands, and is released when the file is complete,
 * when it has not grown for the idle time, or when it is gone. Files without a claim, which are
 * small, count at once as what their writers said.
 *
 * <p>{@link ClaimRounds} do that: a dir that hangs must neither let the claims on others lapse, nor
 * hold up whoever settles a file. Safe for use by many threads.
 */
final class ClaimKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimKeeper.class);

  private final TierSettings settings;
  private final LongSupplier clockMillis;
  private final LongSupplier clockNanos;
  private final PlacementListener listener;
  private final Map<Path, TrackedFile> files = new ConcurrentHashMap<>();

  /** Files of unknown size that are not complete; folders do not count. */
  private final Set<TrackedFile> unknown = ConcurrentHashMap.newKeySet();

  private final ClaimRounds rounds = new ClaimRounds(this);
  private volatile boolean closed;

  ClaimKeeper(
      TierSettings settings,
      LongSupplier clockMillis,
      LongSupplier clockNanos,
      PlacementListener listener) {
    this.settings = settings;
    this.clockMillis = clockMillis;
    this.clockNanos = clockNanos;
    this.listener = listener;
  }

  /** Follows {@code file} from now on, in place of an older file of the same path. */
  void track(
      Path file,
      PlacementRequest request,
      Placement placement,
      DirGauge gauge,
      @Nullable Claim claim) {
    long nanos = clockNanos.getAsLong();
    long millis = clockMillis.getAsLong();
    TrackedFile tracked =
        claim == null
            ? null
            : new TrackedFile(file, request, placement, gauge, claim, nanos, millis);
    TrackedFile before = tracked == null ? files.remove(file) : files.put(file, tracked);
    if (before != null) {
      tellOnce(before);
      release(before);
    }
    if (tracked == null) {
      long bytes = request.sizeKnown() ? request.bytes() : 0;
      gauge.wrote(bytes);
      listener.settled(request, placement, bytes);
      return;
    }
    if (!request.sizeKnown() && !request.kind().isFolder()) {
      unknown.add(tracked);
    }
    if (closed) {
      // Its close may have been before this file was there to be seen.
      forget(tracked);
    } else {
      rounds.lookAfter(gauge);
    }
  }

  /**
   * Says that {@code file} is complete. Writers add suffixes to the path they were given (a merge
   * {@code .merged}, a fetcher its number); those are the same file.
   *
   * @param bytes its length; negative where it is to be looked at
   */
  void settle(Path file, long bytes) {
    if (files.isEmpty()) {
      return;
    }
    TrackedFile tracked = files.get(file);
    if (tracked == null && file.getFileName() != null) {
      String placed = TrackedFile.placedName(file.getFileName().toString());
      tracked = files.get(file.resolveSibling(placed));
    }
    if (tracked != null) {
      tracked.sawLength(bytes < 0 ? file.toFile().length() : bytes);
      finish(tracked);
    }
  }

  /** Settles every file under {@code dir}, or all of them when it is null. */
  void settleAll(@Nullable Path dir) {
    Map<File, NavigableSet<String>> listed = new HashMap<>();
    for (TrackedFile tracked : files.values()) {
      if (dir == null || tracked.path.startsWith(dir)) {
        tracked.sawLength(tracked.lastLength(listed));
        finish(tracked);
      }
    }
  }

  int size() {
    return files.size();
  }

  int writingUnknown() {
    return unknown.size();
  }

  private void finish(TrackedFile tracked) {
    tellOnce(tracked);
    // Until the usage walk has seen the file, its claim is all that says the bytes are there.
    if (!tracked.claimed() || !tracked.gauge.dir().capped()) {
      forget(tracked);
    }
  }

  private void forget(TrackedFile tracked) {
    files.remove(tracked.path, tracked);
    release(tracked);
  }

  private void release(TrackedFile tracked) {
    unknown.remove(tracked);
    if (tracked.giveUpClaim()) {
      tracked.gauge.gaveUpClaim();
      rounds.writeSoon(tracked.gauge);
    }
  }

  private void tellOnce(TrackedFile tracked) {
    unknown.remove(tracked);
    if (tracked.markDone()) {
      tracked.gauge.wrote(tracked.length());
      listener.settled(tracked.request, tracked.placement, tracked.length());
    }
  }

  /** Goes once over the files in a dir; tests call it, and turn the clock themselves. */
  void tick(DirGauge gauge) {
    long nanos = clockNanos.getAsLong();
    long millis = clockMillis.getAsLong();
    Map<File, NavigableSet<String>> listed = new HashMap<>();
    for (TrackedFile tracked : files.values()) {
      if (tracked.gauge != gauge) {
        continue;
      }
      try {
        if (!tracked.done()) {
          if (tracked.follow(nanos, millis, settings.claimIdle().toNanos(), listed)) {
            finish(tracked);
          }
        } else if (tracked.seenByAll(nanos, millis)) {
          forget(tracked);
        }
      } catch (RuntimeException e) {
        LOG.debug("Cannot follow {}", tracked.path, e);
      }
    }
    gauge.claims().renew();
  }

  /** True if it follows a file in a dir. No I/O. */
  boolean follows(DirGauge gauge) {
    for (TrackedFile tracked : files.values()) {
      if (tracked.gauge == gauge) {
        return true;
      }
    }
    return false;
  }

  /** Stops following and releases every claim, on dirs that answer before it returns. */
  void close(List<DirGauge> gauges) {
    closed = true;
    files.values().forEach(this::forget);
    rounds.close(gauges);
  }
}
