// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.PlacementRequest;
import io.temptier.tier.Reason;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.util.Optional;

/** Room in a slower dir, claimed for as long as a file is moved there. */
public final class ClaimBelow {
  /** Moves the file to where there is room for it. */
  @FunctionalInterface
  public interface Work {
    /** Whether it was moved. */
    boolean move(Placer.Placed to) throws IOException;
  }

  private ClaimBelow() {}

  /**
   * Claims room, and gives it back when the work is done.
   *
   * @param below chooses among the slower dirs
   * @param path makes the path whose length tells how much of what was claimed is written
   * @return where the file lies now; empty when it was not moved, or no dir has room above its
   *     reserve: less is good enough for a file that has to be written, not for one that has a
   *     place
   */
  public static Optional<Placer.Placed> during(
      Placer below, PlacementRequest request, Placer.PathMaker path, Work work) throws IOException {
    Optional<Placer.Placed> placed = below.place(request, path);
    if (!placed.isPresent()) {
      return placed;
    }
    Placer.Placed to = placed.get();
    try {
      boolean room = to.placement().reason() != Reason.OVER_RESERVE;
      return room && work.move(to) ? placed : Optional.empty();
    } finally {
      below.settle(to.file());
    }
  }
}
