// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Moves outputs that are complete. */
abstract class Mover {
  /**
   * Moves outputs of one application out of one dir, each to a place that is found and claimed as
   * for any file, in a dir that has the application's folder.
   *
   * @param batch one or more; loses those at its end that no dir has room for now
   * @param below places on one device of a slower tier
   * @param moved told of each that was moved, and where to
   * @throws MoveStoppedException when they were not to be moved, or not on
   * @throws IOException when that failed; the message has the dir
   */
  final void move(
      List<Candidate> batch,
      Placer below,
      MoveControl control,
      BiConsumer<Candidate, LocalDir> moved)
      throws IOException {
    control.check();
    Map<Candidate, LocalDir> targets = new LinkedHashMap<>();
    try {
      for (Candidate candidate : batch) {
        Optional<Placer.Placed> to = claim(candidate, below);
        if (!to.isPresent()) {
          break;
        }
        targets.put(candidate, to.get().placement().dir());
      }
      if (targets.isEmpty()) {
        throw new MoveStoppedException(MoveResult.NO_ROOM, "no slower tier has room");
      }
      batch.retainAll(targets.keySet());
      run(targets, control, moved);
    } finally {
      targets.forEach((candidate, target) -> below.settle(grows(candidate, target)));
    }
  }

  /** Moves outputs for which room is claimed, as {@link #move} does. */
  abstract void run(
      Map<Candidate, LocalDir> targets, MoveControl control, BiConsumer<Candidate, LocalDir> moved)
      throws IOException;

  /** The path whose length tells how much of what was claimed is written. */
  abstract Path grows(Candidate candidate, LocalDir target);

  private Optional<Placer.Placed> claim(Candidate candidate, Placer below) {
    MapOutputId id = candidate.id();
    return FileMover.claim(
        below,
        below.request(
            id.relativePath().resolve(MapOutputId.DATA).toString(),
            candidate.stamp().bytes(),
            id.application()),
        dir -> {
          requireApplication(candidate, dir);
          return grows(candidate, dir);
        });
  }

  /** The folder of an application is the NodeManager's to make, and to delete. */
  private static void requireApplication(Candidate candidate, LocalDir target)
      throws Placer.PathRefusedException {
    MapOutputId id = candidate.id();
    Path application = LocalDir.application(id.user(), id.application());
    try (@Nullable OwnFolder folder =
        OwnFolder.open(target.path(), application, candidate.stamp().uid()).orElse(null)) {
      if (folder == null) {
        throw new IOException(target.path().resolve(application) + " is missing, or no folder");
      }
    } catch (IOException e) {
      throw new Placer.PathRefusedException(e);
    }
  }
}
