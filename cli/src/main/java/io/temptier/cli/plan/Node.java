// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.DirState;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Reason;
import io.temptier.tier.Watermarks;
import io.temptier.tier.room.Hysteresis;
import java.util.LinkedHashSet;
import java.util.Set;

/** A node, with a fast disk of each of the sizes that are compared. */
final class Node {
  private final FastDisk[] fast;
  private final Set<TempFiles.TempFile> outputs = new LinkedHashSet<>();
  private long tempBytes;

  Node(ClusterModel model) {
    this.fast =
        model.fastSizes().stream().map(size -> new FastDisk(model, size)).toArray(FastDisk[]::new);
  }

  FastDisk fast(int size) {
    return fast[size];
  }

  /** Map outputs, which demotion may move. */
  Set<TempFiles.TempFile> outputs() {
    return outputs;
  }

  /** Bytes of all temporary files, wherever they lie. */
  long tempBytes() {
    return tempBytes;
  }

  /** Counts what was written; less than 0 what was deleted. */
  void addTemp(long bytes) {
    tempBytes += bytes;
  }

  /** The fast dir of one node in one of the sizes that are compared. */
  static final class FastDisk {
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
      return DirState.of(
          dir, hysteresis.headroom(room), totalBytes - usedBytes, Reason.FULL, totalBytes, 0);
    }

    /** Counts what came; less than 0 what went. */
    void add(long bytes) {
      usedBytes += bytes;
    }

    /**
     * Whether outputs are to be moved down: from the high mark on, until the low one is reached.
     */
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
}
