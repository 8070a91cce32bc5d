// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/** A move to a place that is found, and claimed, as for any file. */
final class PlacedMove {
  private PlacedMove() {}

  /** What is done once there is a place. */
  @FunctionalInterface
  interface Work {
    void move(MovePaths paths) throws IOException;
  }

  /**
   * Finds a place, and has an output moved there.
   *
   * @param grows the file whose length tells how much of what was claimed is written
   * @return where the output lies now
   * @throws MoveStoppedException when it was not to be moved, or not on
   * @throws IOException when that failed; the message has the dir
   */
  static LocalDir run(
      Candidate candidate, Placer below, MoveGate gate, Function<MovePaths, Path> grows, Work work)
      throws IOException {
    gate.check();
    TargetCheck check = new TargetCheck(candidate, gate, grows);
    MapOutputId id = candidate.id();
    return FileMover.withClaim(
            below,
            below.request(
                id.relativePath().resolve(MapOutputId.DATA).toString(),
                candidate.stamp().bytes(),
                id.application()),
            check,
            to -> {
              move(MovePaths.of(candidate, to.placement().dir()), gate, work);
              return true;
            })
        .orElseThrow(check::stopped)
        .placement()
        .dir();
  }

  private static void move(MovePaths paths, MoveGate gate, Work work) throws IOException {
    try {
      work.move(paths);
    } catch (MoveStoppedException e) {
      throw e;
    } catch (IOException e) {
      if (gate.ended()) {
        // What it failed on is what the NodeManager deletes.
        throw new MoveStoppedException(
            MoveResult.GIVEN_UP, paths.candidate().id().application() + " runs no more");
      }
      throw new IOException("to " + paths.target() + ": " + e, e);
    }
  }
}
