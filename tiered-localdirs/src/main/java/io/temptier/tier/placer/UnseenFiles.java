// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.room.DirectoryUsage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files in Spark's folders on fast disks that were never placed: those of writers that ask for a
 * path and write there themselves, such as native engines. Stock Spark would have as much of their
 * files on those disks, but less of its own, so that TempTier leaves them less room than stock.
 *
 * <p>How much is still to come is unknown. As many bytes again as lie there are claimed for them,
 * for all processes of the node to see: such writers find no full disk until they have doubled what
 * they had, and by then demotion has made room. A dir that cannot be read keeps its last claim.
 *
 * <p>{@link #placed} is safe for use by many threads. Looks are one thread's, which may hang with a
 * disk.
 */
public final class UnseenFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnseenFiles.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** Name of a home's folders, as {@code DiskBlockManager} gives them. */
  private static final Pattern SUB_DIRECTORY = Pattern.compile("[0-9a-f]{2,4}");

  /** Factor of rest after a look at many files: 5 % of one core. */
  private static final int REST_FACTOR = 20;

  private static final int LOOKS_TO_BE_MADE = 60;

  /** A claim is exchanged when it is off by this part of it. */
  private static final int TOLERANCE = 8;

  private final Map<Path, LocalDir> homes;
  private final Placer placer;
  private final Set<LocalDir> fast = new HashSet<>();

  /** The names of placed files, with the look that last found them. */
  private final Map<String, Long> placed = new ConcurrentHashMap<>();

  private final Map<LocalDir, Claim> claims = new ConcurrentHashMap<>();
  private volatile long looks;
  private volatile boolean found;
  private volatile boolean closed;
  private long restUntilNanos = System.nanoTime();

  /** Knows of none in Spark's homes, each with the dir that it is in, before a {@link #look}. */
  public UnseenFiles(Map<Path, LocalDir> homes, Placer placer) {
    this.homes = homes;
    this.placer = placer;
    List<Tier> tiers = placer.tiers().layout().tiers();
    tiers.subList(0, tiers.size() - 1).forEach(tier -> fast.addAll(tier.dirs()));
  }

  public void placed(LocalDir dir, String name) {
    if (fast.contains(dir)) {
      placed.put(withoutSuffix(name), looks);
    }
  }

  /** A file of such a name is deleted. A name with a suffix may stand for one that is not. */
  public void gone(String name) {
    if (withoutSuffix(name).equals(name)) {
      placed.remove(name);
    }
  }

  /** True if there ever were enough of them to be claimed for. */
  public boolean any() {
    return found;
  }

  /** Writers add to the name of an output, {@code shuffle_0_1_0.data}, until it is complete. */
  private static String withoutSuffix(String name) {
    int suffix = name.indexOf('.', name.indexOf('.') + 1);
    return suffix < 0 ? name : name.substring(0, suffix);
  }

  /** Looks, unless it did so for long lately, and renews claims. To be called every second. */
  public void look() {
    if (closed) {
      return;
    }
    if (System.nanoTime() - restUntilNanos < 0) {
      renew();
      return;
    }
    long began = System.nanoTime();
    try {
      Map<LocalDir, Long> unseen = new HashMap<>();
      for (Map.Entry<Path, LocalDir> home : homes.entrySet()) {
        if (fast.contains(home.getValue())) {
          unseen.merge(home.getValue(), unseenIn(home.getKey()), Long::sum);
        }
      }
      long now = looks;
      looks = now + 1;
      // One that was placed may not have been made yet.
      placed.values().removeIf(look -> look < now - LOOKS_TO_BE_MADE);
      unseen.forEach(this::claim);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Not all of the homes can be read", e);
    }
    long ended = System.nanoTime();
    restUntilNanos = ended + REST_FACTOR * (ended - began) - PERIOD.toNanos();
    renew();
  }

  private long unseenIn(Path home) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(home)) {
      for (Path entry : entries) {
        if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          bytes += unseenBytes(entry);
        } else if (SUB_DIRECTORY.matcher(String.valueOf(entry.getFileName())).matches()) {
          try (DirectoryStream<Path> files = Files.newDirectoryStream(entry)) {
            for (Path file : files) {
              bytes += unseenBytes(file);
            }
          }
        } else {
          bytes += Math.max(0, DirectoryUsage.measure(entry, System::currentTimeMillis).bytes());
        }
      }
    }
    return bytes;
  }

  private long unseenBytes(Path file) {
    String name = withoutSuffix(String.valueOf(file.getFileName()));
    if (placed.computeIfPresent(name, (key, look) -> looks + 1) != null) {
      return 0;
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile() ? attributes.size() : 0;
    } catch (IOException e) {
      // Gone meanwhile.
      return 0;
    }
  }

  private void claim(LocalDir dir, long unseen) {
    found |= unseen >= Placer.SMALLEST_CLAIM_BYTES;
    // More than there is cannot come, and would only look wrong.
    long wanted = Math.min(unseen, dir.path().toFile().getUsableSpace());
    Claim held = claims.get(dir);
    long before = held == null ? 0 : held.bytes();
    if (Math.abs(wanted - before) <= before / TOLERANCE) {
      return;
    }
    Claim claim = wanted == 0 ? null : placer.hold(dir, wanted);
    if (claim != null || wanted == 0) {
      claims.compute(dir, (key, old) -> claim);
      if (held != null) {
        held.release();
      }
    }
    if (closed) {
      // Its close may have been before this claim was there to be seen.
      releaseAll();
    }
  }

  private void releaseAll() {
    for (LocalDir dir : new HashSet<>(claims.keySet())) {
      Claim claim = claims.remove(dir);
      if (claim != null) {
        claim.release();
      }
    }
  }

  private void renew() {
    for (Claim claim : claims.values()) {
      try {
        claim.renew(System.currentTimeMillis());
      } catch (IOException e) {
        LOG.debug("{} may run out", claim, e);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    releaseAll();
  }
}
