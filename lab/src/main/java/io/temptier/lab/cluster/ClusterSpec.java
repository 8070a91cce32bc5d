// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What cluster to start.
 *
 * @param home the folder that will hold everything: configuration, logs, HDFS, local dirs
 * @param launcher makes of a process's command line the one it is started with
 * @param pages how the daemons' pages are asked
 * @param sites more properties by their file, such as {@code core}; they win over the cluster's own
 */
public record ClusterSpec(
    HadoopRuntime runtime,
    Path home,
    int nodes,
    List<Dir> dirs,
    boolean tiered,
    UnaryOperator<List<String>> launcher,
    WebPages pages,
    Map<String, Map<String, String>> sites) {
  public ClusterSpec {
    dirs = List.copyOf(dirs);
    Map<String, Map<String, String>> copies = new HashMap<>();
    sites.forEach((site, properties) -> copies.put(site, Map.copyOf(properties)));
    sites = Map.copyOf(copies);
  }

  /**
   * A local dir.
   *
   * @param tag what precedes it in {@code temptier.local-dirs}, such as {@code [NVME:1g]}
   * @param path absolute, or relative to the node's own folder
   */
  public record Dir(String tag, Path path) {}

  Map<String, String> site(String name) {
    return sites.getOrDefault(name, Map.of());
  }

  /** A spec of one stock node with one local dir; the calls on it change that. */
  public static Builder builder(HadoopRuntime runtime, Path home) {
    List<Dir> dirs = List.of(new Dir("[DISK]", Path.of("local")));
    Path absolute = home.toAbsolutePath().normalize();
    UnaryOperator<List<String>> launcher = UnaryOperator.identity();
    return new ClusterSpec(runtime, absolute, 1, dirs, false, launcher, WebPages.PLAIN, Map.of())
        .change();
  }

  public Builder change() {
    return new Builder(this);
  }

  /** Collects a spec. Not thread safe. */
  public static final class Builder {
    private final HadoopRuntime runtime;
    private final Path home;
    private int nodes;
    private List<Dir> dirs;
    private boolean tiered;
    private UnaryOperator<List<String>> launcher;
    private WebPages pages;
    private final Map<String, Map<String, String>> sites = new HashMap<>();

    private Builder(ClusterSpec spec) {
      runtime = spec.runtime;
      home = spec.home;
      nodes = spec.nodes;
      dirs = spec.dirs;
      tiered = spec.tiered;
      launcher = spec.launcher;
      pages = spec.pages;
      spec.sites.forEach((site, properties) -> sites.put(site, new HashMap<>(properties)));
    }

    public Builder nodes(int value) {
      nodes = value;
      return this;
    }

    public Builder dirs(Dir... values) {
      dirs = List.of(values);
      return this;
    }

    public Builder tiered(boolean value) {
      tiered = value;
      return this;
    }

    /** Memory that each NodeManager offers to containers. */
    public Builder nodeMemoryMiB(int value) {
      return yarn("yarn.nodemanager.resource.memory-mb", Integer.toString(value));
    }

    /** Tasks end within seconds: their JVMs compile for a quick start, not for speed. */
    public Builder shortTasks() {
      return mapred("mapreduce.admin.map.child.java.opts", "-XX:TieredStopAtLevel=1")
          .mapred("mapreduce.admin.reduce.child.java.opts", "-XX:TieredStopAtLevel=1");
    }

    /** Memory of each map and reduce task. */
    public Builder taskMemoryMiB(int value) {
      return mapred("mapreduce.map.memory.mb", Integer.toString(value))
          .mapred("mapreduce.reduce.memory.mb", Integer.toString(value));
    }

    /**
     * What the processes are started with, clients included, such as a program that puts them into
     * a control group and then becomes them.
     */
    public Builder launcher(UnaryOperator<List<String>> value) {
      launcher = value;
      return this;
    }

    /** How the daemons' pages are asked, where that is not plain HTTP. */
    public Builder pages(WebPages value) {
      pages = value;
      return this;
    }

    public Builder core(String key, String value) {
      return site("core", key, value);
    }

    public Builder hdfs(String key, String value) {
      return site("hdfs", key, value);
    }

    public Builder yarn(String key, String value) {
      return site("yarn", key, value);
    }

    public Builder mapred(String key, String value) {
      return site("mapred", key, value);
    }

    private Builder site(String name, String key, String value) {
      sites.computeIfAbsent(name, any -> new HashMap<>()).put(key, value);
      return this;
    }

    public ClusterSpec build() {
      return new ClusterSpec(runtime, home, nodes, dirs, tiered, launcher, pages, sites);
    }
  }
}
