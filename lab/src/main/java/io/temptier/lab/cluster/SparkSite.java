// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import io.temptier.lab.process.Template;
import io.temptier.lab.spark.SparkWork;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Spark on a cluster of one machine, as a user submits to it: its jars lie in a folder there, and
 * Hadoop's are the cluster's. The cluster must have been configured by {@link
 * SparkRuntime#configure}. Thread safe.
 */
public final class SparkSite {
  /** The property that chooses where the driver runs: {@code client}, the default, or cluster. */
  public static final String DEPLOY_MODE = "spark.submit.deployMode";

  static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";

  /** Stands for a jar where all classes are on the class path. */
  static final String NO_JAR = "spark-internal";

  /** Name of the class: this JVM may do without Spark. */
  static final String WORK = "io.temptier.lab.spark.SparkWork";

  private static final int DRIVER_MIB = 512;
  static final String QUICK_JVM =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djava.net.preferIPv4Stack=true";

  /**
   * Packages that Spark's own launcher opens to a driver; it opens as many to executors by itself.
   */
  static final List<String> OPENED =
      Stream.of(
              ("java.io java.lang.invoke java.lang.reflect java.net java.nio java.util"
                      + " java.util.concurrent java.util.concurrent.atomic jdk.internal.ref"
                      + " sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar")
                  .split(" ", -1))
          .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
          .toList();

  private final PseudoCluster cluster;
  private final Path jars;
  private final Path classes;

  /** Puts Spark's jars beside the cluster's Hadoop. */
  public SparkSite(PseudoCluster cluster, SparkRuntime runtime) throws IOException {
    this.cluster = cluster;
    Path home = cluster.spec().home();
    this.jars = Files.createDirectories(home.resolve("spark"));
    // All of the lab, though one package is meant.
    this.classes = HadoopRuntime.origin(WORK.replace('.', '/') + ".class");
    ClusterConf.link(runtime.jars(), jars);
  }

  /**
   * Properties by which an application has TempTier's plugin, as the documentation says.
   *
   * @return a map of the caller's own
   */
  public Map<String, String> tiered() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("spark.plugins", "io.temptier.spark.TierPlugin");
    String tempTier = JavaCommand.path(cluster.spec().runtime().dropIns());
    conf.put("spark.executor.extraClassPath", tempTier);
    conf.put("spark.driver.extraClassPath", tempTier);
    return conf;
  }

  /**
   * Runs {@link SparkWork} to its end. What an application leaves in the local dirs is deleted soon
   * after that.
   *
   * @param report where in the cluster's file system it reports; empty where what it prints will
   *     do, which nobody sees of a driver in the cluster
   * @param conf its properties; they win over the site's own
   * @param deadlineSeconds after which its client is killed, and with it a driver that runs there
   * @param output hears each line that its client prints
   */
  public SparkResult run(
      String report,
      List<String> work,
      Map<String, String> conf,
      long deadlineSeconds,
      Consumer<String> output)
      throws IOException, InterruptedException {
    Map<String, String> all = conf();
    all.putAll(conf);
    for (String side : List.of("driver", "executor")) {
      all.merge(
          "spark." + side + ".extraClassPath",
          classes.toString(),
          (one, other) -> one + File.pathSeparator + other);
    }
    boolean apart = "cluster".equals(conf.get(DEPLOY_MODE));
    ClientProcess ended =
        ClientProcess.run(client(report, work, all), deadlineSeconds, (late, log) -> {}, output);
    return SparkResult.of(ended, apart ? cluster.lines(report) : ended.log());
  }

  private ProcessBuilder client(String report, List<String> work, Map<String, String> conf) {
    List<String> settings = new ArrayList<>();
    conf.forEach((key, value) -> settings.addAll(List.of("--conf", key + "=" + value)));
    String reported = report.isEmpty() ? SparkWork.NO_REPORT : report;
    List<String> command = Shell.line(SUBMIT, "--class", WORK, settings, NO_JAR, reported, work);
    List<String> options = Shell.line("-Xmx" + DRIVER_MIB + "m", OPENED);
    // In front of Hadoop's, some of which are older.
    String first = JavaCommand.path(List.of(classes, jars.resolve("*")));
    ProcessBuilder builder =
        cluster.client(command, options, hadoops -> first + File.pathSeparator + hadoops);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return builder;
  }

  private Map<String, String> conf() throws IOException {
    Path home = cluster.spec().home();
    Map<String, Object> values =
        Map.of("home", home, "java", QUICK_JVM + " -Djdk.net.hosts.file=" + home.resolve("hosts"));
    return Template.properties(SparkSite.class, "spark-defaults.properties", values::get);
  }
}
