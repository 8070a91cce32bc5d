// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.DirState;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Reason;
import io.temptier.tier.Watermarks;
import io.temptier.tier.room.Hysteresis;

/** The fast dir of one node in one of the sizes that are compared. */
final class FastDisk {
  private final LocalDir dir;
  private final long totalBytes;
  private final long reserveBytes;
  private final Watermarks marks;
  private final Hysteresis hysteresis;
  private long usedBytes;
  private boolean draining;
  private boolean moving;

  FastDisk(ClusterModel model, long totalBytes) {
    this.dir = ClusterModel.FAST;
    this.totalBytes = totalBytes;
    this.reserveBytes = model.reserve().bytesOf(totalBytes);
    this.marks =
        model
            .demotion()
            .marksOf(dir.medium())
            .at(1 - Math.min(1, (double) reserveBytes / totalBytes));
    this.hysteresis = new Hysteresis(model.settings());
  }

  /** The dir as placement sees it. A file counts with all its bytes from its first on. */
  DirState state() {
    long room = totalBytes - usedBytes - reserveBytes;
    hysteresis.note(room, totalBytes);
    return new DirState(
        dir, hysteresis.headroom(room), totalBytes - usedBytes, Reason.FULL, totalBytes, 0);
  }

  void add(long bytes) {
    usedBytes += bytes;
  }

  void remove(long bytes) {
    usedBytes -= bytes;
  }

  /** Whether outputs are to be moved down: from the high mark on, until the low one is reached. */
  boolean drains() {
    double fill = (double) usedBytes / totalBytes;
    draining = fill >= marks.high() || (draining && fill > marks.low());
    return draining;
  }

  /** Whether an output is being moved down from it. */
  boolean moving() {
    return moving;
  }

  void setMoving(boolean now) {
    moving = now;
  }
}
