// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps a retry away from the dirs where an earlier attempt at its file failed. A disk may say that
 * it has room and take no data: a user's quota is nearly used up, a thin pool is full, blocks are
 * bad.
 *
 * <p>The second attempt avoids the dirs in which the first left something, the later ones their
 * tiers as well. Of an attempt that ran on another node nothing is here, and it tells nothing of
 * this node's dirs; only the third attempt avoids the fastest tier even so. Safe for use by many
 * threads.
 */
final class Retries {
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
}
