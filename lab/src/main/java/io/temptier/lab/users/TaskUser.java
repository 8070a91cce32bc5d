// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.TestbedHome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/**
 * Two accounts, of a NodeManager and of all tasks on it, and the container executor between them.
 * Needs root. Closing removes the accounts; a JVM that is killed leaves them, without a password, a
 * shell or a home.
 */
public final class TaskUser implements Closeable {
  /** Programs may have the set-user-id bit there, and everybody may look into it. */
  private static final Path PARENT = Path.of("/var/tmp");

  private static final int NAMES = 46_656;

  private final Opened opened;
  private final String node;
  private final String task;
  private final ExecutorBinary executor;
  private final HadoopRuntime runtime;

  private TaskUser(
      Opened opened, String node, String task, ExecutorBinary executor, HadoopRuntime runtime) {
    this.opened = opened;
    this.node = node;
    this.task = task;
    this.executor = executor;
    this.runtime = runtime;
  }

  /**
   * Makes the accounts.
   *
   * @param runtime gets copied, since these accounts may not read the build's jars
   * @throws IOException when they cannot be made; nothing is left then
   */
  public static TaskUser create(HadoopRuntime runtime) throws IOException {
    return Opened.make(
        opened -> {
          Path home = opened.push(TestbedHome.create(PARENT)).path();
          open(home);
          String suffix = Integer.toString(ThreadLocalRandom.current().nextInt(NAMES), 36);
          String node = account(opened, "ttnode" + suffix);
          String task = account(opened, "tttask" + suffix);
          ExecutorBinary executor =
              ExecutorBinary.standIn(home.resolve("executor"), node, 1, "root");
          return new TaskUser(opened, node, task, executor, runtime.copiedTo(home));
        });
  }

  private static String account(Opened opened, String name) throws IOException {
    Shell.run("useradd", "--system", "--user-group", "--shell", "/usr/sbin/nologin", name);
    opened.push(() -> Shell.run("userdel", name));
    return name;
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  public HadoopRuntime runtime() {
    return runtime;
  }

  /**
   * Runs a NodeManager as the one account and its tasks as the other, whoever submits them.
   *
   * @param spec of a cluster that was started with {@link #runtime}
   * @param localDirs absolute; made where they are missing
   * @param launcher what else its command line begins with
   */
  public ClusterSpec run(
      ClusterSpec spec, List<Path> localDirs, UnaryOperator<List<String>> launcher)
      throws IOException {
    open(spec.home().resolve(".."));
    Shell.run("chmod", "1777", spec.home().resolve("tmp").toString());
    for (Path dir :
        Shell.line(localDirs, spec.home().resolve("logs/containers-0")).stream()
            .map(Path::of)
            .toList()) {
      Files.createDirectories(dir);
      Shell.run("chown", node + ":" + node, dir.toString());
    }
    List<String> as = List.of("setpriv", "--reuid", node, "--regid", node, "--clear-groups", "--");
    return executor
        .runContainers(spec)
        .launcher(line -> launcher.apply(Shell.line(as, line)))
        .yarn("yarn.nodemanager.linux-container-executor.nonsecure-mode.local-user", task);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
