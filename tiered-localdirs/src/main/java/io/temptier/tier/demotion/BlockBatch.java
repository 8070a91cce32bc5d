// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * The process that moves the oldest of Spark's blocks of one application out of one dir as their
 * user. First it takes back what an earlier one left.
 */
public final class BlockBatch {
  static final Launch LAUNCH = new Launch(BlockBatch.class, Immutable.listOf(LoggerFactory.class));

  private BlockBatch() {}

  /** The arguments: bytes, the dir they go to, all dirs. */
  static List<String> task(long bytes, LocalDir to, List<LocalDir> dirs) {
    List<String> task = new ArrayList<>();
    task.add(Long.toString(bytes));
    task.add(to.path().toString());
    dirs.forEach(dir -> task.add(dir.path().toString()));
    return task;
  }

  public static void main(String[] args) throws IOException {
    BatchProcess process = new BatchProcess(BlockBatch.class, args);
    run(
        process.user(),
        process.application(),
        process.from(),
        process.arguments(),
        process.pace().partBytes(),
        process);
    Runtime.getRuntime().halt(0);
  }

  public static void run(
      String user,
      String application,
      Path from,
      List<String> task,
      int partBytes,
      MoveControl control)
      throws IOException {
    Map<LocalDir, Path> folders = new HashMap<>();
    for (String path : task.subList(2, task.size())) {
      LocalDir dir = dir(Paths.get(path));
      Path folder = dir.path().resolve(LocalDir.application(user, application));
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        folders.put(dir, folder);
      }
    }
    CompleteBlock.moveOldest(
        ColdBlocks.Blocks.of(application, folders, Immutable.setOf()),
        dir(from),
        dir(Paths.get(task.get(1))),
        Long.parseLong(task.get(0)),
        partBytes,
        control);
  }

  /** Which medium it is does not matter here. */
  private static LocalDir dir(Path path) {
    return LocalDir.of(path, Medium.DISK, LocalDir.NO_CAP, "batch");
  }
}
