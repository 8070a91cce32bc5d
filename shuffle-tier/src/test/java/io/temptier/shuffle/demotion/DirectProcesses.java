// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.fixtures.Programs;
import io.temptier.tier.demotion.Scratch;
import io.temptier.tier.demotion.UserProcesses;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;

/** Does what a container executor does, but for the change of user: the user is this process's. */
class DirectProcesses implements UserProcesses {
  private static final String SCRIPT =
      "echo 'main : run as user is somebody'; umask 022; mkdir -p \"$1\" \"$2\" && cp \"$3\" \"$1\""
          + " && cd \"$1\" && shift 3 && exec \"$@\" < /dev/null";

  /** Whether nobody may run anything. */
  volatile boolean refuses;

  /** Whether a signal comes when its process has ended. */
  volatile boolean late;

  @Override
  public List<String> command(
      ApplicationUser who, Scratch scratch, Path credentials, List<String> program) {
    if (refuses) {
      return List.of("sh", "-c", "exit 2");
    }
    List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", SCRIPT, "executor"));
    command.add(scratch.folder(who).toString());
    command.add(scratch.logDir().resolve(who.application()).toString());
    command.add(credentials.toString());
    command.addAll(program);
    return command;
  }

  @Override
  public void signal(ApplicationUser who, long pid, Signal signal) throws IOException {
    if (late) {
      ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    }
    signal(signal.number(), pid);
  }

  /** Signals a process group. */
  static void signal(String signal, long pid) throws IOException {
    Programs.run("kill", "-s", signal, "--", "-" + pid);
  }

  @Override
  public void delete(ApplicationUser who, Path folder) {
    FileUtil.fullyDelete(folder.toFile());
  }
}
