// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.TimedCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * State shared by all that moves outputs of a node, or cleans up after moves. Safe for use by many
 * threads.
 */
final class MoveContext {
  /** The slowest disk answers a look-up within that. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int ROOT = 0;

  final int ownUid;
  private final BooleanSupplier asUser;

  /** The dirs of the node, fastest first. */
  final List<LocalDir> dirs;

  private final TimedCalls others = new TimedCalls("TempTier demotion looks into another dir", 1);
  private final Duration patience;
  final Pace pace;
  private final Set<MapOutputId> inUse = ConcurrentHashMap.newKeySet();

  /** {@code patience} bounds a {@link #look}; the pace is that of all moves. */
  MoveContext(
      int ownUid, BooleanSupplier asUser, List<LocalDir> dirs, Duration patience, Pace pace) {
    this.ownUid = ownUid;
    this.asUser = asUser;
    this.dirs = Immutable.copyOf(dirs);
    this.patience = patience;
    this.pace = pace;
  }

  /** True if files of other users can be moved, too. */
  boolean othersToo() {
    return asUser.getAsBoolean();
  }

  /**
   * Returns the uid whose files in a dir may be moved for a user: this process's, or, where files
   * can be moved as the user, that of the account that the user's containers run as. Asked of the
   * folder that the NodeManager makes for each user: that one no user can exchange.
   */
  int uid(LocalDir dir, String user) throws IOException {
    Optional<FileStamp> home = FileStamp.find(dir.path().resolve(LocalDir.home(user)));
    if (!home.isPresent() || !home.get().directory()) {
      return ownUid;
    }
    int uid = home.get().uid();
    return uid != ROOT && othersToo() ? uid : ownUid;
  }

  /**
   * Looks into a dir that another thread takes care of. One that hangs costs the asker the deadline
   * once, and nothing before it answers.
   *
   * @param look goes on when it is late
   * @throws TimedCalls.LateException when there was no answer in time
   * @throws IOException that {@code look} threw
   */
  <T> T look(LocalDir dir, Callable<T> look) throws IOException {
    return others.call(dir, patience, look);
  }

  /** Takes an output, to move it or to clean up after it; false while somebody else has it. */
  boolean take(MapOutputId id) {
    return inUse.add(id);
  }

  /** Gives back an output that was taken. */
  void release(MapOutputId id) {
    inUse.remove(id);
  }
}
