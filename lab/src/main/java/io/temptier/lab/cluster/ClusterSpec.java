// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Cluster to start: one stock node with one local dir, unless its methods change that. What they
 * change is the spec itself; who goes on with one that somebody else has copies it.
 */
public final class ClusterSpec {
  private final HadoopRuntime runtime;
  private final Path home;
  private int nodes = 1;
  List<Dir> dirs = List.of(new Dir("[DISK]", Path.of("local")));
  boolean tiered;
  UnaryOperator<List<String>> launcher = UnaryOperator.identity();
  WebPages pages = WebPages.PLAIN;

  /** More properties by their file, such as {@code core}; they win over the cluster's own. */
  private final Map<String, Map<String, String>> sites = new HashMap<>();

  /**
   * A spec of one stock node with one local dir.
   *
   * @param home the folder that will hold everything: configuration, logs, HDFS, local dirs
   */
  public ClusterSpec(HadoopRuntime runtime, Path home) {
    this.runtime = runtime;
    this.home = home.toAbsolutePath().normalize();
  }

  public ClusterSpec copy() {
    ClusterSpec copy = new ClusterSpec(runtime, home);
    copy.nodes = nodes;
    copy.dirs = dirs;
    copy.tiered = tiered;
    copy.launcher = launcher;
    copy.pages = pages;
    sites.forEach((site, properties) -> copy.sites.put(site, new HashMap<>(properties)));
    return copy;
  }

  /**
   * A local dir.
   *
   * @param tag what precedes it in {@code temptier.local-dirs}, such as {@code [NVME:1g]}
   * @param path absolute, or relative to the node's own folder
   */
  public record Dir(String tag, Path path) {}

  public HadoopRuntime runtime() {
    return runtime;
  }

  public Path home() {
    return home;
  }

  public int nodes() {
    return nodes;
  }

  Map<String, String> site(String name) {
    return sites.getOrDefault(name, Map.of());
  }

  public ClusterSpec nodes(int value) {
    nodes = value;
    return this;
  }

  public ClusterSpec dirs(Dir... values) {
    dirs = List.of(values);
    return this;
  }

  public ClusterSpec tiered(boolean value) {
    tiered = value;
    return this;
  }

  /** Memory that each NodeManager offers to containers. */
  public ClusterSpec nodeMemoryMiB(int value) {
    return yarn("yarn.nodemanager.resource.memory-mb", Integer.toString(value));
  }

  /** Tasks end within seconds: their JVMs compile for a quick start, not for speed. */
  public ClusterSpec shortTasks() {
    return mapred("mapreduce.admin.map.child.java.opts", "-XX:TieredStopAtLevel=1")
        .mapred("mapreduce.admin.reduce.child.java.opts", "-XX:TieredStopAtLevel=1");
  }

  public ClusterSpec taskMemoryMiB(int value) {
    return mapred("mapreduce.map.memory.mb", Integer.toString(value))
        .mapred("mapreduce.reduce.memory.mb", Integer.toString(value));
  }

  /**
   * Sets what makes of the command line of each process, clients included, the one that it is
   * started with, such as a program that enters a control group and then becomes the process.
   */
  public ClusterSpec launcher(UnaryOperator<List<String>> value) {
    launcher = value;
    return this;
  }

  /** Sets how the daemons' pages are asked, where that is not plain HTTP. */
  public ClusterSpec pages(WebPages value) {
    pages = value;
    return this;
  }

  public ClusterSpec core(String key, String value) {
    return site("core", key, value);
  }

  public ClusterSpec hdfs(String key, String value) {
    return site("hdfs", key, value);
  }

  public ClusterSpec yarn(String key, String value) {
    return site("yarn", key, value);
  }

  /** Several of yarn-site.xml. */
  public ClusterSpec yarn(Map<String, String> properties) {
    properties.forEach(this::yarn);
    return this;
  }

  public ClusterSpec mapred(String key, String value) {
    return site("mapred", key, value);
  }

  /** Adds an option to those set so far for Java that runs as users: localizers, masters, tasks. */
  public ClusterSpec userJavaOption(String option) {
    add("yarn", "yarn.nodemanager.container-localizer.java.opts", option);
    add("mapred", "yarn.app.mapreduce.am.admin-command-opts", option);
    add("mapred", "mapreduce.admin.map.child.java.opts", option);
    add("mapred", "mapreduce.admin.reduce.child.java.opts", option);
    return this;
  }

  private void add(String site, String key, String option) {
    sites
        .computeIfAbsent(site, any -> new HashMap<>())
        .merge(key, option, (set, added) -> set + " " + added);
  }

  private ClusterSpec site(String name, String key, String value) {
    sites.computeIfAbsent(name, any -> new HashMap<>()).put(key, value);
    return this;
  }
}
