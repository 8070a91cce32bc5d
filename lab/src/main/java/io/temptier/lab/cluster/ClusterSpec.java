// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What cluster to start.
 *
 * @param home the folder that will hold everything: configuration, logs, HDFS, local dirs
 * @param keep whether {@code home} stays when the cluster closes
 * @param dirs the local dirs of every node
 * @param tiered whether TempTier is switched on, in the NodeManager and in the tasks
 * @param nodeMemoryMiB memory that each NodeManager offers to containers
 * @param taskMemoryMiB memory of each map and reduce task; its heap is five eighths of that
 * @param launcher makes of a process's command line the one it is started with
 * @param coreSite more properties of core-site.xml
 * @param hdfsSite more properties of hdfs-site.xml; they win over the cluster's own
 * @param yarnSite more properties of yarn-site.xml; they win over the cluster's own
 * @param mapredSite more properties of mapred-site.xml; they win over the cluster's own
 */
public record ClusterSpec(
    HadoopRuntime runtime,
    Path home,
    boolean keep,
    int nodes,
    List<Dir> dirs,
    boolean tiered,
    int nodeMemoryMiB,
    int taskMemoryMiB,
    UnaryOperator<List<String>> launcher,
    Map<String, String> coreSite,
    Map<String, String> hdfsSite,
    Map<String, String> yarnSite,
    Map<String, String> mapredSite) {

  public ClusterSpec {
    dirs = List.copyOf(dirs);
    coreSite = Map.copyOf(coreSite);
    hdfsSite = Map.copyOf(hdfsSite);
    yarnSite = Map.copyOf(yarnSite);
    mapredSite = Map.copyOf(mapredSite);
  }

  /**
   * A local dir.
   *
   * @param tag what precedes it in {@code temptier.local-dirs}, such as {@code [NVME:1g]}
   * @param path absolute, or relative to the node's own folder
   */
  public record Dir(String tag, Path path) {}

  /** A spec of one stock node with one local dir; the calls on it change that. */
  public static Builder builder(HadoopRuntime runtime, Path home) {
    return new Builder(runtime, home);
  }

  public Builder change() {
    Builder builder =
        new Builder(runtime, home)
            .keep(keep)
            .nodes(nodes)
            .dirs(dirs.toArray(Dir[]::new))
            .tiered(tiered)
            .nodeMemoryMiB(nodeMemoryMiB)
            .taskMemoryMiB(taskMemoryMiB)
            .launcher(launcher);
    coreSite.forEach(builder::core);
    hdfsSite.forEach(builder::hdfs);
    yarnSite.forEach(builder::yarn);
    mapredSite.forEach(builder::mapred);
    return builder;
  }

  /** Collects a spec. Not thread safe. */
  public static final class Builder {
    private final HadoopRuntime runtime;
    private final Path home;
    private boolean keep;
    private int nodes = 1;
    private List<Dir> dirs = List.of(new Dir("[DISK]", Path.of("local")));
    private boolean tiered;
    private int nodeMemoryMiB = 1536;
    private int taskMemoryMiB = 512;
    private UnaryOperator<List<String>> launcher = UnaryOperator.identity();
    private final Map<String, String> coreSite = new LinkedHashMap<>();
    private final Map<String, String> hdfsSite = new LinkedHashMap<>();
    private final Map<String, String> yarnSite = new LinkedHashMap<>();
    private final Map<String, String> mapredSite = new LinkedHashMap<>();

    private Builder(HadoopRuntime runtime, Path home) {
      this.runtime = runtime;
      this.home = home.toAbsolutePath().normalize();
    }

    /** Leaves the home folder in place on close. */
    public Builder keep(boolean value) {
      keep = value;
      return this;
    }

    public Builder nodes(int value) {
      nodes = value;
      return this;
    }

    /** The local dirs of every node. */
    public Builder dirs(Dir... values) {
      dirs = List.of(values);
      return this;
    }

    public Builder tiered(boolean value) {
      tiered = value;
      return this;
    }

    /** Memory each NodeManager offers, in MiB. */
    public Builder nodeMemoryMiB(int value) {
      nodeMemoryMiB = value;
      return this;
    }

    /** Tasks end within seconds: their JVMs compile for a quick start, not for speed. */
    public Builder shortTasks() {
      for (String side : List.of("map", "reduce")) {
        mapred("mapreduce.admin." + side + ".child.java.opts", "-XX:TieredStopAtLevel=1");
      }
      return this;
    }

    /** Memory of each map and reduce task, in MiB. */
    public Builder taskMemoryMiB(int value) {
      taskMemoryMiB = value;
      return this;
    }

    /**
     * What the processes are started with, clients included, such as a program that puts them into
     * a control group and then becomes them.
     */
    public Builder launcher(UnaryOperator<List<String>> value) {
      launcher = value;
      return this;
    }

    /** A property of core-site.xml. */
    public Builder core(String key, String value) {
      coreSite.put(key, value);
      return this;
    }

    /** A property of hdfs-site.xml. */
    public Builder hdfs(String key, String value) {
      hdfsSite.put(key, value);
      return this;
    }

    /** A property of yarn-site.xml. */
    public Builder yarn(String key, String value) {
      yarnSite.put(key, value);
      return this;
    }

    /** A property of mapred-site.xml. */
    public Builder mapred(String key, String value) {
      mapredSite.put(key, value);
      return this;
    }

    public ClusterSpec build() {
      return new ClusterSpec(
          runtime,
          home,
          keep,
          nodes,
          dirs,
          tiered,
          nodeMemoryMiB,
          taskMemoryMiB,
          launcher,
          coreSite,
          hdfsSite,
          yarnSite,
          mapredSite);
    }
  }
}
