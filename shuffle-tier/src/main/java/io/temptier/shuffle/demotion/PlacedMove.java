// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.placer.Placer.PathRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A move to a place that is found, and claimed, as for any file. Refused are dirs without the
 * application's folder, and those whose device shuffle reads keep busy. The tiers below a busy one
 * are refused too: that an output sinks further is for want of room alone.
 */
final class PlacedMove {
  private final Candidate candidate;
  private final MoveGate gate;
  private final Function<MovePaths, Path> grows;
  private @Nullable LocalDir busy;

  private PlacedMove(Candidate candidate, MoveGate gate, Function<MovePaths, Path> grows) {
    this.candidate = candidate;
    this.gate = gate;
    this.grows = grows;
  }

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
    PlacedMove move = new PlacedMove(candidate, gate, grows);
    MapOutputId id = candidate.id();
    return FileMover.withClaim(
            below,
            below.request(
                id.relativePath().resolve(MapOutputId.DATA).toString(),
                candidate.stamp().bytes(),
                id.application()),
            move::path,
            to -> {
              move.to(to.placement().dir(), work);
              return true;
            })
        .orElseThrow(move::stopped)
        .placement()
        .dir();
  }

  private Path path(LocalDir dir) throws PathRefusedException {
    MovePaths paths = MovePaths.of(candidate, dir);
    LocalDir waited = busy;
    if (waited != null && waited.medium() != dir.medium()) {
      throw refused(waited + " is busy with shuffle reads");
    }
    if (gate.yieldsTo(dir)) {
      busy = dir;
      throw refused(dir + " is busy with shuffle reads");
    }
    int uid = candidate.stamp().uid();
    Path application = paths.application(dir);
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), dir.path().relativize(application), uid).orElse(null)) {
      if (folder == null) {
        throw refused(application + " is missing, or no folder");
      }
    } catch (PathRefusedException e) {
      throw e;
    } catch (IOException e) {
      throw new PathRefusedException(e);
    }
    return grows.apply(paths);
  }

  private static PathRefusedException refused(String why) {
    return new PathRefusedException(new IOException(why));
  }

  /** Why no dir took the output. */
  private MoveStoppedException stopped() {
    LocalDir waited = busy;
    return waited == null
        ? new MoveStoppedException(MoveResult.NO_ROOM, "no slower tier has room")
        : new MoveStoppedException(MoveResult.BUSY, waited + " is busy with shuffle reads");
  }

  private void to(LocalDir target, Work work) throws IOException {
    try {
      work.move(MovePaths.of(candidate, target));
    } catch (MoveStoppedException e) {
      throw e;
    } catch (IOException e) {
      if (gate.ended()) {
        // What it failed on is what the NodeManager deletes.
        throw new MoveStoppedException(
            MoveResult.GIVEN_UP, candidate.id().application() + " runs no more");
      }
      throw new IOException("to " + target + ": " + e, e);
    }
  }
}
