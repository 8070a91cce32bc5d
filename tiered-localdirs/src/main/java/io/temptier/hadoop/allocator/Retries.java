// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.os.thread.TimedCalls;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps a retry away from the dirs where an earlier attempt at its file failed. A disk may say that
 * it has room and take no data: a user's quota is nearly used up, a thin pool is full, blocks are
 * bad. Nothing but data written as the same user proves that it takes any.
 *
 * <p>The second attempt avoids the dirs in which the first left something, the later ones their
 * tiers as well. Of an attempt that ran on another node nothing is here, and it tells nothing of
 * this node's dirs; only the third attempt avoids the fastest tier even so. Safe for use by many
 * threads.
 */
final class Retries {
  /** Smaller files than that are proven in full. */
  private static final int MOST_PROOF_BYTES = 1 << 20;

  /** Time for which a disk that took data is believed to take more. */
  private static final long PROVEN_NANOS = Duration.ofSeconds(10).toNanos();

  /** A disk at work may take seconds to write its cache. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final TimedCalls WRITES = new TimedCalls("TempTier proof", 1);

  private static final Map<LocalDir, Long> PROVEN = new ConcurrentHashMap<>();

  private Retries() {}

  /** The dirs to avoid after failures. Looks for traces in dirs that do not hang. */
  static Set<LocalDir> failedIn(
      String path,
      int failures,
      Map<LocalDir, org.apache.hadoop.fs.Path> dirOfRoot,
      EarlierFailures earlier,
      Placer placer) {
    Set<LocalDir> failedIn = new HashSet<>();
    LocalDir last = earlier.lastPlaced(path);
    if (last != null && dirOfRoot.containsKey(last)) {
      failedIn.add(last);
    }
    List<String> paths = EarlierFailures.earlierPaths(path);
    dirOfRoot.forEach(
        (root, dir) -> {
          if (!placer.hangs(root) && paths.stream().anyMatch(before -> left(dir, before))) {
            failedIn.add(root);
          }
        });
    List<Tier> tiers = placer.tiers().layout().tiers();
    boolean none = failedIn.isEmpty();
    for (int i = 0; failures > 1 && i < tiers.size() - 1; i++) {
      List<LocalDir> dirs = tiers.get(i).dirs();
      if (none ? i == 0 : dirs.stream().anyMatch(failedIn::contains)) {
        failedIn.addAll(dirs);
      }
    }
    return failedIn;
  }

  /** True if an earlier attempt has the file here, or a folder of its own that it was to lie in. */
  private static boolean left(org.apache.hadoop.fs.Path dir, String path) {
    File file = new File(dir.toString(), path);
    File parent = file.getParentFile();
    return file.exists() || (parent.getName().startsWith("attempt_") && parent.exists());
  }

  /** Writes some data beside a file, to the disk itself; throws when it is not taken soon. */
  static void prove(LocalDir dir, Path file, long bytes) throws IOException {
    Path folder = file.getParent();
    Long proven = PROVEN.get(dir);
    if (folder == null
        || !Files.isDirectory(folder)
        || (proven != null && System.nanoTime() - proven < PROVEN_NANOS)) {
      return;
    }
    byte[] data = new byte[(int) Math.min(bytes, MOST_PROOF_BYTES)];
    ThreadLocalRandom.current().nextBytes(data);
    WRITES.call(
        dir.path(),
        PATIENCE,
        () -> {
          // One name, so that what a killed process left goes with the next proof.
          write(folder.resolve(".temptier-proof"), data);
          return true;
        });
    PROVEN.put(dir, System.nanoTime());
  }

  private static void write(Path proof, byte[] data) throws IOException {
    try (FileChannel out =
        FileChannel.open(
            proof,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer left = ByteBuffer.wrap(data);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    } finally {
      Files.deleteIfExists(proof);
    }
  }
}
