/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.tier;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the files this process is writing and keeps their claims honest: a claim shrinks as its
 * file grows, is renewed every second while it stands, and is released when the file is complete,
 * when it has not grown for the idle time, or when it is gone.
 *
 * <p>A daemon thread does that once a second while there is something to follow, and ends when
 * there is not. Safe for use by many threads.
 */
final class ClaimKeeper {
  /** Told how each file ended. */
  interface Outcome {
    void settled(PlacementRequest request, Placement placement, long bytes);
  }

  private static final Logger LOG = LoggerFactory.getLogger(ClaimKeeper.class);
  private static final long TICK_MILLIS = 1_000;
  private static final int IDLE_TICKS_BEFORE_END = 10;

  /**
   * On a capped dir a claim may shrink only by what the usage walk of every process has seen; this
   * is the age that a walk in use elsewhere may have.
   */
  private static final long WALK_AGE_MILLIS = 3_000;

  /** A file being written. Guarded by itself. */
  private static final class Tracked {
    final File file;
    final PlacementRequest request;
    final Placement placement;
    final DirGauge gauge;
    @Nullable Claim claim;
    long length;
    long grownNanos;

    /** What the length was at {@link #observedMillis}, and what of it every walk has seen since. */
    long observedLength;

    long observedMillis;
    long walkedLength;
    boolean done;

    Tracked(
        File file,
        PlacementRequest request,
        Placement placement,
        DirGauge gauge,
        @Nullable Claim claim,
        long nanos,
        long millis) {
      this.file = file;
      this.request = request;
      this.placement = placement;
      this.gauge = gauge;
      this.claim = claim;
      this.grownNanos = nanos;
      this.observedMillis = millis;
    }
  }

  private final TierSettings settings;
  private final LongSupplier clockMillis;
  private final LongSupplier clockNanos;
  private final Outcome outcome;
  private final Map<Path, Tracked> files = new ConcurrentHashMap<>();
  private @Nullable Thread thread;
  private boolean closed;

  ClaimKeeper(
      TierSettings settings, LongSupplier clockMillis, LongSupplier clockNanos, Outcome outcome) {
    this.settings = settings;
    this.clockMillis = clockMillis;
    this.clockNanos = clockNanos;
    this.outcome = outcome;
  }

  /** Follows {@code file} from now on. A file placed anew at the same path replaces the old one. */
  void track(
      Path file,
      PlacementRequest request,
      Placement placement,
      DirGauge gauge,
      @Nullable Claim claim) {
    Tracked tracked =
        new Tracked(
            file.toFile(),
            request,
            placement,
            gauge,
            claim,
            clockNanos.getAsLong(),
            clockMillis.getAsLong());
    Tracked before = files.put(file, tracked);
    if (before != null) {
      end(before);
    }
    ensureThread();
  }

  /**
   * Says that {@code file} is complete. Writers add suffixes to the path they were given (a merge
   * {@code .merged}, a fetcher its number); those are the same file.
   */
  void settle(Path file) {
    Path placed = placedPath(file);
    Tracked tracked = files.get(placed);
    if (tracked == null) {
      return;
    }
    long length = file.toFile().length();
    synchronized (tracked) {
      tracked.length = Math.max(tracked.length, length);
    }
    finish(placed, tracked);
  }

  private Path placedPath(Path file) {
    if (files.isEmpty() || files.containsKey(file)) {
      return file;
    }
    String name = file.getFileName().toString();
    int end = name.endsWith(".merged") ? name.length() - ".merged".length() : name.length();
    Path plain = file.resolveSibling(name.substring(0, end));
    if (files.containsKey(plain)) {
      return plain;
    }
    while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
      end--;
    }
    return end == 0 ? file : file.resolveSibling(name.substring(0, end));
  }

  /** Settles every file under {@code dir}, or all of them when it is null. */
  void settleAll(@Nullable Path dir) {
    for (Map.Entry<Path, Tracked> entry : files.entrySet()) {
      if (dir == null || entry.getKey().startsWith(dir)) {
        Tracked tracked = entry.getValue();
        synchronized (tracked) {
          tracked.length = Math.max(tracked.length, lengthOf(tracked.file));
        }
        finish(entry.getKey(), tracked);
      }
    }
  }

  /** Files followed now. */
  int size() {
    return files.size();
  }

  private void finish(Path path, Tracked tracked) {
    boolean first;
    synchronized (tracked) {
      first = !tracked.done;
      tracked.done = true;
    }
    if (first) {
      outcome.settled(tracked.request, tracked.placement, Math.max(0, tracked.length));
    }
    if (tracked.gauge.dir().capped()) {
      // Until the usage walk has seen the file, its claim is all that says the bytes are there.
      return;
    }
    files.remove(path, tracked);
    end(tracked);
  }

  private static void end(Tracked tracked) {
    synchronized (tracked) {
      if (tracked.claim != null) {
        tracked.claim.release();
        tracked.claim = null;
      }
    }
  }

  /** One round over all files. Package-private for tests, which turn the clock themselves. */
  void tick() {
    long nanos = clockNanos.getAsLong();
    long millis = clockMillis.getAsLong();
    for (Map.Entry<Path, Tracked> entry : files.entrySet()) {
      Tracked tracked = entry.getValue();
      try {
        if (tracked.done) {
          endWhenWalked(entry.getKey(), tracked, millis);
        } else {
          follow(entry.getKey(), tracked, nanos, millis);
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("Cannot follow {}", entry.getKey(), e);
      }
    }
  }

  private void follow(Path path, Tracked tracked, long nanos, long millis) throws IOException {
    long length = lengthOf(tracked.file);
    boolean over;
    synchronized (tracked) {
      boolean gone = length < 0 && tracked.length > 0;
      if (length > tracked.length) {
        tracked.length = length;
        tracked.grownNanos = nanos;
      }
      if (tracked.claim != null) {
        shrink(tracked, millis);
      }
      over = gone || nanos - tracked.grownNanos >= settings.claimIdle().toNanos();
    }
    if (over) {
      finish(path, tracked);
    }
  }

  private void shrink(Tracked tracked, long millis) throws IOException {
    Claim claim = tracked.claim;
    if (claim == null) {
      return;
    }
    long visible = tracked.gauge.dir().capped() ? walked(tracked, millis) : tracked.length;
    claim.written(visible);
    if (claim.outstandingBytes() == 0 && !tracked.request.sizeKnown()) {
      // Nobody knows how much is still to come, so the file keeps asking for as much again.
      tracked.claim =
          tracked
              .gauge
              .claims()
              .claim(visible + claim.bytes(), tracked.request.application())
              .orElse(null);
      claim.release();
      if (tracked.claim != null) {
        tracked.claim.written(visible);
      }
    } else {
      claim.renew(millis);
    }
  }

  /** The file's length as every process's usage walk has seen it. */
  private static long walked(Tracked tracked, long millis) {
    if (walkCovers(tracked, millis)) {
      tracked.walkedLength = tracked.observedLength;
      observe(tracked, millis);
    }
    return tracked.walkedLength;
  }

  private static void observe(Tracked tracked, long millis) {
    tracked.observedLength = tracked.length;
    tracked.observedMillis = millis;
  }

  private static boolean walkCovers(Tracked tracked, long millis) {
    return millis - tracked.observedMillis >= WALK_AGE_MILLIS
        && tracked.gauge.usageStartedMillis() > tracked.observedMillis;
  }

  private void endWhenWalked(Path path, Tracked tracked, long millis) {
    synchronized (tracked) {
      if (tracked.observedLength != tracked.length) {
        observe(tracked, millis);
      }
      if (tracked.claim != null) {
        tracked.claim.renew(millis);
      }
      if (!walkCovers(tracked, millis)) {
        return;
      }
    }
    files.remove(path, tracked);
    end(tracked);
  }

  /**
   * Length of the file, or of the files its writer made of it with a suffix; -1 when there is none.
   */
  private static long lengthOf(File file) {
    long length = file.length();
    if (length > 0 || file.exists()) {
      return length;
    }
    String name = file.getName();
    String[] siblings =
        file.getParentFile() == null
            ? null
            : file.getParentFile().list((dir, other) -> other.startsWith(name));
    if (siblings == null || siblings.length == 0) {
      return -1;
    }
    long sum = 0;
    for (String sibling : List.of(siblings)) {
      sum += new File(file.getParentFile(), sibling).length();
    }
    return sum;
  }

  private synchronized void ensureThread() {
    if (thread == null && !closed) {
      thread = new Thread(this::run, "temptier-claims");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    int idleTicks = 0;
    try {
      while (idleTicks < IDLE_TICKS_BEFORE_END) {
        Thread.sleep(TICK_MILLIS);
        idleTicks = files.isEmpty() ? idleTicks + 1 : 0;
        tick();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      thread = null;
    }
    if (!files.isEmpty() && !Thread.currentThread().isInterrupted()) {
      ensureThread();
    }
  }

  /** Stops following and releases every claim. */
  void close() {
    synchronized (this) {
      closed = true;
      if (thread != null) {
        thread.interrupt();
      }
    }
    for (Iterator<Map.Entry<Path, Tracked>> all = files.entrySet().iterator(); all.hasNext(); ) {
      Tracked tracked = all.next().getValue();
      all.remove();
      end(tracked);
    }
  }
}
