// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Moves outputs that are complete. */
public interface Mover {
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
  void move(
      List<Candidate> batch,
      Placer below,
      MoveControl control,
      BiConsumer<Candidate, LocalDir> moved)
      throws IOException;

  /** Claims room for an output, until the caller settles the path that {@code grows} gives. */
  static Optional<Placer.Placed> claim(
      Candidate candidate, Placer below, Function<LocalDir, Path> grows) {
    MapOutputId id = candidate.id();
    return FileMover.claim(
        below,
        below.request(
            id.relativePath().resolve(MapOutputId.DATA).toString(),
            candidate.stamp().bytes(),
            id.application()),
        dir -> {
          requireApplication(candidate, dir);
          return grows.apply(dir);
        });
  }

  /** The folder of an application is the NodeManager's to make, and to delete. */
  static void requireApplication(Candidate candidate, LocalDir target)
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
