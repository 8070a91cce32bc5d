// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/**
 * The program that Hadoop's LinuxContainerExecutor runs containers by: Hadoop's own, where this
 * machine has one, or one of ours that obeys the same command line.
 *
 * @param path where it is
 * @param group of the NodeManager's user, which alone may run it
 */
public record ExecutorBinary(Path path, String group) {
  /** Environment variable: Hadoop's own, installed and configured. */
  public static final String OWN = "TEMPTIER_CONTAINER_EXECUTOR";

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  /**
   * Hadoop's own, if {@link #OWN} names one.
   *
   * @throws IOException when what it names is not there
   */
  public static Optional<ExecutorBinary> hadoops() throws IOException {
    String named = System.getenv(OWN);
    if (named == null || named.isEmpty()) {
      return Optional.empty();
    }
    Path path = Path.of(named);
    String group =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .group()
            .getName();
    return Optional.of(new ExecutorBinary(path, group));
  }

  /**
   * Installs ours.
   *
   * @param folder to be made, where programs may have the set-user-id bit
   * @param group whose members it makes root: of a test's own account alone
   * @param leastUid accounts below it are refused
   * @param banned accounts that are refused, with commas in between
   * @throws IOException when that cannot be done
   */
  public static ExecutorBinary standIn(Path folder, String group, int leastUid, String banned)
      throws IOException {
    Path become = Files.createDirectory(folder).resolve("become");
    Files.copy(SETPRIV, become);
    Shell.run("chown", "root:" + group, folder.toString(), become.toString());
    Shell.run("chmod", "0750", folder.toString());
    Shell.run("chmod", "4750", become.toString());
    Path limits = folder.resolve("limits");
    Files.writeString(limits, "min_user_id=" + leastUid + "\nbanned_users=" + banned + "\n");
    Shell.run("chmod", "0644", limits.toString());
    Path program = folder.resolve("container-executor");
    try (InputStream script = ExecutorBinary.class.getResourceAsStream("container-executor")) {
      if (script == null) {
        throw new IOException("the script of the container executor is not in this jar");
      }
      Files.copy(script, program);
    }
    Shell.run("chmod", "0755", program.toString());
    return new ExecutorBinary(program, group);
  }

  /** Sets NodeManagers, whose own group must be this one's, to run containers by it. */
  public ClusterSpec runContainers(ClusterSpec spec) {
    String executor = "yarn.nodemanager.linux-container-executor.";
    return spec.yarn(
            "yarn.nodemanager.container-executor.class",
            "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor")
        // It runs for a second or two for each application and user.
        .yarn(
            "yarn.nodemanager.container-localizer.java.opts",
            "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1")
        .yarn(executor + "path", path.toString())
        .yarn(executor + "group", group);
  }
}
