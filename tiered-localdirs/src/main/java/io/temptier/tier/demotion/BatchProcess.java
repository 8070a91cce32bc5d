// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/**
 * Start of a process that moves files as their user. It has no more rights than the user, so that
 * it matters to nobody else what the user does to it. Once its NodeManager is gone it takes back
 * the move that it is at.
 *
 * <p>One at a time works on an application in a dir: a process that outlived its NodeManager would
 * make a link to a copy that the next one's took for a leftover.
 */
public final class BatchProcess implements MoveControl {
  private static final Path PROC = Paths.get("/proc");

  private final ProcessTable processes = new ProcessTable(PROC);
  private final List<String> arguments;
  private final Pace pace;

  /**
   * Begins with arguments of {@link UserBatches}.
   *
   * @throws IOException when another one works on the application in this dir
   */
  public BatchProcess(Class<?> main, String[] arguments) throws IOException {
    this.arguments = Arrays.asList(arguments);
    this.pace = new Pace(Long.parseLong(arguments[4]));
    // What the container executor copied into the working directory.
    Files.deleteIfExists(Paths.get(arguments[0]));
    check();
    requireAlone(main.getName());
  }

  public int uid() {
    return processes.selfUid();
  }

  public String user() {
    return arguments.get(2);
  }

  public String application() {
    return arguments.get(3);
  }

  public Path from() {
    return Paths.get(arguments.get(5));
  }

  public Pace pace() {
    return pace;
  }

  public List<String> arguments() {
    return arguments.subList(6, arguments.size());
  }

  /** Another user cannot keep this one from its work; a process of the same user may. */
  private void requireAlone(String main) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : all) {
        if (ProcessTable.uidOf(process) != uid()
            || process.endsWith(Long.toString(ProcessTable.ownPid()))) {
          continue;
        }
        List<String> line;
        try {
          line =
              Arrays.asList(
                  Io.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                      .split("\0", -1));
        } catch (IOException e) {
          // It has ended.
          continue;
        }
        if (line.contains(main)
            && line.contains(application())
            && line.contains(arguments.get(5))) {
          throw new IOException(process + " works on " + application() + " in " + from());
        }
      }
    }
  }

  @Override
  public void check() throws MoveStoppedException {
    if (processes.parent() != Long.parseLong(arguments.get(1))) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "the NodeManager is gone");
    }
  }

  @Override
  public void pass(LocalDir target, long bytes) throws MoveStoppedException {
    pace.await(bytes);
    check();
  }
}
