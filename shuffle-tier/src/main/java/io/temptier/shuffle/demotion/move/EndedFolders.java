// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folders of moves whose application ended meanwhile. The NodeManager, deleting the
 * application, leaves a folder behind when something appears in it at the wrong moment; what it
 * left is removed here, once it is empty, which may take some tries while the NodeManager is still
 * at it. Safe for use by many threads.
 */
public final class EndedFolders {
  /**
   * Time after which nothing is tried any more: a NodeManager that deletes later finds nothing of
   * ours in its way.
   */
  private static final long TRIES_NANOS = Duration.ofMinutes(10).toNanos();

  /** Times since when, by the output's folder. */
  private final Map<Path, Long> sinceNanos = new ConcurrentHashMap<>();

  /** Takes on the folder, in a dir, of a move which has taken back its files. */
  public void add(LocalDir dir, MapOutputId id) {
    Path folder = dir.path().resolve(id.relativePath());
    if (!delete(folder)) {
      sinceNanos.put(folder, System.nanoTime());
    }
  }

  /** Tries again what is left in a dir. */
  public void sweep(LocalDir dir) {
    sinceNanos.forEach(
        (folder, since) -> {
          if (folder.startsWith(dir.path())
              && (System.nanoTime() - since > TRIES_NANOS || delete(folder))) {
            sinceNanos.remove(folder);
          }
        });
  }

  public boolean none() {
    return sinceNanos.isEmpty();
  }

  /** Removes what is empty; true when nothing of the application is left. */
  private static boolean delete(Path folder) {
    Path outputs = Objects.requireNonNull(folder.getParent());
    Path application = Objects.requireNonNull(outputs.getParent());
    FileMover.deleteFolder(folder);
    FileMover.deleteFolder(outputs);
    FileMover.deleteFolder(application);
    return !Files.exists(application, LinkOption.NOFOLLOW_LINKS);
  }
}
