// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.lab.process.Await;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Opened;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A running cluster. {@link #close} ends every process of it, containers included, and deletes its
 * folder; so does the end of this JVM, by whatever cause. Thread safe.
 */
public final class PseudoCluster extends HadoopCluster implements Closeable {
  private static final int START_TRIES = 3;
  private static final int CLIENT_HEAP_MIB = 256;
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";
  private static final String SERVERS = "org.apache.hadoop.yarn.server.";
  private static final String HISTORY = "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer";

  private final ClusterSpec spec;
  private final ClusterConf conf;
  private final ProcessGroup processes = new ProcessGroup();
  private final List<Daemon> nodeManagers = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::end, "cluster-end");
  private final AtomicBoolean ended = new AtomicBoolean();

  private PseudoCluster(ClusterSpec spec, ClusterConf conf) {
    super(spec.pages);
    this.spec = spec.copy();
    this.conf = conf;
  }

  /**
   * Starts a cluster and waits until every daemon serves.
   *
   * @throws IOException when a daemon dies or does not serve in time; the message has its last log
   *     lines
   * @throws InterruptedException when interrupted; nothing is left running then
   */
  public static PseudoCluster start(ClusterSpec spec, Consumer<String> progress)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Files.createDirectories(spec.home());
      try {
        return Opened.ready(
            new PseudoCluster(spec, new ClusterConf(spec)),
            cluster -> {
              Runtime.getRuntime().addShutdownHook(cluster.hook);
              cluster.boot(progress);
            });
      } catch (Daemon.PortTakenException e) {
        if (attempt == START_TRIES) {
          throw e;
        }
      }
    }
  }

  public static PseudoCluster start(ClusterSpec spec) throws IOException, InterruptedException {
    return start(spec, state -> {});
  }

  private void boot(Consumer<String> progress) throws IOException, InterruptedException {
    Path clientConf = conf.clientConf();
    progress.accept("formatting HDFS");
    format();
    progress.accept("starting NameNode, DataNode, ResourceManager, NodeManagers: " + spec.nodes());
    List<Daemon> hdfs =
        List.of(
            launch("namenode", clientConf, 160, NAME_NODE),
            launch("datanode", clientConf, 160, DATA_NODE));
    Daemon resourceManager =
        launch("resourcemanager", clientConf, 192, SERVERS + "resourcemanager.ResourceManager");
    for (int node = 0; node < spec.nodes(); node++) {
      nodeManagers.add(launchNode(node));
    }
    for (Daemon daemon : hdfs) {
      await(
          daemon,
          () ->
              nameNodeBean("NameNodeInfo").path("Safemode").asText("?").isEmpty()
                  && nameNodeBean("FSNamesystemState").path("NumLiveDataNodes").asInt() == 1);
    }
    progress.accept("starting JobHistoryServer");
    Daemon history = launch("historyserver", clientConf, 192, HISTORY);
    String info = resourceManagerUrl() + "/ws/v1/cluster/info";
    await(
        resourceManager,
        () -> pages.json(info).at("/clusterInfo/state").asText().equals("STARTED"));
    for (Daemon nodeManager : nodeManagers) {
      await(nodeManager, () -> runningNodes() == spec.nodes());
    }
    await(history, () -> pages.json(historyUrl() + "/ws/v1/history/info").has("historyInfo"));
  }

  /**
   * Asks a NodeManager to end, which takes it some seconds, and returns at once; {@link #stopNode}
   * waits.
   */
  public void quitNode(int node) {
    nodeManagers.get(node).quit();
  }

  /** Ends a NodeManager without grace; its containers run on. */
  public void killNode(int node) {
    processes.note();
    nodeManagers.get(node).kill();
  }

  /** Stops a NodeManager until {@link #restartNode}, with all it runs. */
  public void stopNode(int node) {
    processes.stop(nodeManagers.get(node));
  }

  /**
   * Restarts a NodeManager with another configuration, as an operator would: its dirs, whether
   * TempTier is on, and its properties.
   *
   * @param node counted from 0
   */
  public void restartNode(int node, ClusterSpec changed) throws IOException, InterruptedException {
    configureNode(node, changed);
    restartNode(node);
  }

  /** Gives a NodeManager another configuration, which it has from its next start on. */
  public void configureNode(int node, ClusterSpec changed) throws IOException {
    conf.changeNode(node, changed);
  }

  public void restartNode(int node) throws IOException, InterruptedException {
    stopNode(node);
    Daemon restarted = launchNode(node);
    nodeManagers.set(node, restarted);
    await(
        restarted, () -> !nodeBeans(node, "Hadoop:service=NodeManager,name=JvmMetrics").isEmpty());
    await(restarted, () -> runningNodes() == spec.nodes());
  }

  /** A copy of what it was started with. */
  public ClusterSpec spec() {
    return spec.copy();
  }

  /** The absolute local dirs of a node, counted from 0, in the order of the spec. */
  public List<Path> localDirs(int node) {
    return conf.localDirs(node);
  }

  public Path nodeConf(int node) {
    return conf.nodeConf(node);
  }

  /** Returns the URL of a node's web pages, {@code /jmx} among them. */
  public String nodeUrl(int node) {
    return pages.url(conf.port("nodeHttp" + node));
  }

  public String hdfsUrl() {
    return "hdfs://127.0.0.1:" + conf.port("nameNode");
  }

  public String resourceManagerUrl() {
    return pages.url(conf.port("resourceManagerHttp"));
  }

  public List<Daemon> nodeManagers() {
    return List.copyOf(nodeManagers);
  }

  /** Processes that daemons started and that still run. */
  public List<ProcessHandle> containers() {
    return processes.liveDescendants();
  }

  /**
   * Asks a NodeManager's {@code /jmx} page.
   *
   * @param node counted from 0
   * @return the matching beans
   */
  public JsonNode nodeBeans(int node, String query) throws IOException {
    return pages.json(nodeUrl(node) + "/jmx?qry=" + query).path("beans");
  }

  private int runningNodes() throws IOException {
    String running = resourceManagerUrl() + "/ws/v1/cluster/nodes?states=RUNNING";
    return pages.json(running).at("/nodes/node").size();
  }

  /**
   * Runs a client program of Hadoop that submits many jobs, to its end. All jobs that are new then
   * are taken for its own.
   *
   * @return also when it failed
   */
  public JobResult.Batch batch(
      long deadlineSeconds, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    return JobClient.batch(this, deadlineSeconds, output, Shell.line(mainClass, args));
  }

  public List<Application> applications() throws IOException {
    List<Application> applications = new ArrayList<>();
    for (JsonNode app : pages.json(resourceManagerUrl() + "/ws/v1/cluster/apps").at("/apps/app")) {
      applications.add(WebPages.MAPPER.convertValue(app, Application.class));
    }
    return applications;
  }

  @Override
  Map<String, String> aside() {
    Map<String, String> properties = new HashMap<>();
    properties.put("mapreduce.framework.name", "local");
    // Its default is one folder of the machine, which belongs to who came first.
    properties.put(
        "mapreduce.jobtracker.staging.root.dir", spec.home().resolve("staging").toString());
    properties.put("mapreduce.local.map.tasks.maximum", "2");
    // All of them share the client's heap.
    properties.put("mapreduce.task.io.sort.mb", "1");
    return properties;
  }

  /**
   * The bytes of HDFS's blocks on the DataNode's disks, those included that are deleted but still
   * there.
   */
  public long hdfsBytes() throws IOException {
    return nameNodeBean("FSNamesystemState").path("CapacityUsed").asLong();
  }

  /** Reads by WebHDFS, which spares a JVM; Hadoop's client does what else there is. */
  @Override
  public InputStream cat(String glob) throws IOException {
    if (!glob.startsWith("/") || pages.scheme().equals("https")) {
      return super.cat(glob);
    }
    int name = glob.lastIndexOf('/') + 1;
    PathMatcher wanted = FileSystems.getDefault().getPathMatcher("glob:" + glob.substring(name));
    List<InputStream> files = new ArrayList<>();
    String folder = pages.url(conf.port("nameNodeHttp")) + "/webhdfs/v1" + glob.substring(0, name);
    String user = "user.name=" + System.getProperty("user.name");
    for (JsonNode file :
        pages.json(folder + "?op=LISTSTATUS&" + user).at("/FileStatuses/FileStatus")) {
      String found = file.path("pathSuffix").asText();
      if (wanted.matches(Path.of(found))) {
        files.add(pages.open(folder + found + "?op=OPEN&" + user));
      }
    }
    return new SequenceInputStream(Collections.enumeration(files));
  }

  @Override
  ProcessBuilder client(List<String> command) {
    return conf.java(conf.clientConf(), CLIENT_HEAP_MIB, command.toArray(String[]::new));
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down already, and the hook with it.
      return;
    }
  }

  /** Idempotent. Called by the user, and by the shutdown hook. */
  private void end() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    processes.end();
    try {
      Folders.delete(spec.home());
    } catch (IOException e) {
      System.err.println("Could not delete " + spec.home() + ": " + e);
    }
  }

  private void format() throws IOException, InterruptedException {
    // The one daemon that is meant to end.
    Daemon format =
        launch("format", conf.clientConf(), 128, NAME_NODE, "-format", "-nonInteractive", "-force");
    format.handle().onExit().orTimeout(10, TimeUnit.MINUTES).join();
    if (!format.logged("has been successfully formatted")) {
      throw new IOException("HDFS could not be formatted:\n" + format.tail());
    }
  }

  private Daemon launchNode(int node) throws IOException {
    return launch(
        ProcessGroup.NODE_MANAGER + node,
        conf.nodeConf(node),
        192,
        SERVERS + "nodemanager.NodeManager");
  }

  private Daemon launch(String name, Path confDir, int heapMiB, String... command)
      throws IOException {
    return processes.start(
        name, conf.java(confDir, heapMiB, command), logs().resolve(name + ".log"));
  }

  private void await(Daemon daemon, Await.Question ready) throws IOException, InterruptedException {
    List<Daemon> all =
        processes.daemons().stream().filter(other -> !other.name().equals("format")).toList();
    daemon.await(all, ready);
  }

  Path logs() {
    return spec.home().resolve("logs");
  }

  @Override
  String historyUrl() {
    return pages.url(conf.port("historyHttp"));
  }

  private JsonNode nameNodeBean(String name) throws IOException {
    String page = pages.url(conf.port("nameNodeHttp")) + "/jmx?qry=Hadoop:service=NameNode,name=";
    return pages.json(page + name).at("/beans/0");
  }
}
