// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.claim.Claim;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.DirGauge;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file being written, and its claim. Safe for use by many threads. {@link #follow} and {@link
 * #seenByAll} wait for the file's disk; nobody waits for them but each other.
 */
final class TrackedFile {
  private static final Logger LOG = LoggerFactory.getLogger(TrackedFile.class);

  /**
   * Suffixes added to the name that was asked for: by a merge, which Tez numbers, by a fetcher, by
   * {@link File#createTempFile}.
   */
  private static final Pattern ADDED = Pattern.compile("\\.merged\\d*|\\d*(\\.tmp)?");

  private static final Pattern ADDED_AT_END = Pattern.compile("(\\.merged\\d*|\\d+)$");

  final Path path;
  private final File file;
  final PlacementRequest request;
  final Placement placement;
  final DirGauge gauge;
  private final AtomicReference<@Nullable Claim> claim;
  private final AtomicLong length = new AtomicLong();
  private final AtomicBoolean done = new AtomicBoolean();

  // Guarded by this.
  private long grownNanos;

  /** Length when it was last observed, at the times below. */
  private long observedLength;

  private long observedMillis;
  private long observedNanos;
  private long walkedLength;

  TrackedFile(
      Path path,
      PlacementRequest request,
      Placement placement,
      DirGauge gauge,
      Claim claim,
      long nanos,
      long millis) {
    this.path = path;
    this.file = path.toFile();
    this.request = request;
    this.placement = placement;
    this.gauge = gauge;
    this.claim = new AtomicReference<>(claim);
    this.grownNanos = nanos;
    this.observedMillis = millis;
    this.observedNanos = nanos;
  }

  boolean done() {
    return done.get();
  }

  /** Says that it is complete; true for the first to say so. */
  boolean markDone() {
    return done.compareAndSet(false, true);
  }

  /** The longest it was seen to be, in bytes. */
  long length() {
    return length.get();
  }

  /** Notes what it was seen to be; a file that is gone keeps the length it had. */
  void sawLength(long bytes) {
    length.accumulateAndGet(bytes, Math::max);
  }

  boolean claimed() {
    return claim.get() != null;
  }

  /** Gives up what is left of the claim; false when there is none. No I/O. */
  boolean giveUpClaim() {
    Claim last = claim.getAndSet(null);
    if (last != null) {
      last.giveUp();
    }
    return last != null;
  }

  /** Brings the claim in line with the file; true when that is gone, or idle for so long. */
  synchronized boolean follow(
      long nanos, long millis, long idleNanos, Map<File, NavigableSet<String>> listed) {
    long now = lengthOnDisk(listed);
    boolean gone = now < 0 && length() > 0;
    if (now > length()) {
      sawLength(now);
      grownNanos = nanos;
    }
    Claim current = claim.get();
    if (current != null) {
      try {
        shrink(current, nanos, millis);
      } catch (IOException e) {
        // On a disk that went read-only, say. The claim then counts in full until it is over.
        LOG.debug("Cannot keep {}", current, e);
      }
    }
    return gone || nanos - grownNanos >= idleNanos;
  }

  private void shrink(Claim current, long nanos, long millis) throws IOException {
    current.written(gauge.dir().capped() ? walked(nanos, millis) : length());
    if (length() >= current.bytes() && !request.sizeKnown()) {
      // Nobody knows how much is still to come, so the file keeps asking for as much again.
      current.extend(request.bytes());
    }
  }

  /** The file's length as every process's usage walk has seen it. */
  private long walked(long nanos, long millis) {
    if (covered(nanos, millis)) {
      walkedLength = observedLength;
      observe(nanos, millis);
    }
    return walkedLength;
  }

  private boolean covered(long nanos, long millis) {
    if (millis < observedMillis) {
      // The clock was set back, and the times of walks with it.
      observe(nanos, millis);
      return false;
    }
    return gauge.usage().covers(observedMillis, (nanos - observedNanos) / 1_000_000);
  }

  private void observe(long nanos, long millis) {
    observedLength = length();
    observedMillis = millis;
    observedNanos = nanos;
  }

  /** True for a complete file that every process's usage walk has seen in full. */
  synchronized boolean seenByAll(long nanos, long millis) {
    if (observedLength != length()) {
      observe(nanos, millis);
    }
    return covered(nanos, millis);
  }

  /**
   * The size to count when its writer ends: its size now, or the size last seen; of a file that
   * came and went unseen, the size that its writer named, if any.
   */
  long lastLength(Map<File, NavigableSet<String>> listed) {
    long now = lengthOnDisk(listed);
    return now < 0 && length() == 0 && request.sizeKnown() ? request.bytes() : now;
  }

  /**
   * Length of the file, or of what its writer makes of it with a suffix (see {@link #placedName});
   * -1 when there is none.
   *
   * @param listed names in folders that were listed for other files: one folder may have them all
   */
  private long lengthOnDisk(Map<File, NavigableSet<String>> listed) {
    long bytes = file.length();
    File parent = file.getParentFile();
    if (bytes > 0 || parent == null || file.exists()) {
      return bytes;
    }
    String name = file.getName();
    long sum = -1;
    for (String other :
        listed.computeIfAbsent(parent, TrackedFile::names).subSet(name, name + '\uffff')) {
      if (ADDED.matcher(other.substring(name.length())).matches()) {
        sum = Math.max(0, sum) + new File(parent, other).length();
      }
    }
    return sum;
  }

  private static NavigableSet<String> names(File folder) {
    String[] names = folder.list();
    return new TreeSet<>(Arrays.asList(names == null ? new String[0] : names));
  }

  /** The name that a file was placed by, should this be of a writer that added to it. */
  static String placedName(String name) {
    return ADDED_AT_END.matcher(name).replaceFirst("");
  }
}
