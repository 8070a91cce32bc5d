// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that Spark adds to a cluster's Hadoop.
 *
 * @param jars of its drivers, application masters and executors, absolute
 * @param shuffleJars of its external shuffle service, which the NodeManager runs in a class loader
 *     of its own
 */
public record SparkRuntime(List<Path> jars, List<Path> shuffleJars) {
  /** System property: an unpacked Spark, or an installed PySpark, in place of the build's jars. */
  public static final String HOME = "temptier.spark.home";

  /** Prefix of jars that the cluster has itself. */
  private static final String HADOOP = "hadoop-client-";

  static final String MODULE = "benchmarks/spark-runtime";
  private static final String SERVICE = "spark_shuffle";
  private static final String SERVICES = "yarn.nodemanager.aux-services";

  public SparkRuntime {
    jars = List.copyOf(jars);
    shuffleJars = List.copyOf(shuffleJars);
  }

  /**
   * Finds the jars that the build resolved, or those of {@value #HOME}, whose applications then ask
   * the build's shuffle service.
   */
  public static SparkRuntime locate() throws IOException {
    String home = System.getProperty(HOME);
    return new SparkRuntime(
        home == null ? HadoopRuntime.resolved(MODULE, "classpath") : installed(Path.of(home)),
        HadoopRuntime.resolved(MODULE, "shuffle-classpath"));
  }

  /** The jar of Spark's own tests, which has the texts of TPC-DS's queries. */
  public static Path tpcds() throws IOException {
    return HadoopRuntime.resolved(MODULE, "tpcds-classpath").get(0);
  }

  public SparkRuntime with(Path jar) {
    return new SparkRuntime(Stream.concat(jars.stream(), Stream.of(jar)).toList(), shuffleJars);
  }

  private static List<Path> installed(Path home) throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
      return jars.map(Path::toAbsolutePath)
          .filter(jar -> !String.valueOf(jar.getFileName()).startsWith(HADOOP))
          .sorted()
          .toList();
    }
  }

  /**
   * Adds Spark's shuffle service to a cluster's NodeManagers, beside MapReduce's.
   *
   * @param spec of a cluster of one node: all NodeManagers would have the same port
   */
  public ClusterSpec configure(ClusterSpec spec) {
    return spec.yarn(SERVICES, "mapreduce_shuffle," + SERVICE)
        .yarn(
            SERVICES + "." + SERVICE + ".class", "org.apache.spark.network.yarn.YarnShuffleService")
        .yarn(SERVICES + "." + SERVICE + ".classpath", JavaCommand.path(shuffleJars))
        // Executors find it by the same property.
        .yarn("spark.shuffle.service.port", Integer.toString(new LoopbackPorts().next()));
  }
}
