// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.fixtures.Programs;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.Scratch;
import io.temptier.shuffle.demotion.asuser.UserProcesses;
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

  /** Why nobody may run anything. */
  volatile String refusal = "";

  /** The same, where the reason is the node's. */
  volatile String broken = "";

  /** Whether anybody can be killed. */
  volatile boolean kills = true;

  @Override
  public void check() throws IOException {
    if (!broken.isEmpty()) {
      throw new IOException(broken);
    }
  }

  @Override
  public List<String> command(
      ApplicationUser who, Scratch scratch, Path credentials, List<String> program) {
    String why = refusal + broken;
    if (!why.isEmpty()) {
      return List.of("sh", "-c", "echo \"$1\" >&2; exit 2", "executor", why);
    }
    List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", SCRIPT, "executor"));
    command.add(scratch.folder(who).toString());
    command.add(scratch.logDir().resolve(who.application()).toString());
    command.add(credentials.toString());
    command.addAll(program);
    return command;
  }

  @Override
  public void kill(ApplicationUser who, long pid) throws IOException {
    if (!kills) {
      throw new IOException("cannot signal " + pid);
    }
    signal("KILL", pid);
  }

  /** Signals a process group, if it is still there. */
  static void signal(String signal, long pid) {
    try {
      Programs.run("kill", "-s", signal, "--", "-" + pid);
    } catch (IOException e) {
      // It has ended.
    }
  }

  @Override
  public void delete(ApplicationUser who, Path folder) {
    FileUtil.fullyDelete(folder.toFile());
  }
}
