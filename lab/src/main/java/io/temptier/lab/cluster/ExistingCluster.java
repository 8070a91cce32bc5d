// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.ParentWatch;
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
public final class ExistingCluster extends HadoopCluster {
  private static final List<String> SITES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");
  private static final String HISTORY = "mapreduce.jobhistory.webapp.address";
  private static final String HISTORY_DEFAULT = "0.0.0.0:19888";
  private static final String FRAMEWORK = "mapreduce.framework.name";
  private static final int CLIENT_HEAP_MIB = 512;

  private final Path confDir;
  private final HadoopRuntime runtime;
  private final List<Path> classPath = new ArrayList<>();
  private final String historyUrl;

  private ExistingCluster(Path confDir, HadoopRuntime runtime, String historyUrl)
      throws IOException {
    super(WebPages.PLAIN);
    this.confDir = confDir;
    this.runtime = runtime;
    this.historyUrl = historyUrl;
    classPath.add(confDir);
    classPath.addAll(runtime.jars());
    classPath.add(HadoopRuntime.origin(ParentWatch.class));
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
    String history = "http://" + conf.get(HISTORY, HISTORY_DEFAULT).trim();
    return new ExistingCluster(confDir, runtime, history);
  }

  @Override
  ProcessBuilder client(List<String> command) {
    List<String> options = List.of("-Xmx" + CLIENT_HEAP_MIB + "m", "-XX:+UseSerialGC");
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.tethered(runtime.javaHome(), options, classPath, command));
    builder.environment().put("HADOOP_CONF_DIR", confDir.toString());
    return builder;
  }

  @Override
  String historyUrl() {
    return historyUrl;
  }

  /** Returns nothing: what is to be read may be more than one machine should. */
  @Override
  Map<String, String> aside() {
    return Map.of();
  }
}
