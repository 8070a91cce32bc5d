// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.LoneClasses;
import io.temptier.lab.process.ParentWatch;
import io.temptier.lab.testbed.Folders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A cluster of the user's, known by the folder of its client configuration. Nothing about it is
 * changed: programs are submitted to it as any client does, with this build's Hadoop jars.
 */
public final class ExistingCluster extends HadoopCluster implements Closeable {
  private static final List<String> SITES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");
  private static final String HISTORY = "mapreduce.jobhistory.webapp.address";
  private static final String HISTORY_DEFAULT = "0.0.0.0:19888";
  private static final String FRAMEWORK = "mapreduce.framework.name";
  private static final int CLIENT_HEAP_MIB = 512;

  private final Path confDir;
  private final HadoopRuntime runtime;
  private final Path home;
  private final String historyUrl;

  private ExistingCluster(Path confDir, HadoopRuntime runtime, Path home, String historyUrl) {
    super(WebPages.PLAIN);
    this.confDir = confDir;
    this.runtime = runtime;
    this.home = home;
    this.historyUrl = historyUrl;
  }

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
          ("%s has no %s=yarn in a mapred-site.xml: name the folder that $HADOOP_CONF_DIR"
                  + " names on a host where jobs are submitted")
              .formatted(confDir, FRAMEWORK));
    }
    Path home = Files.createTempDirectory("temptier-clients-");
    Files.createDirectories(home.resolve("tether"));
    LoneClasses.copy(home.resolve("tether"), ParentWatch.class);
    String history = "http://" + conf.get(HISTORY, HISTORY_DEFAULT).trim();
    return new ExistingCluster(confDir, runtime, home, history);
  }

  @Override
  ProcessBuilder client(List<String> command) {
    List<Path> classPath = new ArrayList<>(List.of(confDir, home.resolve("tether")));
    classPath.addAll(runtime.jars());
    List<String> options =
        List.of(
            "-Xmx" + CLIENT_HEAP_MIB + "m",
            "-XX:+UseSerialGC",
            "-D" + ParentWatch.DELETE + "=" + home);
    String[] arguments = command.subList(1, command.size()).toArray(String[]::new);
    ProcessBuilder builder =
        new ProcessBuilder(
                JavaCommand.tethered(
                    runtime.javaHome(), options, classPath, command.get(0), arguments))
            .directory(home.toFile());
    builder.environment().put("HADOOP_CONF_DIR", confDir.toString());
    return builder;
  }

  @Override
  Path logs() {
    return home;
  }

  @Override
  String historyUrl() {
    return historyUrl;
  }

  /** Nothing: what is to be read may be more than one machine should. */
  @Override
  Map<String, String> aside() {
    return Map.of();
  }

  /** Removes what clients wrote on this machine; the cluster stays as it is. */
  @Override
  public void close() throws IOException {
    Folders.delete(home);
  }
}
