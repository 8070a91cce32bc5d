// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.BatchProcess;
import io.temptier.tier.demotion.Launch;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.TimedCalls.LateException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * The process that moves outputs of one application out of one dir as their user. First it removes
 * what an earlier one left there.
 */
public final class MoveBatch {
  public static final Launch LAUNCH =
      new Launch(MoveBatch.class, Immutable.listOf(LocalDir.class, LoggerFactory.class));

  private MoveBatch() {}

  /** The arguments: how many dirs there are, the dirs, and attempt, bytes and dir of each move. */
  static List<String> task(MoveContext context, Map<Candidate, LocalDir> moves) {
    List<LocalDir> dirs = context.dirs;
    List<String> task = new ArrayList<>();
    task.add(Integer.toString(dirs.size()));
    dirs.forEach(dir -> task.add(dir.medium().name() + ":" + dir.path()));
    moves.forEach(
        (output, to) -> {
          task.add(output.id().attempt());
          task.add(Long.toString(output.stamp().bytes()));
          task.add(Integer.toString(dirs.indexOf(to)));
        });
    return task;
  }

  private static LocalDir dir(String text) {
    String[] parts = text.split(":", 2);
    return LocalDir.of(Paths.get(parts[1]), Medium.valueOf(parts[0]), LocalDir.NO_CAP, "batch");
  }

  public static void main(String[] args) throws IOException {
    BatchProcess process = new BatchProcess(MoveBatch.class, args);
    run(
        process.uid(),
        process.pace(),
        process,
        process.from(),
        process.user(),
        process.application(),
        process.arguments());
    // A look into a dir that hangs is no reason to stay.
    Runtime.getRuntime().halt(0);
  }

  /** Runs a {@link #task}. A failure costs the one output. */
  public static void run(
      int uid,
      Pace pace,
      MoveControl control,
      Path path,
      String user,
      String application,
      List<String> task)
      throws IOException {
    int moves = 1 + Integer.parseInt(task.get(0));
    List<LocalDir> dirs =
        task.subList(1, moves).stream().map(MoveBatch::dir).collect(Immutable.toList());
    LocalDir from = dirs.stream().filter(dir -> dir.path().equals(path)).findFirst().get();
    MoveContext context = new MoveContext(uid, () -> false, dirs, MoveContext.PATIENCE, pace);
    try {
      new Leftovers(context, id -> {}).remove(from, user, application);
    } catch (LateException e) {
      // What is left goes with the application.
    }
    OutputMover mover = new OutputMover(context);
    for (int i = moves; i + 2 < task.size(); i += 3) {
      control.check();
      MapOutputId id = MapOutputId.of(user, application, task.get(i));
      long bytes = Long.parseLong(task.get(i + 1));
      LocalDir to = dirs.get(Integer.parseInt(task.get(i + 2)));
      try {
        mover.moveTo(candidate(id, from, bytes), to, control);
      } catch (IOException e) {
        LoggerFactory.getLogger(MoveBatch.class).debug("{} stays", id, e);
      }
    }
  }

  private static Candidate candidate(MapOutputId id, LocalDir from, long bytes) throws IOException {
    Path file = from.path().resolve(id.relativePath()).resolve(MapOutputId.DATA);
    FileStamp stamp = FileStamp.of(file);
    if (!stamp.regular() || stamp.bytes() != bytes || stamp.links() != 1) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, file + " changed");
    }
    return Candidate.of(id, from, stamp, 0);
  }
}
