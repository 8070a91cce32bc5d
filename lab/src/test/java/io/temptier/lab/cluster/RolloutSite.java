// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Programs;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The nodes of a cluster as hosts for {@code deploy/rollout}: {@code node-0} and so on, each with a
 * folder for releases, an environment, and a command that restarts its NodeManager.
 */
final class RolloutSite implements AutoCloseable {
  private static final long PAUSE_MILLIS = 50;

  private final PseudoCluster cluster;
  private final Path root;
  private final Path script;
  private final Thread restarter = new Thread(this::restartWhenAsked, "restarter");
  private volatile boolean closed;

  record Outcome(int code, String text) {}

  /**
   * Of a cluster whose runtime has no drop-ins.
   *
   * @param root for hosts and releases
   */
  RolloutSite(PseudoCluster cluster, Path root) throws IOException {
    this.cluster = cluster;
    this.root = root;
    this.script = HadoopRuntime.sourceRoot().orElseThrow().resolve("deploy/rollout");
    String hadoop = JavaCommand.path(cluster.spec().runtime().jars());
    Programs.script(root.resolve("bin/hadoop"), "echo '" + hadoop + "'");
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      Programs.script(
          root.resolve(host(node)).resolve("become"),
          """
          export HADOOP_CONF_DIR='%s' JMX='%s' JAVA_HOME='%s' PATH='%s':"$PATH"
          unset HADOOP_HOME
          exec sh -c "$*"
          """
              .formatted(
                  cluster.nodeConf(node),
                  cluster.nodeUrl(node),
                  System.getProperty("java.home"),
                  root.resolve("bin")));
    }
    Programs.script(
        root.resolve("ssh"), "cd '" + root + "'/\"$1\" && shift && exec ./become \"$@\"");
    restarter.setDaemon(true);
    restarter.start();
  }

  private static String host(int node) {
    return "node-" + node;
  }

  /** The folder of the drop-in jars in use on a node. */
  Path lib(int node) {
    return root.resolve(host(node)).resolve("opt/temptier/lib");
  }

  String release(int node) throws IOException {
    return Files.readSymbolicLink(root.resolve(host(node)).resolve("opt/temptier")).toString();
  }

  /** A node with TempTier that keeps its containers when its NodeManager restarts. */
  static ClusterSpec spec(PseudoCluster cluster, int node, ClusterSpec.Dir... fast) {
    ClusterSpec.Dir slow = new ClusterSpec.Dir("[DISK]", Path.of("slow"));
    Path recovery = cluster.spec().home().resolveSibling("recovery-" + node);
    return cluster
        .spec()
        .tiered(true)
        .dirs(Stream.concat(Stream.of(fast), Stream.of(slow)).toArray(ClusterSpec.Dir[]::new))
        .yarn("temptier.reserve", "1m")
        .yarn("temptier.unknown-size", "1m")
        .yarn("temptier.large-size", "16m")
        .yarn("yarn.nodemanager.recovery.enabled", "true")
        // Else a NodeManager that is asked to end takes its containers along.
        .yarn("yarn.nodemanager.recovery.supervised", "true")
        .yarn("yarn.nodemanager.recovery.dir", recovery.toString());
  }

  /** Pushes the configuration of a node, which it has from its next restart on. */
  void configure(int node, ClusterSpec spec) throws IOException {
    cluster.configureNode(node, spec);
    Path jars = cluster.nodeConf(node).resolveSibling("temptier");
    ClusterConf.lead(jars, lib(node));
    Files.writeString(
        cluster.nodeConf(node).resolve("yarn-env.sh"),
        "export HADOOP_CLASSPATH=\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}" + jars + "/*\"\n");
  }

  Outcome rollout(String... options) throws IOException, InterruptedException {
    String restart = "touch restart; while [ -e restart ]; do sleep 0.1; done; test ! -e failed";
    List<String> named = Shell.line("--ssh", root.resolve("ssh"), "--jmx", "$JMX");
    List<String> line =
        Shell.line(script, named, "--prefix", root + "/%h/opt", "--restart", restart, options);
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(10, TimeUnit.MINUTES), text);
    System.out.println(text);
    return new Outcome(process.exitValue(), text);
  }

  private void restartWhenAsked() {
    while (!closed) {
      try {
        Thread.sleep(PAUSE_MILLIS);
        for (int node = 0; node < cluster.spec().nodes(); node++) {
          Path asked = root.resolve(host(node)).resolve("restart");
          if (Files.exists(asked)) {
            restart(node, asked.resolveSibling("failed"));
            Files.delete(asked);
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void restart(int node, Path failed) throws IOException, InterruptedException {
    Files.deleteIfExists(failed);
    try {
      cluster.restartNode(node);
    } catch (IOException e) {
      Files.writeString(failed, String.valueOf(e.getMessage()));
    }
  }

  static Path tarball() throws IOException {
    Path target = HadoopRuntime.sourceRoot().orElseThrow().resolve("cli/target");
    try (Stream<Path> built = Files.list(target)) {
      return built
          .filter(file -> file.getFileName().toString().matches("temptier-.*\\.tar\\.gz"))
          .findFirst()
          .orElseThrow(() -> new IOException(target + " has no tarball: build with mvn package"));
    }
  }

  /** The same with another version: in its name, in those of its jars, and as it says itself. */
  Path tarballOf(String version) throws IOException {
    String built = tarball().getFileName().toString().replaceAll("^temptier-|\\.tar\\.gz$", "");
    Path work = Files.createDirectories(root.resolve("releases").resolve(version));
    Shell.run("tar", "xzf", tarball().toString(), "-C", work.toString());
    String name = "temptier-" + version;
    Path folder = Files.move(work.resolve("temptier-" + built), work.resolve(name));
    List<Path> jars;
    try (Stream<Path> lib = Files.list(folder.resolve("lib"))) {
      jars = lib.filter(Files::isRegularFile).toList();
    }
    for (Path jar : jars) {
      String renamed = jar.getFileName().toString().replace(built, version);
      try (FileSystem zip =
          FileSystems.newFileSystem(Files.move(jar, jar.resolveSibling(renamed)))) {
        Path said = zip.getPath("io/temptier/tier/version.properties");
        if (Files.exists(said)) {
          Files.writeString(said, "version=" + version + "\n");
        }
      }
    }
    String sums =
        "find . -type f ! -name SHA256SUMS -printf '%P\\n' | xargs sha256sum > SHA256SUMS";
    Shell.run("sh", "-c", "cd '" + folder + "' && " + sums);
    Path tarball = work.resolve(name + ".tar.gz");
    Shell.run("tar", "czf", tarball.toString(), "-C", work.toString(), name);
    return tarball;
  }

  @Override
  public void close() {
    closed = true;
    restarter.interrupt();
  }
}
