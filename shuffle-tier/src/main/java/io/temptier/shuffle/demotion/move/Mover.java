// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Moves outputs that are complete. */
public interface Mover {
  /** The file whose length tells how much of what was claimed for a move is written. */
  Path grows(Candidate candidate, LocalDir target);

  /**
   * Moves an output to a place that is claimed.
   *
   * @throws MoveStoppedException when it was not to be moved, or not on
   */
  void moveTo(Candidate candidate, LocalDir target, MoveControl control) throws IOException;

  /**
   * Moves an output to a place that is found and claimed as for any file, in a dir that has the
   * application's folder.
   *
   * @param below places in a slower tier
   * @return where the output lies now
   * @throws MoveStoppedException when it was not to be moved, or not on
   * @throws IOException when that failed; the message has the dir
   */
  default LocalDir move(Candidate candidate, Placer below, MoveControl control) throws IOException {
    control.check();
    MapOutputId id = candidate.id();
    return FileMover.withClaim(
            below,
            below.request(
                id.relativePath().resolve(MapOutputId.DATA).toString(),
                candidate.stamp().bytes(),
                id.application()),
            dir -> {
              requireApplication(candidate, dir);
              return grows(candidate, dir);
            },
            to -> {
              moveNamed(candidate, to.placement().dir(), control);
              return true;
            })
        .orElseThrow(() -> new MoveStoppedException(MoveResult.NO_ROOM, "no slower tier has room"))
        .placement()
        .dir();
  }

  /** The folder of an application is the NodeManager's to make, and to delete. */
  static void requireApplication(Candidate candidate, LocalDir target)
      throws Placer.PathRefusedException {
    MapOutputId id = candidate.id();
    Path application = MapOutputId.application(id.user(), id.application());
    try (@Nullable OwnFolder folder =
        OwnFolder.open(target.path(), application, candidate.stamp().uid()).orElse(null)) {
      if (folder == null) {
        throw new IOException(target.path().resolve(application) + " is missing, or no folder");
      }
    } catch (IOException e) {
      throw new Placer.PathRefusedException(e);
    }
  }

  /** Names the dir of a failure, unless that is the end of the application. */
  default void moveNamed(Candidate candidate, LocalDir target, MoveControl control)
      throws IOException {
    try {
      moveTo(candidate, target, control);
    } catch (MoveStoppedException e) {
      throw e;
    } catch (IOException e) {
      if (control.ended()) {
        // What it failed on is what the NodeManager deletes.
        throw new MoveStoppedException(
            MoveResult.GIVEN_UP, candidate.id().application() + " runs no more");
      }
      throw new IOException("to " + target + ": " + e, e);
    }
  }
}
