// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.room.FileSystemCapacity;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses where helpers work: in the fastest local dir with room for that. The dir whose outputs
 * are to leave it may be full. Safe for use by many threads, which wait for the dirs.
 */
final class Scratches {
  /** What a helper writes there is far less. */
  private static final long LEAST_BYTES = 16 << 20;

  private static final long LEAST_INODES = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Scratches.class);

  private final List<LocalDir> dirs;
  private final CapacityProbe probe = new FileSystemCapacity();
  private final Set<Scratch> used = ConcurrentHashMap.newKeySet();

  /** Of a node's dirs, fastest first. */
  Scratches(List<LocalDir> dirs) {
    this.dirs = dirs;
  }

  /**
   * Makes what is missing of the one to use now.
   *
   * @param left told of applications with a folder there that this process did not make
   * @throws IOException when that cannot be done
   */
  Scratch make(Consumer<ApplicationUser> left) throws IOException {
    Scratch scratch = Scratch.make(roomy().path());
    if (used.add(scratch)) {
      scratch.deleteOwn();
      scratch.applications().forEach(left);
    }
    return scratch;
  }

  /** All that were used by this process. */
  Set<Scratch> used() {
    return used;
  }

  private LocalDir roomy() {
    for (LocalDir dir : dirs) {
      try {
        Capacity capacity = probe.probe(dir.path());
        if (capacity.usableBytes() >= LEAST_BYTES
            && (capacity.totalInodes() == 0 || capacity.freeInodes() >= LEAST_INODES)) {
          return dir;
        }
      } catch (IOException e) {
        LOG.debug("{} cannot be asked for its room", dir, e);
      }
    }
    return dirs.get(0);
  }
}
