// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import io.temptier.lab.spark.SparkWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Spark's own Master and Worker, with the Worker's shuffle service, as {@code sbin/start-all.sh}
 * starts them; no Hadoop daemon. The jars are those of {@link SparkRuntime#locate}.
 */
final class StandaloneSpark implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 600;
  private static final String SERVICE = "spark.shuffle.service.";

  private final Path home;
  private final List<Path> dirs;
  private final Path classes;
  private final LoopbackPorts ports = new LoopbackPorts();
  private final String master = "spark://127.0.0.1:" + ports.next();
  private final int servicePort = ports.next();
  private final List<Daemon> daemons = new ArrayList<>();
  private final List<Path> dropIns;
  private final String hadoop;

  /**
   * Starts both.
   *
   * @param home for all that they write
   * @param dirs of its executors
   * @param executors how many run at a time, of one core each
   */
  StandaloneSpark(Path home, List<Path> dirs, int executors) throws IOException {
    this.home = home;
    this.dirs = dirs;
    this.classes = HadoopRuntime.origin(SparkSite.WORK.replace('.', '/') + ".class");
    HadoopRuntime runtime = HadoopRuntime.locate();
    this.dropIns = runtime.dropIns();
    this.hadoop = JavaCommand.path(runtime.jars());
    ClusterConf.link(SparkRuntime.locate().jars(), Files.createDirectories(home.resolve("jars")));
    String port = master.substring(master.lastIndexOf(':') + 1);
    start("Master", "I have been elected leader", List.of(), "--port", port);
    start(
        "Worker",
        "Successfully registered with master",
        List.of(
            "-D" + SERVICE + "enabled=true",
            "-D" + SERVICE + "port=" + servicePort,
            "-D" + SERVICE + "verifyBlockPathsAtRead=false"),
        "--cores",
        Integer.toString(executors),
        "--memory",
        executors + "g",
        "--work-dir",
        home.resolve("work").toString(),
        master);
  }

  /** Where a PySpark is beside the jars; empty without one. */
  static List<Path> python() throws IOException {
    String installed = System.getProperty(SparkRuntime.HOME);
    Path lib = installed == null ? null : Path.of(installed, "python", "lib");
    if (lib == null || !Files.isDirectory(lib)) {
      return List.of();
    }
    try (Stream<Path> zips = Files.list(lib)) {
      return zips.filter(zip -> zip.toString().endsWith(".zip")).toList();
    }
  }

  private void start(String daemon, String ready, List<String> options, String... arguments)
      throws IOException {
    String main = "org.apache.spark.deploy." + daemon.toLowerCase(Locale.ROOT) + "." + daemon;
    List<String> command =
        Shell.line(main, "--host", "127.0.0.1", "--webui-port", ports.next(), arguments);
    ProcessBuilder builder = java(Shell.line("-Xmx256m", options), command);
    Daemon started = new Daemon(daemon, builder, home.resolve(daemon + ".log"));
    daemons.add(started);
    started.await(daemons, () -> started.logged(ready));
  }

  private ProcessBuilder java(List<String> options, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.tethered(JavaCommand.home(), options, classPath(), command));
    Map<String, String> environment = builder.environment();
    environment.put("SPARK_HOME", home.toString());
    // Asked for where there are no scripts, and not used.
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("SPARK_DIST_CLASSPATH", hadoop);
    environment.put("PYTHONPATH", JavaCommand.path(python()));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put(
        "SPARK_LOCAL_DIRS", dirs.stream().map(Path::toString).collect(Collectors.joining(",")));
    return builder;
  }

  private List<Path> classPath() {
    List<Path> all = new ArrayList<>(List.of(classes));
    all.addAll(dropIns);
    // In front of Hadoop's, some of which are older.
    all.addAll(List.of(home.resolve("jars").resolve("*"), Path.of(hadoop)));
    return all;
  }

  /**
   * Runs {@link SparkWork} to its end.
   *
   * @param conf properties beside those of each run
   * @param output hears each line that the client prints
   */
  SparkResult run(List<String> work, Map<String, String> conf, Consumer<String> output)
      throws IOException, InterruptedException {
    List<String> application =
        Shell.line("--class", SparkSite.WORK, SparkSite.NO_JAR, SparkWork.NO_REPORT, work);
    return submit(application, conf, output);
  }

  SparkResult runPython(Path script, Map<String, String> conf, Consumer<String> output)
      throws IOException, InterruptedException {
    return submit(List.of(script.toString()), conf, output);
  }

  private SparkResult submit(
      List<String> application, Map<String, String> conf, Consumer<String> output)
      throws IOException, InterruptedException {
    List<String> command = Shell.line(SparkSite.SUBMIT);
    Map<String, String> all = conf();
    all.putAll(conf);
    all.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.addAll(application);
    ProcessBuilder builder = java(Shell.line("-Xmx512m", SparkSite.OPENED), command);
    // The driver's own.
    builder.environment().put("SPARK_LOCAL_DIRS", home.resolve("driver").toString());
    ClientProcess ended = ClientProcess.run(builder, DEADLINE_SECONDS, (late, log) -> {}, output);
    return SparkResult.of(ended, ended.log());
  }

  private Map<String, String> conf() {
    String path = JavaCommand.path(Stream.concat(Stream.of(classes), dropIns.stream()).toList());
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("spark.master", master);
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.driver.host", "127.0.0.1");
    conf.put("spark.driver.bindAddress", "127.0.0.1");
    conf.put("spark.driver.extraClassPath", path);
    conf.put("spark.executor.extraClassPath", path);
    conf.put("spark.executor.cores", "1");
    conf.put("spark.executor.memory", "512m");
    conf.put("spark.executor.extraJavaOptions", SparkSite.QUICK_JVM);
    conf.put(SERVICE + "enabled", "true");
    conf.put(SERVICE + "port", Integer.toString(servicePort));
    // Of Spark 4.3: else it follows no link.
    conf.put(SERVICE + "verifyBlockPathsAtRead", "false");
    // Small as the data is, it is spilled and merged; the service is asked for every block.
    conf.put("spark.shuffle.spill.numElementsForceSpillThreshold", "12000");
    conf.put("spark.shuffle.readHostLocalDisk", "false");
    return conf;
  }

  /** The executors that run now, which the Worker started. */
  List<ProcessHandle> executors() {
    return daemons.get(1).handle().children().toList();
  }

  /** Ends both, and their executors with them. */
  @Override
  public void close() {
    daemons.forEach(
        daemon -> {
          daemon.handle().descendants().forEach(ProcessHandle::destroyForcibly);
          daemon.kill();
        });
  }
}
