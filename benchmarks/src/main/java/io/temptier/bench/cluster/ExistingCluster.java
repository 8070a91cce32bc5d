// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * A cluster of the user's, known by the folder of its client configuration. Nothing about it is
 * changed: programs are submitted to it as any client does, with this build's Hadoop jars.
 */
public final class ExistingCluster implements HadoopCluster, Closeable {
  private static final List<String> SITES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");
  private static final String HISTORY = "mapreduce.jobhistory.webapp.address";
  private static final String HISTORY_DEFAULT = "0.0.0.0:19888";
  private static final String FRAMEWORK = "mapreduce.framework.name";
  private static final int CLIENT_HEAP_MIB = 512;

  private final Clients clients;
  private final Path home;

  private ExistingCluster(Clients clients, Path home) {
    this.clients = clients;
    this.home = home;
  }

  /**
   * Takes up one.
   *
   * @param confDir with the site files that a client needs
   * @throws IOException when they are not there, or do not say where jobs go
   */
  public static ExistingCluster of(Path confDir, HadoopRuntime runtime) throws IOException {
    Configuration conf = new Configuration(false);
    for (String site : SITES) {
      Path file = confDir.resolve(site);
      if (Files.isReadable(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    if (!conf.get(FRAMEWORK, "").equals("yarn")) {
      throw new IOException(
          confDir
              + " has no "
              + FRAMEWORK
              + "=yarn in a mapred-site.xml: name the folder that $HADOOP_CONF_DIR names on a host"
              + " where jobs are submitted");
    }
    Path home = Files.createTempDirectory("temptier-clients-");
    Files.createDirectories(home.resolve("tether"));
    LoneClasses.copy(home.resolve("tether"), Tether.class);
    Clients clients =
        new Clients(
            command -> java(confDir, runtime, home, command),
            home,
            new Rest(),
            "http://" + conf.get(HISTORY, HISTORY_DEFAULT).trim());
    return new ExistingCluster(clients, home);
  }

  private static ProcessBuilder java(
      Path confDir, HadoopRuntime runtime, Path home, List<String> command) {
    List<Path> classPath = new ArrayList<>(List.of(confDir, home.resolve("tether")));
    classPath.addAll(runtime.jars());
    List<String> options =
        List.of(
            "-Xmx" + CLIENT_HEAP_MIB + "m", "-XX:+UseSerialGC", "-D" + Tether.DELETE + "=" + home);
    String[] arguments = command.subList(1, command.size()).toArray(String[]::new);
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.tethered(options, classPath, command.get(0), arguments))
            .directory(home.toFile());
    builder.environment().put("HADOOP_CONF_DIR", confDir.toString());
    return builder;
  }

  @Override
  public JobResult program(String name, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException {
    return clients.program(name, output, mainClass, args);
  }

  /** Not here: the jobs of other users cannot be told from the program's. */
  @Override
  public BatchResult batch(
      long deadlineSeconds, Consumer<String> output, String mainClass, String... args) {
    throw new UnsupportedOperationException("not on a cluster that others use, too");
  }

  @Override
  public void fs(String... args) throws IOException, InterruptedException {
    clients.fs(args);
  }

  @Override
  public InputStream cat(String glob) throws IOException {
    return clients.cat(glob);
  }

  /** Nothing: what is to be read may be more than one machine should. */
  @Override
  public Map<String, String> aside() {
    return Map.of();
  }

  @Override
  public void kill(String id) throws IOException, InterruptedException {
    clients.kill(id);
  }

  /** Removes what clients wrote on this machine; the cluster stays as it is. */
  @Override
  public void close() throws IOException {
    Folders.delete(home);
  }
}
