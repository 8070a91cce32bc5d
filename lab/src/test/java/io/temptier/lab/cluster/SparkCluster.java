// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.lab.spark.SparkWork;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster with Spark and its external shuffle service, whose one node is a stock one first, for
 * its applications' digests to compare with.
 */
final class SparkCluster implements AutoCloseable {
  /** What is run unless a test needs something else: it sorts, spills, caches and queries. */
  static final List<String> ALL = work("sort", "cache", "group", "repartition", "sql");

  private static final String MAPS = "4";
  private static final String ROWS = "30000";
  private static final String REDUCES = "3";
  private static final long DEADLINE_SECONDS = 600;

  /** The command line of one, and not of the shell that starts it. */
  private static final Pattern EXECUTOR =
      Pattern.compile("(?!.*bash).*YarnCoarseGrainedExecutorBackend.*", Pattern.DOTALL);

  private final PseudoCluster cluster;
  private final SparkSite spark;
  private final Map<String, String> expected = new HashMap<>();
  private ClusterSpec last;
  private int restarts;
  private int reports;

  SparkCluster() throws IOException, InterruptedException {
    this(SparkRuntime.locate());
  }

  SparkCluster(SparkRuntime runtime) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "spark-");
    ClusterSpec spec =
        runtime
            .configure(new ClusterSpec(HadoopRuntime.locate(), home))
            .nodeMemoryMiB(3072)
            .dirs(slow("slow0"), slow("slow1"));
    cluster = PseudoCluster.start(spec);
    last = cluster.spec();
    spark = new SparkSite(cluster, runtime);
  }

  /** An application's arguments: the usual rows, and such steps. */
  static List<String> work(String... steps) {
    return Stream.concat(Stream.of(MAPS, ROWS, REDUCES), Stream.of(steps)).toList();
  }

  /** Properties, each as {@code key=value}. */
  static Map<String, String> conf(String... properties) {
    return Stream.of(properties)
        .map(one -> one.split("=", 2))
        .collect(Collectors.toMap(one -> one[0], one -> one[1]));
  }

  interface Action {
    void run() throws IOException, InterruptedException;
  }

  /** Hears an application, and does something once, when the first such step is done. */
  static Consumer<String> after(String step, Action action) {
    AtomicBoolean done = new AtomicBoolean();
    String begin = SparkWork.STEP + "\t" + step + "\t";
    return line -> {
      if (line.startsWith(begin) && done.compareAndSet(false, true)) {
        try {
          action.run();
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  private static ClusterSpec.Dir slow(String name) {
    return new ClusterSpec.Dir("[DISK]", Path.of(name));
  }

  PseudoCluster node() {
    return cluster;
  }

  /**
   * Makes it a node with TempTier, and a fast dir above two slow ones.
   *
   * @param yarn more properties of yarn-site.xml
   */
  void restart(ClusterSpec.Dir fast, Map<String, String> yarn)
      throws IOException, InterruptedException {
    restart(fast, slow("slow" + restarts + "-0"), yarn);
  }

  /** The same with one of the two slow dirs given. */
  void restart(ClusterSpec.Dir fast, ClusterSpec.Dir slow, Map<String, String> yarn)
      throws IOException, InterruptedException {
    last =
        cluster
            .spec()
            .tiered(true)
            .dirs(fast, slow, slow("slow" + restarts++ + "-1"))
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .yarn(yarn);
    restartAsItIs();
  }

  /** Properties of yarn-site.xml with which containers outlive their NodeManager. */
  Map<String, String> recovery() {
    return conf(
        "yarn.nodemanager.recovery.enabled=true",
        "yarn.nodemanager.recovery.supervised=true",
        "yarn.nodemanager.recovery.dir=" + cluster.spec().home().resolve("recovery"));
  }

  void switchOff() throws IOException, InterruptedException {
    last = last.copy().yarn("temptier.enabled", "false");
    restartAsItIs();
  }

  void restartStock() throws IOException, InterruptedException {
    last = cluster.spec();
    restartAsItIs();
  }

  void restartAsItIs() throws IOException, InterruptedException {
    cluster.restartNode(0, last);
  }

  /**
   * An application that ended, and where its files were.
   *
   * @param result how it ended
   * @param fastBytes the most at once in the node's first dir
   * @param slowBytes the most at once in the others
   */
  record Seen(SparkResult result, long fastBytes, long slowBytes) {}

  /** Runs one with TempTier, which must give stock's digests and leave nothing behind. */
  Seen runTiered(List<String> work, Map<String, String> changes)
      throws IOException, InterruptedException {
    Seen seen = run(work, tiered(changes), line -> {});
    assertAsStock(work, seen.result());
    awaitClean();
    return seen;
  }

  /** Properties of an application that has TempTier's plugin, and others. */
  Map<String, String> tiered(Map<String, String> changes) {
    Map<String, String> conf = spark.tiered();
    conf.putAll(changes);
    return conf;
  }

  /** Runs one without TempTier's plugin, for later ones to compare with. */
  Seen runStock(List<String> work) throws IOException, InterruptedException {
    Seen seen = run(work, Map.of(), line -> {});
    SparkResult result = seen.result();
    assertEquals(0, result.exitCode(), () -> String.join("\n", result.log()));
    assertEquals(0, result.tasks().failed(), () -> String.join("\n", result.log()));
    result.steps().forEach(step -> expected.put(step.name(), step.digest()));
    awaitClean();
    return seen;
  }

  /** That all steps ended, and as stock Spark's did. */
  void assertAsStock(List<String> work, SparkResult result) {
    assertEquals(0, result.exitCode(), () -> String.join("\n", result.log()));
    assertEquals(steps(work), result.steps().stream().map(SparkResult.Step::name).toList());
    for (SparkResult.Step step : result.steps()) {
      assertEquals(
          expected.getOrDefault(step.name(), step.digest()),
          step.digest(),
          () -> step.name() + " differs from stock Spark's");
    }
  }

  private static List<String> steps(List<String> work) {
    return work.subList(3, work.size());
  }

  /**
   * Runs one, however it ends.
   *
   * @param changes its properties beside those that all have
   * @param output hears each line that its client prints
   */
  Seen run(List<String> work, Map<String, String> changes, Consumer<String> output)
      throws IOException, InterruptedException {
    Map<String, String> conf = new HashMap<>();
    // Small as the data is, it is spilled and merged.
    conf.put("spark.shuffle.spill.numElementsForceSpillThreshold", "12000");
    // As from another node: the shuffle service is asked for every block.
    conf.put("spark.shuffle.readHostLocalDisk", "false");
    conf.putAll(changes);
    List<Path> dirs = cluster.localDirs(0);
    try (AppBytes fast = new AppBytes(dirs.subList(0, 1));
        AppBytes slow = new AppBytes(dirs.subList(1, dirs.size()))) {
      String report = conf.containsKey(SparkSite.DEPLOY_MODE) ? "/report-" + reports++ : "";
      SparkResult result = spark.run(report, work, conf, DEADLINE_SECONDS, output);
      Seen seen = new Seen(result, fast.most(), slow.most());
      System.out.printf(
          "%s: %.1f s, %s, %d bytes on the fast dir, %d on slow ones%n",
          result.application(),
          result.seconds(),
          result.tasks(),
          seen.fastBytes(),
          seen.slowBytes());
      return seen;
    }
  }

  void awaitClean() {
    NodeMoves.awaitClean(cluster);
  }

  List<ProcessHandle> executors() {
    return cluster.containers().stream()
        .filter(process -> EXECUTOR.matcher(process.info().commandLine().orElse("")).matches())
        .toList();
  }

  /** The JVM that submitted, in which the driver is. */
  static List<ProcessHandle> drivers() {
    return ProcessHandle.current().children().filter(SparkCluster::submits).toList();
  }

  private static boolean submits(ProcessHandle process) {
    try {
      // Its class path is longer than what Java shows of a command line.
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
          .contains(SparkSite.SUBMIT);
    } catch (IOException e) {
      // Ended.
      return false;
    }
  }

  @Override
  public void close() {
    cluster.close();
  }

  /**
   * Samples what applications have in local dirs, and remembers the most. Links count nothing, nor
   * do folders of containers and what is localized.
   */
  static final class AppBytes extends Sampler {
    private static final long PERIOD_MILLIS = 200;

    /** Those in a folder of the application's that is no container's, nor of what is localized. */
    private static final Pattern OF_TASKS =
        Pattern.compile("usercache/[^/]+/appcache/[^/]+/(?!container_|filecache/)[^/]+/.+");

    private final List<Path> dirs;
    private long most;

    AppBytes(List<Path> dirs) {
      super("app-bytes", PERIOD_MILLIS);
      this.dirs = List.copyOf(dirs);
      start();
    }

    synchronized long most() {
      return most;
    }

    @Override
    protected void look() throws IOException {
      long bytes = 0;
      for (Path dir : dirs) {
        bytes += now(dir);
      }
      synchronized (this) {
        most = Math.max(most, bytes);
      }
    }

    static long now(Path dir) throws IOException {
      LongAdder bytes = new LongAdder();
      Folders.walk(
          dir,
          (file, attributes) -> {
            String name = dir.relativize(file).toString();
            if (attributes.isRegularFile() && OF_TASKS.matcher(name).matches()) {
              bytes.add(attributes.size());
            }
          });
      return bytes.sum();
    }
  }
}
