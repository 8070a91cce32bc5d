// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.LoneClasses;
import io.temptier.lab.process.ParentWatch;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The files of one attempt to start a cluster: jars, configuration, ports. Every address is
 * 127.0.0.1 by number, since the machine's own name may not resolve.
 */
final class ClusterConf {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String ADD_OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static final int MASTER_MIB = 512;

  /**
   * {@code temptier.large-size}: the disks are a thousandth of a node's, and so is what is
   * localized.
   */
  private static final String LARGE_SIZE = "32m";

  private final ClusterSpec spec;

  /** What each node was last started with. */
  private final List<ClusterSpec> nodeSpecs;

  private final Path home;
  private final Path hosts;
  private final LoopbackPorts ports = new LoopbackPorts();
  private final int nameNodePort = ports.next();
  private final int nameNodeHttp = ports.next();
  private final int resourceManagerHttp = ports.next();
  private final int historyHttp = ports.next();
  private final List<Integer> nodeHttp;

  /** Fixed, so that a restarted NodeManager is the same node to the ResourceManager. */
  private final List<Integer> nodeRpc;

  /** Fixed as well: what reducers were told of a map output holds beyond a restart. */
  private final List<Integer> nodeShuffle;

  private final Map<String, String> core = new LinkedHashMap<>();
  private final Map<String, String> hdfs = new LinkedHashMap<>();
  private final Map<String, String> yarn = new LinkedHashMap<>();
  private final Map<String, String> mapred = new LinkedHashMap<>();

  ClusterConf(ClusterSpec spec) throws IOException {
    this.spec = spec;
    this.nodeSpecs = new ArrayList<>(Collections.nCopies(spec.nodes(), spec));
    this.home = spec.home();
    this.hosts = home.resolve("hosts");
    this.nodeHttp = IntStream.range(0, spec.nodes()).map(i -> ports.next()).boxed().toList();
    this.nodeRpc = IntStream.range(0, spec.nodes()).map(i -> ports.next()).boxed().toList();
    this.nodeShuffle = IntStream.range(0, spec.nodes()).map(i -> ports.next()).boxed().toList();
    core();
    hdfs();
    yarn();
    mapred();
    write();
  }

  /** The configuration of clients, of HDFS and of the ResourceManager. */
  Path clientConf() {
    return home.resolve("conf");
  }

  /** The configuration of a NodeManager, counted from 0. */
  Path nodeConf(int node) {
    return home.resolve("node-" + node).resolve("conf");
  }

  /** The absolute local dirs of a node, in the order of the spec. */
  List<Path> localDirs(int node) {
    return nodeSpecs.get(node).dirs().stream()
        .map(dir -> home.resolve("node-" + node).resolve(dir.path()))
        .toList();
  }

  /** The tagged form of {@link #localDirs}. */
  private String tagged(int node) {
    return nodeSpecs.get(node).dirs().stream()
        .map(dir -> dir.tag() + home.resolve("node-" + node).resolve(dir.path()))
        .collect(Collectors.joining(","));
  }

  /** Writes a node's configuration anew, by the dirs, the switch and yarn-site of another spec. */
  void changeNode(int node, ClusterSpec changed) throws IOException {
    nodeSpecs.set(node, changed);
    writeConf(nodeConf(node), node);
  }

  int nameNodeHttp() {
    return nameNodeHttp;
  }

  int resourceManagerHttp() {
    return resourceManagerHttp;
  }

  int historyHttp() {
    return historyHttp;
  }

  int nodeHttp(int node) {
    return nodeHttp.get(node);
  }

  /**
   * A tethered JVM of the cluster.
   *
   * @param confDir its configuration
   * @param heapMiB its heap
   * @param command main class and arguments
   */
  ProcessBuilder java(Path confDir, int heapMiB, String... command) {
    List<String> line = new ArrayList<>();
    line.add(JavaCommand.program());
    line.addAll(
        List.of(
            ADD_OPENS,
            "-Xmx" + heapMiB + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Djava.net.preferIPv4Stack=true",
            "-Djdk.net.hosts.file=" + hosts,
            "-Djava.io.tmpdir=" + home.resolve("tmp")));
    if (!spec.keep()) {
      line.add("-D" + ParentWatch.DELETE + "=" + home);
    }
    line.add("-cp");
    line.add(classpath(confDir));
    line.add(ParentWatch.class.getName());
    line.addAll(List.of(command));
    ProcessBuilder builder =
        new ProcessBuilder(spec.launcher().apply(line)).directory(home.toFile());
    Map<String, String> env = builder.environment();
    // What the user's shell is set up with is for another cluster.
    env.keySet().removeIf(key -> key.matches("(HADOOP|YARN|HDFS|MAPRED)_.*|CLASSPATH"));
    env.put("JAVA_HOME", System.getProperty("java.home"));
    env.put("HADOOP_CONF_DIR", confDir.toString());
    return builder;
  }

  private String classpath(Path confDir) {
    List<String> entries = new ArrayList<>();
    entries.add(confDir.toString());
    entries.add(home.resolve("web").toString());
    entries.add(home.resolve("tether").toString());
    entries.add(hadoopJars());
    entries.addAll(tempTierJars());
    return String.join(File.pathSeparator, entries);
  }

  private String hadoopJars() {
    return home.resolve("hadoop").resolve("*").toString();
  }

  private List<String> tempTierJars() {
    List<String> entries = new ArrayList<>();
    for (Path dropIn : spec.runtime().dropIns()) {
      if (Files.isDirectory(dropIn)) {
        entries.add(dropIn.toString());
      }
    }
    entries.add(home.resolve("temptier").resolve("*").toString());
    return entries;
  }

  private void core() {
    core.put("fs.defaultFS", "hdfs://" + LOOPBACK + ":" + nameNodePort);
    core.put("hadoop.tmp.dir", home.resolve("tmp").toString());
    core.put("hadoop.security.token.service.use_ip", "true");
    core.putAll(spec.coreSite());
  }

  private void hdfs() {
    hdfs.put("dfs.replication", "1");
    hdfs.put("dfs.blocksize", "64m");
    hdfs.put("dfs.namenode.name.dir", "file://" + home.resolve("namenode"));
    hdfs.put("dfs.namenode.http-address", address(nameNodeHttp));
    hdfs.put("dfs.namenode.resource.du.reserved", "1048576");
    hdfs.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    hdfs.put("dfs.datanode.data.dir", "[DISK]file://" + home.resolve("datanode"));
    hdfs.put("dfs.datanode.du.reserved", "0");
    hdfs.put("dfs.datanode.hostname", LOOPBACK);
    for (String server : List.of("", "http.", "ipc.")) {
      hdfs.put("dfs.datanode." + server + "address", address(0));
    }
    hdfs.put("dfs.permissions.enabled", "false");
    hdfs.putAll(spec.hdfsSite());
  }

  private void yarn() {
    yarn.put("yarn.resourcemanager.hostname", LOOPBACK);
    yarn.put("yarn.resourcemanager.address", address(ports.next()));
    yarn.put("yarn.resourcemanager.scheduler.address", address(ports.next()));
    yarn.put("yarn.resourcemanager.resource-tracker.address", address(ports.next()));
    yarn.put("yarn.resourcemanager.admin.address", address(ports.next()));
    yarn.put("yarn.resourcemanager.webapp.address", address(resourceManagerHttp));
    yarn.put(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    yarn.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
    // By default one folder in /tmp, which two ResourceManagers of a user rename under each other.
    yarn.put(
        "yarn.node-attribute.fs-store.root-dir", "file://" + home.resolve("tmp/node-attribute"));
    yarn.put("yarn.scheduler.minimum-allocation-mb", "128");
    yarn.put("yarn.nodemanager.hostname", LOOPBACK);
    yarn.put("yarn.nodemanager.bind-host", LOOPBACK);
    yarn.put("yarn.nodemanager.localizer.address", address(0));
    yarn.put("yarn.nodemanager.collector-service.address", address(0));
    yarn.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    yarn.put("yarn.nodemanager.resource.memory-mb", Integer.toString(spec.nodeMemoryMiB()));
    yarn.put("yarn.nodemanager.resource.cpu-vcores", "8");
    yarn.put("yarn.nodemanager.vmem-check-enabled", "false");
    yarn.put("yarn.nodemanager.pmem-check-enabled", "false");
    // The cluster shares a disk with everything else on the machine, however full that is.
    yarn.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    yarn.put("yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb", "0");
    // At its end a NodeManager waits for this and 1.25 s more, for applications that it keeps even
    // when they are done.
    yarn.put("yarn.nodemanager.process-kill-wait.ms", "1000");
    if (!spec.keep()) {
      // It waits ten seconds more while logs of ended applications are still to be deleted.
      yarn.put("yarn.nodemanager.log.retain-seconds", "0");
    }
    yarn.put("yarn.nodemanager.env-whitelist", "JAVA_HOME,HADOOP_CONF_DIR");
    yarn.put("yarn.application.classpath", "$HADOOP_CONF_DIR," + hadoopJars());
  }

  private void mapred() throws IOException {
    mapred.put("mapreduce.framework.name", "yarn");
    mapred.put("mapreduce.application.classpath", "$HADOOP_CONF_DIR," + hadoopJars());
    mapred.put("mapreduce.jobhistory.address", address(ports.next()));
    mapred.put("mapreduce.jobhistory.admin.address", address(ports.next()));
    mapred.put("mapreduce.jobhistory.webapp.address", address(historyHttp));
    String common = " -Djava.net.preferIPv4Stack=true -Djdk.net.hosts.file=" + hosts;
    mapred.put("yarn.app.mapreduce.am.resource.mb", Integer.toString(MASTER_MIB));
    mapred.put(
        "yarn.app.mapreduce.am.command-opts",
        "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + ADD_OPENS + common);
    mapred.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "250");
    for (String side : List.of("map", "reduce")) {
      mapred.put("mapreduce." + side + ".memory.mb", Integer.toString(spec.taskMemoryMiB()));
      // With the JVM's own needs it stays within the task's memory.
      int heapMiB = spec.taskMemoryMiB() * 5 / 8;
      mapred.put(
          "mapreduce." + side + ".java.opts", "-Xmx" + heapMiB + "m -XX:+UseSerialGC" + common);
    }
    mapred.put("mapreduce.client.progressmonitor.pollinterval", "500");
    mapred.put("mapreduce.client.completion.pollinterval", "500");
    mapred.put("mapreduce.task.io.sort.mb", "40");
    mapred.putAll(spec.mapredSite());
  }

  private void write() throws IOException {
    for (String folder : List.of("conf", "tether", "tmp", "logs", "hadoop", "temptier")) {
      Files.createDirectories(home.resolve(folder));
    }
    // NameNode and DataNode look for the folders of their web pages and do without pages.
    Files.createDirectories(home.resolve("web/webapps/hdfs"));
    Files.createDirectories(home.resolve("web/webapps/datanode"));
    link(spec.runtime().jars(), home.resolve("hadoop"));
    link(
        spec.runtime().dropIns().stream().filter(Files::isRegularFile).toList(),
        home.resolve("temptier"));
    LoneClasses.copy(home.resolve("tether"), ParentWatch.class);
    String hostname = hostname();
    Files.writeString(
        hosts, LOOPBACK + " localhost" + (hostname.isEmpty() ? "" : " " + hostname) + "\n");
    writeConf(clientConf(), 0);
    for (int node = 0; node < spec.nodes(); node++) {
      writeConf(nodeConf(node), node);
    }
  }

  private void writeConf(Path conf, int node) throws IOException {
    Files.createDirectories(conf);
    Map<String, String> nodeYarn = new LinkedHashMap<>(yarn);
    nodeYarn.put("yarn.nodemanager.address", address(nodeRpc.get(node)));
    nodeYarn.put("yarn.nodemanager.webapp.address", address(nodeHttp.get(node)));
    nodeYarn.put(
        "yarn.nodemanager.local-dirs",
        localDirs(node).stream().map(Path::toString).collect(Collectors.joining(",")));
    nodeYarn.put("yarn.nodemanager.log-dirs", home.resolve("logs/containers-" + node).toString());
    ClusterSpec nodeSpec = nodeSpecs.get(node);
    if (nodeSpec.tiered()) {
      nodeYarn.put(
          "yarn.nodemanager.container-state-transition-listener.classes",
          "io.temptier.hadoop.NodeManagerTiering");
      nodeYarn.put(
          "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
          "io.temptier.shuffle.TieredShuffleHandler");
      nodeYarn.put("temptier.local-dirs", tagged(node));
      nodeYarn.put("temptier.large-size", LARGE_SIZE);
      // Containers of a node without TempTier are as they are where it was never installed.
      nodeYarn.put(
          "yarn.nodemanager.admin-env.CLASSPATH",
          "." + File.pathSeparator + String.join(File.pathSeparator, tempTierJars()));
    }
    nodeYarn.putAll(nodeSpec.yarnSite());
    Map<String, String> nodeMapred = new LinkedHashMap<>(mapred);
    nodeMapred.put("mapreduce.shuffle.port", Integer.toString(nodeShuffle.get(node)));
    nodeMapred.putAll(nodeSpec.mapredSite());
    SiteFile.write(conf.resolve("core-site.xml"), core);
    SiteFile.write(conf.resolve("hdfs-site.xml"), hdfs);
    SiteFile.write(conf.resolve("yarn-site.xml"), nodeYarn);
    SiteFile.write(conf.resolve("mapred-site.xml"), nodeMapred);
    SiteFile.writeLog4j(conf, "INFO");
  }

  /** Links jars into a folder, in place of those of the same names. */
  static void link(List<Path> jars, Path folder) throws IOException {
    for (Path jar : jars) {
      Path link = folder.resolve(jar.getFileName().toString());
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, jar);
    }
  }

  private static String hostname() throws IOException {
    Path file = Path.of("/proc/sys/kernel/hostname");
    return Files.isReadable(file) ? Files.readString(file).trim() : "";
  }

  private static String address(int port) {
    return LOOPBACK + ":" + port;
  }
}
