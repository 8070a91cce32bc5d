// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
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
 * Refuses dirs that one output cannot go to: those without its application's folder, and those
 * whose device shuffle reads keep busy. The tiers below a busy one are refused too: that an output
 * sinks further is for want of room alone.
 */
final class TargetCheck implements Placer.PathMaker {
  private final Candidate candidate;
  private final MoveGate gate;
  private final Function<MovePaths, Path> grows;
  private @Nullable LocalDir busy;

  TargetCheck(Candidate candidate, MoveGate gate, Function<MovePaths, Path> grows) {
    this.candidate = candidate;
    this.gate = gate;
    this.grows = grows;
  }

  @Override
  public Path make(LocalDir dir) throws PathRefusedException {
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
  MoveStoppedException stopped() {
    LocalDir waited = busy;
    return waited == null
        ? new MoveStoppedException(MoveResult.NO_ROOM, "no slower tier has room")
        : new MoveStoppedException(MoveResult.BUSY, waited + " is busy with shuffle reads");
  }
}
