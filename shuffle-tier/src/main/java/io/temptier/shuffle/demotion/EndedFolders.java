// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The folders of moves whose application ended meanwhile. The NodeManager, deleting the
 * application, leaves a folder behind when something appears in it at the wrong moment; what it
 * left is removed here, once it is empty, which may take some tries while the NodeManager is still
 * at it. Safe for use by many threads.
 */
final class EndedFolders {
  /** Where the NodeManager deletes later than that, it finds nothing of ours in its way. */
  private static final long TRIES_NANOS = Duration.ofMinutes(10).toNanos();

  @AutoValue
  abstract static class Folder {
    abstract LocalDir dir();

    abstract MapOutputId id();

    static Folder of(LocalDir dir, MapOutputId id) {
      return new AutoValue_EndedFolders_Folder(dir, id);
    }
  }

  private final LongSupplier clockNanos;
  private final Map<Folder, Long> sinceNanos = new ConcurrentHashMap<>();

  EndedFolders(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
  }

  /** Takes on the folder, in a dir, of a move which has taken back its files. */
  void add(LocalDir dir, MapOutputId id) {
    Folder folder = Folder.of(dir, id);
    if (!delete(folder)) {
      sinceNanos.put(folder, clockNanos.getAsLong());
    }
  }

  /** Tries again what is left in a dir. */
  void sweep(LocalDir dir) {
    sinceNanos.forEach(
        (folder, since) -> {
          if (folder.dir().equals(dir)
              && (clockNanos.getAsLong() - since > TRIES_NANOS || delete(folder))) {
            sinceNanos.remove(folder);
          }
        });
  }

  /** Whether nothing is left to try. */
  boolean none() {
    return sinceNanos.isEmpty();
  }

  /** Removes what is empty; true when nothing of the application is left. */
  private static boolean delete(Folder folder) {
    MapOutputId id = folder.id();
    Path application = OutputScanner.application(folder.dir(), id.user(), id.application());
    FileMover.deleteFolder(folder.dir().path().resolve(id.relativePath()));
    FileMover.deleteFolder(OutputScanner.outputs(folder.dir(), id.user(), id.application()));
    FileMover.deleteFolder(application);
    return !Files.exists(application, LinkOption.NOFOLLOW_LINKS);
  }
}
