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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much room one local dir has, as seen now: usable bytes and inodes of its file system, less
 * the reserve, less what is claimed by any process in any dir of the same file system, within the
 * dir's own cap. Also remembers that the dir failed, or that it reached its watermark.
 *
 * <p><b>Watermark.</b> A dir whose headroom came down to nothing takes files again only when a
 * share of its size (the hysteresis) is free above the reserve, so that it does not flap file by
 * file.
 *
 * <p><b>Errors.</b> A dir that fails is left alone for {@link #FIRST_BACKOFF}, doubled with each
 * failure in a row up to {@link #LONGEST_BACKOFF}; it is logged when it first fails and when it
 * works again, with the count.
 *
 * <p>Safe for use by many threads.
 */
final class DirGauge {
  static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
  static final Duration LONGEST_BACKOFF = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(DirGauge.class);

  /** Resting this many times a walk's own duration, walks cost at most 5 % of one core. */
  private static final int WALK_REST_FACTOR = 20;

  /** A claim is loose while as many of its size fit. */
  private static final int LOOSE_CLAIMS = 1024;

  /**
   * Readings for placement, metrics and {@code status}. {@code outstanding} is this dir's own
   * claims.
   */
  record Reading(
      Capacity capacity,
      long reserveBytes,
      Claims.Outstanding outstanding,
      long headroomBytes,
      Reason bound) {
    Reading less(long bytes) {
      return new Reading(capacity, reserveBytes, outstanding, headroomBytes - bytes, bound);
    }
  }

  private final LocalDir dir;
  private final Tier tier;
  private final TierSettings settings;
  private final CapacityProbe probe;
  private final Claims claims;
  private final LongSupplier clockMillis;
  private final LongSupplier clockNanos;
  private final @Nullable Object device;
  private List<DirGauge> sameDevice = List.of();

  private @Nullable Reading reading;
  private long readingNanos;
  private boolean writable;
  private long provenNanos;
  private boolean watermarkReached;
  private int failuresInARow;
  private long failedCount;
  private long retryNanos;
  private volatile DirectoryUsage.Usage usage = DirectoryUsage.Usage.UNKNOWN;
  private long usageTookMillis;

  DirGauge(
      LocalDir dir,
      Tier tier,
      TierSettings settings,
      CapacityProbe probe,
      Claims claims,
      LongSupplier clockMillis,
      LongSupplier clockNanos) {
    this.dir = dir;
    this.tier = tier;
    this.settings = settings;
    this.probe = probe;
    this.claims = claims;
    this.clockMillis = clockMillis;
    this.clockNanos = clockNanos;
    this.device = deviceOf(dir.path());
  }

  LocalDir dir() {
    return dir;
  }

  Tier tier() {
    return tier;
  }

  Claims claims() {
    return claims;
  }

  /** Tells the gauge which others share its file system. */
  void shareDeviceWith(List<DirGauge> all) {
    sameDevice =
        device == null
            ? List.of()
            : all.stream().filter(g -> g != this && device.equals(g.device)).toList();
  }

  /** The dir for a policy, from a reading no older than the refresh interval, or a new one. */
  synchronized DirState state(boolean fresh) {
    if (clockNanos.getAsLong() - retryNanos < 0 && failuresInARow > 0) {
      return new DirState(dir, Long.MIN_VALUE, 0, Reason.SET_ASIDE);
    }
    Reading now = fresh ? read() : recent();
    if (now == null) {
      return new DirState(dir, Long.MIN_VALUE, 0, Reason.SET_ASIDE);
    }
    if (inodesShort(now.capacity())) {
      return new DirState(dir, Long.MIN_VALUE, now.capacity().usableBytes(), Reason.INODES);
    }
    long headroom = watermarkReached ? Math.min(0, now.headroomBytes()) : now.headroomBytes();
    return new DirState(dir, headroom, now.capacity().usableBytes(), now.bound());
  }

  /** A reading no older than the refresh interval, or null when the dir cannot be read. */
  synchronized @Nullable Reading recent() {
    boolean stale =
        reading == null || clockNanos.getAsLong() - readingNanos >= settings.refresh().toNanos();
    return stale ? read() : reading;
  }

  /** Reads everything anew; null when the dir cannot be read, which sets it aside. */
  private @Nullable Reading read() {
    Capacity capacity;
    try {
      capacity = probeOrCreate();
      proveWritable();
    } catch (IOException e) {
      failed(e.toString());
      reading = null;
      return null;
    }
    Claims.Outstanding own = outstanding(capacity.totalBytes());
    long claimed = own.bytes();
    for (DirGauge other : sameDevice) {
      claimed =
          saturatedAdd(
              claimed,
              other.claims.outstanding(capacity.totalBytes(), other.usageStarted()).bytes());
    }
    long reserve = tier.reserve().bytesOf(capacity.totalBytes());
    long headroom = capacity.usableBytes() - reserve - claimed;
    Reason bound = Reason.FULL;
    if (dir.capped()) {
      long left = dir.capBytes() - usageBytes() - own.bytes();
      if (left < headroom) {
        headroom = left;
        bound = Reason.CAP;
      }
    }
    long size = Math.min(capacity.totalBytes(), dir.capBytes());
    if (headroom <= 0) {
      watermarkReached = true;
    } else if (headroom >= settings.hysteresis() * size) {
      watermarkReached = false;
    }
    reading = new Reading(capacity, reserve, own, headroom, bound);
    readingNanos = clockNanos.getAsLong();
    return reading;
  }

  /** Like stock, a dir that vanished is made again before it is given up. */
  private Capacity probeOrCreate() throws IOException {
    try {
      return probe.probe(dir.path());
    } catch (IOException e) {
      Files.createDirectories(dir.path());
      return probe.probe(dir.path());
    }
  }

  /**
   * Makes a file, once per refresh interval: a failing disk still tells its free space, and the
   * fastest tier would draw every file to it.
   */
  private void proveWritable() throws IOException {
    long now = clockNanos.getAsLong();
    if (writable && now - provenNanos < settings.refresh().toNanos()) {
      return;
    }
    writable = claims.takesFiles();
    provenNanos = now;
    if (!writable) {
      throw new IOException(
          "no file can be made in "
              + dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.CLAIMS)
              + "; is the disk read-only, full, or was the dir emptied?");
    }
  }

  /**
   * Whether a claim of {@code bytes}, just made, still fits: with every process's claims counted,
   * this one included, nothing is overcommitted. Where the dir is so empty that {@link
   * #LOOSE_CLAIMS} such claims fit, the last reading answers: more of them than that, by others and
   * within one refresh interval, would be needed to overcommit.
   */
  synchronized boolean holdsClaim(long bytes) {
    Reading last = recent();
    if (last != null && bytes <= last.headroomBytes() / LOOSE_CLAIMS) {
      reading = last.less(bytes);
      return true;
    }
    Reading now = read();
    return now != null && now.headroomBytes() > 0;
  }

  /** Bytes {@code application} has outstanding here, by the last reading. */
  synchronized long outstandingOf(String application) {
    return reading == null
        ? 0
        : reading.outstanding().byApplication().getOrDefault(application, 0L);
  }

  private Claims.Outstanding outstanding(long totalBytes) {
    return claims.outstanding(totalBytes, usageStarted());
  }

  /** Takes no lock: gauges of one device ask each other. */
  private long usageStarted() {
    return dir.capped() ? usage.startedMillis() : Long.MAX_VALUE;
  }

  /**
   * When the walk began that the cap is counted from; claims on a capped dir shrink only by what it
   * saw.
   */
  synchronized long usageStartedMillis() {
    usageBytes();
    return usage.startedMillis();
  }

  private long usageBytes() {
    long now = clockMillis.getAsLong();
    long rest = Math.max(settings.refresh().toMillis(), usageTookMillis * WALK_REST_FACTOR);
    if (usage.known() && now - usage.startedMillis() < rest) {
      return usage.bytes();
    }
    Path state = dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
    Optional<PublishedState> published =
        PublishedState.read(state)
            .filter(p -> p.usage().known() && now - p.usage().startedMillis() < 2 * rest);
    if (published.isPresent()) {
      if (published.get().usage().startedMillis() > usage.startedMillis()) {
        usage = published.get().usage();
      }
    } else {
      usage = DirectoryUsage.measure(dir.path(), clockMillis);
      usageTookMillis = clockMillis.getAsLong() - now;
    }
    return usage.bytes();
  }

  private boolean inodesShort(Capacity capacity) {
    return capacity.totalInodes() > 0
        && capacity.freeInodes() <= tier.reserve().inodesOf(capacity.totalInodes());
  }

  /** Sets the dir aside for a while. */
  synchronized void failed(String error) {
    if (failuresInARow == 0) {
      LOG.warn(
          "Local dir {} failed and is set aside, to be tried again from time to time; files go to"
              + " the others: {}",
          dir.path(),
          error);
    }
    long backoff = FIRST_BACKOFF.toNanos() << Math.min(failuresInARow, 10);
    retryNanos = clockNanos.getAsLong() + Math.min(backoff, LONGEST_BACKOFF.toNanos());
    failuresInARow++;
    failedCount++;
  }

  /** A file was placed in the dir: it works. */
  synchronized void worked() {
    if (failuresInARow > 0) {
      LOG.info("Local dir {} works again after {} failures", dir.path(), failuresInARow);
      failuresInARow = 0;
    }
  }

  /** Failures since the start. */
  synchronized long failedCount() {
    return failedCount;
  }

  /** Whether the dir is set aside now. */
  synchronized boolean setAside() {
    return failuresInARow > 0;
  }

  private static long saturatedAdd(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  private static @Nullable Object deviceOf(Path path) {
    try {
      Files.createDirectories(path);
      return Files.getAttribute(path, "unix:dev");
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return dir.toString();
  }
}
