// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.Skip;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a cluster needs whose NodeManager is no root and whose tasks run as their users: accounts, a
 * container executor, and a home with jars that all of them can read. Programs that write to {@code
 * /users/NAME/...} are submitted by that user.
 */
final class SecureNode implements AutoCloseable {
  private static final String NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final Pattern OUTPUT = Pattern.compile("/users/([^/]+)/.*");
  private static final int LEAST_UID = 1000;
  private static final String RECOVERY = "recovery";

  final Accounts accounts;
  final Path home;
  final ExecutorBinary executor;
  final String nodeUser;
  final String ann;
  final String bob;
  private final HadoopRuntime runtime;

  private SecureNode(Accounts accounts, Path home) throws IOException {
    this.accounts = accounts;
    this.home = home;
    Optional<ExecutorBinary> hadoops = ExecutorBinary.hadoops();
    String group = hadoops.isPresent() ? hadoops.get().group() : accounts.group("node");
    this.nodeUser = accounts.user("yarn", group);
    this.ann = accounts.user("ann", "");
    this.bob = accounts.user("bob", "");
    this.executor =
        hadoops.isPresent()
            ? hadoops.get()
            : ExecutorBinary.standIn(home.resolve("executor"), group, LEAST_UID, "daemon");
    this.runtime = readable(HadoopRuntime.locate());
    System.out.println("Container executor: " + executor.path());
  }

  /** Makes it, or skips the test that calls. */
  static SecureNode createOrSkip() throws IOException {
    Skip.unlessRoot("to make accounts, and to run tasks as them");
    Accounts accounts = new Accounts();
    Path home = Files.createTempDirectory(Path.of("/var/tmp"), "temptier-users-");
    Files.setPosixFilePermissions(home, fromString("rwxr-xr-x"));
    boolean made = false;
    try {
      SecureNode node = new SecureNode(accounts, home);
      node.requireJava();
      made = true;
      return node;
    } catch (IOException e) {
      throw Skip.because(
          "needs useradd, setpriv and a file system for programs: " + e.getMessage());
    } finally {
      if (!made) {
        accounts.close();
        Folders.delete(home);
      }
    }
  }

  private void requireJava() throws IOException {
    Shell.run(Accounts.as(ann, List.of(JavaCommand.program(), "-version")));
  }

  /** A spec whose node runs containers as their users. */
  ClusterSpec.Builder spec() throws IOException {
    Path cluster = Files.createDirectories(home.resolve("cluster"));
    Files.createDirectories(cluster.resolve("tmp"));
    Files.setPosixFilePermissions(cluster.resolve("tmp"), fromString("rwxrwxrwx"));
    for (String folder : List.of("node-0", "logs/containers-0", RECOVERY)) {
      if (!Files.exists(cluster.resolve(folder))) {
        Accounts.give(cluster.resolve(folder), nodeUser);
      }
    }
    return ClusterSpec.builder(runtime, cluster)
        .shortTasks()
        .nodeMemoryMiB(3072)
        .launcher(this::launched)
        .yarn("yarn.nodemanager.recovery.enabled", "true")
        .yarn("yarn.nodemanager.recovery.dir", cluster.resolve(RECOVERY).toString())
        .yarn(
            "yarn.nodemanager.container-executor.class",
            "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor")
        .yarn("yarn.nodemanager.linux-container-executor.path", executor.path().toString())
        .yarn("yarn.nodemanager.linux-container-executor.group", executor.group())
        .yarn("yarn.nodemanager.linux-container-executor.nonsecure-mode.limit-users", "false");
  }

  private List<String> launched(List<String> line) {
    try {
      if (line.contains(NODE_MANAGER)) {
        return Accounts.as(nodeUser, line);
      }
      Matcher output = OUTPUT.matcher(line.get(line.size() - 1));
      if (output.matches()) {
        List<String> asUser =
            new ArrayList<>(List.of("env", "HADOOP_USER_NAME=" + output.group(1)));
        asUser.addAll(line);
        return asUser;
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same jars where everybody can read them. */
  private HadoopRuntime readable(HadoopRuntime runtime) throws IOException {
    return new HadoopRuntime(
        copies(runtime.jars(), home.resolve("jars")),
        copies(runtime.dropIns(), home.resolve("drop-ins")));
  }

  private static List<Path> copies(List<Path> originals, Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> copies = new ArrayList<>();
    for (Path original : originals) {
      Path copy = folder.resolve(original.getFileName());
      if (Files.exists(copy)) {
        // Class folders of an IDE have the same name.
        copy = folder.resolve(copies.size() + "-" + original.getFileName());
      }
      copy(original, copy);
      copies.add(copy);
    }
    return copies;
  }

  private static void copy(Path original, Path copy) throws IOException {
    if (Files.isDirectory(original)) {
      try (Stream<Path> all = Files.walk(original)) {
        for (Path path : all.toList()) {
          Path to = copy.resolve(original.relativize(path).toString());
          if (Files.isDirectory(path)) {
            Files.createDirectories(to);
          } else {
            Files.copy(path, to);
          }
        }
      }
      return;
    }
    try {
      Files.createLink(copy, original);
    } catch (FileSystemException | UnsupportedOperationException e) {
      Files.copy(original, copy);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      accounts.close();
    } finally {
      Folders.delete(home);
    }
  }
}
