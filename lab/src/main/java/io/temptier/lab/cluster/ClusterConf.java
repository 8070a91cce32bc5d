// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.ParentWatch;
import io.temptier.lab.process.Template;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
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
   * Ports by name. A node keeps its own beyond a restart: it is the same to the ResourceManager,
   * and reducers were told of its outputs.
   */
  private final Map<String, Integer> ports = new HashMap<>();

  ClusterConf(ClusterSpec spec) throws IOException {
    this.spec = spec.copy();
    this.nodeSpecs = new ArrayList<>(Collections.nCopies(spec.nodes(), this.spec));
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
    return nodeSpecs.get(node).dirs.stream()
        .map(dir -> home.resolve("node-" + node).resolve(dir.path()))
        .toList();
  }

  /** Writes a node's configuration anew, by the dirs, the switch and the sites of another spec. */
  void changeNode(int node, ClusterSpec changed) throws IOException {
    nodeSpecs.set(node, changed.copy());
    writeConf(nodeConf(node), node);
  }

  /** A port that is free at first, the same whenever it is asked for by that name. */
  int port(String name) {
    return ports.computeIfAbsent(name, any -> free.next());
  }

  ProcessBuilder java(Path confDir, int heapMiB, String... command) {
    List<String> options =
        List.of(
            "-Xmx" + heapMiB + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djdk.net.hosts.file=" + hosts,
            "-Djava.io.tmpdir=" + home.resolve("tmp"),
            "-D" + ParentWatch.DELETE + "=" + home);
    List<Path> classPath =
        new ArrayList<>(
            List.of(
                confDir,
                home.resolve("web"),
                home.resolve("tether"),
                confDir.resolveSibling("hadoop/*")));
    classPath.addAll(tempTierJars(confDir));
    Path javaHome = spec.runtime().javaHome();
    List<String> line = JavaCommand.tethered(javaHome, options, classPath, List.of(command));
    ProcessBuilder builder =
        new ProcessBuilder(specOf(confDir).launcher.apply(line)).directory(home.toFile());
    Map<String, String> env = builder.environment();
    // What the user's shell is set up with is for another cluster.
    env.keySet().removeIf(key -> key.matches("(HADOOP|YARN|HDFS|MAPRED)_.*|CLASSPATH"));
    env.put("JAVA_HOME", javaHome.toString());
    env.put("HADOOP_CONF_DIR", confDir.toString());
    return builder;
  }

  /** The spec of what starts with such a configuration: of a node, or of all else. */
  private ClusterSpec specOf(Path confDir) {
    for (int node = 0; node < nodeSpecs.size(); node++) {
      if (confDir.equals(nodeConf(node))) {
        return nodeSpecs.get(node);
      }
    }
    return spec;
  }

  /** Returns the jars' link beside a node's configuration, which a test leads elsewhere. */
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
    copyTether();
    Path file = Path.of("/proc/sys/kernel/hostname");
    String hostname = Files.isReadable(file) ? Files.readString(file).trim() : "";
    Files.writeString(hosts, ("127.0.0.1 localhost " + hostname).trim() + "\n");
    writeConf(clientConf(), 0);
    for (int node = 0; node < spec.nodes(); node++) {
      writeConf(nodeConf(node), node);
      link(List.of(home.resolve("hadoop"), home.resolve("temptier")), home.resolve("node-" + node));
    }
  }

  /** A copy, since a node's user may read this folder and not that of the build. */
  private void copyTether() throws IOException {
    String name = "/" + ParentWatch.class.getName().replace('.', '/') + ".class";
    Path copy = home.resolve("tether" + name);
    Files.createDirectories(copy.resolveSibling("."));
    try (InputStream in = ParentWatch.class.getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(in, name), copy, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void writeConf(Path conf, int node) throws IOException {
    Files.createDirectories(conf);
    ClusterSpec nodeSpec = nodeSpecs.get(node);
    for (String site : List.of("core", "hdfs", "yarn", "mapred")) {
      Map<String, String> properties = template(site + "-site", conf, node);
      if (site.equals("yarn") && nodeSpec.tiered) {
        properties.putAll(template("tiered-yarn-site", conf, node));
      }
      properties.putAll(nodeSpec.site(site));
      SiteFile.write(conf.resolve(site + "-site.xml"), properties);
    }
    SiteFile.writeLog4j(conf, "INFO");
    // Daemons start without it; the doctor reads there what they start with.
    Files.writeString(
        conf.resolve("yarn-env.sh"),
        String.format(
            "export HADOOP_CLASSPATH=%s:%s\nexport YARN_NODEMANAGER_USER=%s\n",
            home.resolve("hadoop/*"),
            JavaCommand.path(tempTierJars(conf)),
            System.getProperty("user.name")));
  }

  /**
   * Returns the properties of a site file. A variable that is no known value names a port: of the
   * node where it begins so, else of the cluster.
   */
  private Map<String, String> template(String site, Path conf, int node) throws IOException {
    List<String> dirs = localDirs(node).stream().map(Path::toString).toList();
    List<String> tagged = new ArrayList<>();
    for (int i = 0; i < dirs.size(); i++) {
      tagged.add(nodeSpecs.get(node).dirs.get(i).tag() + dirs.get(i));
    }
    Map<String, Object> known =
        Map.of(
            "home",
            home,
            "number",
            node,
            "defaultFs",
            "hdfs://127.0.0.1:" + port("nameNode"),
            "localDirs",
            String.join(",", dirs),
            "taggedDirs",
            String.join(",", tagged),
            "tempTier",
            JavaCommand.path(tempTierJars(conf)));
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
