// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.LoneClasses;
import io.temptier.lab.process.ParentWatch;
import io.temptier.lab.process.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The files of one attempt to start a cluster: jars, configuration, ports. Every address is
 * 127.0.0.1 by number, since the machine's own name may not resolve.
 */
final class ClusterConf {
  private final ClusterSpec spec;
  private final List<ClusterSpec> nodeSpecs;
  private final Path home;
  private final Path hosts;
  private final LoopbackPorts free = new LoopbackPorts();

  /**
   * By name. A node keeps its own beyond a restart: it is the same to the ResourceManager, and
   * reducers were told of its outputs.
   */
  private final Map<String, Integer> ports = new HashMap<>();

  ClusterConf(ClusterSpec spec) throws IOException {
    this.spec = spec;
    this.nodeSpecs = new ArrayList<>(Collections.nCopies(spec.nodes(), spec));
    this.home = spec.home();
    this.hosts = home.resolve("hosts");
    write();
  }

  Path clientConf() {
    return home.resolve("conf");
  }

  /** The configuration of a NodeManager, counted from 0. */
  Path nodeConf(int node) {
    return home.resolve("node-" + node).resolve("conf");
  }

  List<Path> localDirs(int node) {
    return nodeSpecs.get(node).dirs().stream()
        .map(dir -> home.resolve("node-" + node).resolve(dir.path()))
        .toList();
  }

  /** Writes a node's configuration anew, by the dirs, the switch and yarn-site of another spec. */
  void changeNode(int node, ClusterSpec changed) throws IOException {
    nodeSpecs.set(node, changed);
    writeConf(nodeConf(node), node);
  }

  /** A port that is free at first, the same whenever it is asked for by that name. */
  int port(String name) {
    return ports.computeIfAbsent(name, any -> free.next());
  }

  ProcessBuilder java(Path confDir, int heapMiB, String... command) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Xmx" + heapMiB + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djdk.net.hosts.file=" + hosts,
                "-Djava.io.tmpdir=" + home.resolve("tmp")));
    options.add("-D" + ParentWatch.DELETE + "=" + home);
    List<Path> classPath =
        new ArrayList<>(
            List.of(
                confDir, home.resolve("web"), home.resolve("tether"), home.resolve("hadoop/*")));
    classPath.addAll(tempTierJars(confDir));
    List<String> line =
        JavaCommand.tethered(
            spec.runtime().javaHome(),
            options,
            classPath,
            command[0],
            Arrays.copyOfRange(command, 1, command.length));
    ProcessBuilder builder =
        new ProcessBuilder(spec.launcher().apply(line)).directory(home.toFile());
    Map<String, String> env = builder.environment();
    // What the user's shell is set up with is for another cluster.
    env.keySet().removeIf(key -> key.matches("(HADOOP|YARN|HDFS|MAPRED)_.*|CLASSPATH"));
    env.put("JAVA_HOME", spec.runtime().javaHome().toString());
    env.put("HADOOP_CONF_DIR", confDir.toString());
    return builder;
  }

  /** Beside a node's configuration is a link to the jars, which a test may lead elsewhere. */
  private List<Path> tempTierJars(Path confDir) {
    List<Path> entries =
        new ArrayList<>(spec.runtime().dropIns().stream().filter(Files::isDirectory).toList());
    entries.add(confDir.resolveSibling("temptier").resolve("*"));
    return entries;
  }

  private void write() throws IOException {
    // NameNode and DataNode look for the folders of their web pages and do without pages.
    for (String folder :
        List.of("tmp", "logs", "hadoop", "temptier", "web/webapps/hdfs", "web/webapps/datanode")) {
      Files.createDirectories(home.resolve(folder));
    }
    link(spec.runtime().jars(), home.resolve("hadoop"));
    link(
        spec.runtime().dropIns().stream().filter(Files::isRegularFile).toList(),
        home.resolve("temptier"));
    LoneClasses.copy(home.resolve("tether"), ParentWatch.class);
    Path file = Path.of("/proc/sys/kernel/hostname");
    String hostname = Files.isReadable(file) ? Files.readString(file).trim() : "";
    Files.writeString(hosts, ("127.0.0.1 localhost " + hostname).trim() + "\n");
    writeConf(clientConf(), 0);
    for (int node = 0; node < spec.nodes(); node++) {
      writeConf(nodeConf(node), node);
      link(List.of(home.resolve("temptier")), home.resolve("node-" + node));
    }
  }

  private void writeConf(Path conf, int node) throws IOException {
    Files.createDirectories(conf);
    ClusterSpec nodeSpec = nodeSpecs.get(node);
    Map<String, String> core = template("core-site", conf, node);
    core.putAll(spec.site("core"));
    Map<String, String> hdfs = template("hdfs-site", conf, node);
    hdfs.putAll(spec.site("hdfs"));
    Map<String, String> yarn = template("yarn-site", conf, node);
    // It waits ten seconds more while logs of ended applications are still to be deleted.
    yarn.put("yarn.nodemanager.log.retain-seconds", "0");
    if (nodeSpec.tiered()) {
      yarn.putAll(template("tiered-yarn-site", conf, node));
    }
    yarn.putAll(nodeSpec.site("yarn"));
    Map<String, String> mapred = template("mapred-site", conf, node);
    mapred.putAll(spec.site("mapred"));
    mapred.putAll(nodeSpec.site("mapred"));
    SiteFile.write(conf.resolve("core-site.xml"), core);
    SiteFile.write(conf.resolve("hdfs-site.xml"), hdfs);
    SiteFile.write(conf.resolve("yarn-site.xml"), yarn);
    SiteFile.write(conf.resolve("mapred-site.xml"), mapred);
    SiteFile.writeLog4j(conf, "INFO");
  }

  /**
   * What is in a site file. A variable that is no known value names a port: of the node where it
   * begins so, else of the cluster.
   */
  private Map<String, String> template(String site, Path conf, int node) throws IOException {
    List<String> dirs = localDirs(node).stream().map(Path::toString).toList();
    List<String> tagged = new ArrayList<>();
    for (int i = 0; i < dirs.size(); i++) {
      tagged.add(nodeSpecs.get(node).dirs().get(i).tag() + dirs.get(i));
    }
    Map<String, Object> known =
        Map.of(
            "home", home,
            "number", node,
            "nodeMemory", spec.nodeMemoryMiB(),
            "taskMemory", spec.taskMemoryMiB(),
            "taskHeap", spec.taskMemoryMiB() * 5 / 8,
            "localDirs", String.join(",", dirs),
            "taggedDirs", String.join(",", tagged),
            "tempTier", JavaCommand.path(tempTierJars(conf)));
    return Template.properties(
        ClusterConf.class,
        site + ".properties",
        name ->
            Objects.requireNonNullElseGet(
                known.get(name), () -> port(name.startsWith("node") ? name + node : name)));
  }

  static void link(List<Path> jars, Path folder) throws IOException {
    for (Path jar : jars) {
      Path link = folder.resolve(jar.getFileName().toString());
      // One that is there may be in use.
      if (!Files.isSymbolicLink(link) || !Files.readSymbolicLink(link).equals(jar)) {
        lead(link, jar);
      }
    }
  }

  /** Leads a link elsewhere at once: who looks meanwhile finds one or the other. */
  static void lead(Path link, Path target) throws IOException {
    Path next = link.resolveSibling("." + link.getFileName() + ".next");
    Files.move(Files.createSymbolicLink(next, target), link, StandardCopyOption.ATOMIC_MOVE);
  }
}
