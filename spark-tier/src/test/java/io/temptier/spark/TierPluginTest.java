// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Trees;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.marker.NodeMarker;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.collection.Seq;

/** In a real Spark that is its own executor. */
class TierPluginTest {
  @TempDir Path temp;

  @Test
  void namesStay() throws IOException {
    List<String> keys =
        List.of(
            SparkTiering.ENABLED_KEY + ": default true",
            TierPlugin.DRIVER_KEY + ": default false",
            SparkTiering.DEMOTION_KEY + ": default true",
            SparkTiers.DIRS_KEY + ": list of dirs");
    StableNames.check("properties of Spark", keys, TierPluginTest.class);
  }

  @Test
  void aJobGivesWhatItGivesWithoutAndLeavesNothing() throws Exception {
    List<Long> stock = run(conf("stock"), temp.resolve("stock"), false);
    List<Long> tiered = run(tiered(), temp.resolve("tiered"), true);
    assertEquals(stock, tiered);
    assertEquals(List.of(), Trees.below(temp).stream().filter(Files::isRegularFile).toList());
    assertEquals(List.of(), Tiers.links(temp));
  }

  private static WeakReference<DiskBlockManager> ended(SparkConf conf) {
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      assertEquals(4, spark.parallelize(List.of(1, 2, 3, 4), 4).repartition(2).count());
      return new WeakReference<>(SparkEnv.get().blockManager().diskBlockManager());
    }
  }

  /** A notebook's server, say, has one after the other. */
  @Test
  void aContextThatEndedTakesNoMemory() throws Exception {
    WeakReference<DiskBlockManager> ended = ended(tiered());
    Eventually.holds(
        "nobody knows it",
        () -> {
          System.gc();
          return ended.refersTo(null);
        });
  }

  /** Spark throws where a flag is neither true nor false. */
  @ParameterizedTest
  @ValueSource(strings = {SparkTiering.ENABLED_KEY, SparkTiering.DEMOTION_KEY})
  void aValueThatIsNoneLeavesAllToSpark(String key) throws Exception {
    run(tiered().set(key, "yes"), temp.resolve("tiered"), false);
  }

  @Test
  void theDriversSwitchEndsNoApplication() throws Exception {
    run(tiered().set(TierPlugin.DRIVER_KEY, "yes"), temp.resolve("tiered"), true);
  }

  /** A native engine, say. TempTier never hears of its files, so they are not to fill a disk. */
  @Test
  void whoeverWritesToAPathHimselfFallsWhereStockPutsHim() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(tiered())) {
      DiskBlockManager manager = SparkEnv.get().blockManager().diskBlockManager();
      assertInstanceOf(TieredDiskBlockManager.class, manager, spark.version());
      List<Path> dirs =
          List.of(
              temp.resolve("tiered/slow").toRealPath(), temp.resolve("tiered/fast").toRealPath());
      for (int i = 0; i < 40; i++) {
        String name = "shuffle_7_" + i + "_0.data";
        Path file = Path.of(manager.getFile(name).getPath());
        Files.write(file, new byte[] {1});
        // As Spark hashes.
        Path dir = dirs.get(Utils.nonNegativeHash(name) % dirs.size());
        assertTrue(file.toRealPath().startsWith(dir), file + " is not in " + dir);
      }
      for (int i = 0; i < dirs.size(); i++) {
        Path file = Files.createFile(Path.of(manager.localDirsString()[i], "direct"));
        assertTrue(file.toRealPath().startsWith(dirs.get(i)), file + " is not in " + dirs.get(i));
      }
    }
  }

  /** Spark asks only once whether a plugin has metrics, before the first task. */
  @Test
  void whatWasPlacedIsInSparksMetrics() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(tiered())) {
      assertEquals(4, spark.parallelize(List.of(1, 2, 3, 4), 4).repartition(2).count());
      Seq<Source> sources =
          SparkEnv.get().metricsSystem().getSourcesByName("plugin." + TierPlugin.class.getName());
      assertEquals(1, sources.size());
      for (String name : List.of("files.NVME", "bytes.NVME")) {
        assertTrue(sources.head().metricRegistry().counter(name).getCount() > 0, name);
      }
    }
  }

  /** Its output is the one sorted run of each task, which Spark moves to its place. */
  @Test
  void whatATaskSortedInMemoryStaysOnTheFastDir() throws Exception {
    SparkConf conf =
        tiered()
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .remove("spark.shuffle.spill.numElementsForceSpillThreshold");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      JavaRDD<Long> rows =
          spark
              .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
              .flatMap(seed -> IntStream.range(0, 50_000).mapToObj(i -> (long) i * seed).iterator())
              .repartition(210);
      assertEquals(400_000, rows.count());
      assertEquals(0, matching(temp.resolve("tiered/slow"), "blockmgr"));
      assertEquals(8, matching(temp.resolve("tiered/fast"), "_0\\.data"));
      assertEquals(400_000, rows.count());
    }
    assertEquals(List.of(), Tiers.files(temp));
  }

  /** No file is known to be smaller than the fast dir, at first. */
  @Test
  void whatEarlierTasksOfAStageWroteTellsHowLargeItsFilesAre() throws Exception {
    SparkConf conf =
        tiered()
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.shuffle.sort.bypassMergeThreshold", "1")
            .remove("spark.shuffle.spill.numElementsForceSpillThreshold");
    conf.set(SparkTiers.DIRS_KEY, conf.get(SparkTiers.DIRS_KEY).replace("[NVME]", "[NVME:40m]"));
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      JavaRDD<Long> rows =
          spark
              .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 12)
              .flatMap(seed -> IntStream.range(0, 5_000).mapToObj(i -> (long) i * seed).iterator())
              .repartition(2);
      assertEquals(60_000, rows.count());
      assertTrue(outputs(temp.resolve("tiered/slow")) >= 3, "the first");
      assertTrue(outputs(temp.resolve("tiered/fast")) >= 3, "the last");
    }
  }

  /** An output behind a link has the name of the run that it was. */
  private static long outputs(Path dir) throws IOException {
    return matching(dir, "_0\\.data|temp_shuffle_");
  }

  private static long matching(Path dir, String name) throws IOException {
    Predicate<String> matches = Pattern.compile(name).asPredicate();
    return Tiers.files(dir).stream().filter(file -> matches.test(file.toString())).count();
  }

  @Test
  void encryptedFilesAreThose() throws Exception {
    SparkConf conf = tiered().set("spark.io.encryption.enabled", "true");
    assertEquals(
        run(conf("stock"), temp.resolve("stock"), false), run(conf, temp.resolve("tiered"), true));
  }

  @Test
  void withoutTiersItIsStock() throws Exception {
    SparkConf conf = tiered().remove(SparkTiers.DIRS_KEY).set(SparkTiering.ENABLED_KEY, "false");
    run(conf, temp.resolve("tiered"), false);
  }

  /** What the NodeManager says wins. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anExecutorLetsItsBlocksGoDownIfTheNodeMovesThem(boolean demotes) throws Exception {
    SparkConf conf = conf("yarn");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Path fast = temp.resolve("yarn/fast");
      Path slow = temp.resolve("yarn/slow");
      NodeMarker.write(fast, SparkTiersTest.node(fast, slow, demotes));
      ExecutorPlugin executor = new TierPlugin().executorPlugin();
      executor.init(new Executor(spark.getConf().clone().set("spark.master", "yarn")), Map.of());
      assertInstanceOf(
          TieredDiskBlockManager.class, SparkEnv.get().blockManager().diskBlockManager());
      if (demotes) {
        Eventually.holds("the NodeManager may move its blocks", this::shares);
      }
      assertEquals(4, spark.parallelize(List.of(1, 2, 3, 4), 4).repartition(2).count());
      executor.shutdown();
      Path journal = fast.resolve(PlacementJournal.APPLICATION_FILE);
      assertTrue(Files.size(journal) > 0);
      Eventually.holds("the journal is closed", () -> !open(journal));
      assertEquals(demotes, shares());
    }
  }

  private boolean shares() throws IOException {
    return Trees.below(temp).stream().anyMatch(path -> path.endsWith(ColdBlocks.SHARED));
  }

  private static boolean open(Path file) throws IOException {
    for (File descriptor : Objects.requireNonNull(new File("/proc/self/fd").listFiles())) {
      if (descriptor.getCanonicalPath().equals(file.toRealPath().toString())) {
        return true;
      }
    }
    return false;
  }

  /** As of another version, which does not have it. */
  @Test
  void aClassThatIsMissingLeavesAllToSpark() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(conf("stock"))) {
      for (String missing :
          List.of(
              "io.temptier.spark.SparkTiering",
              "io.temptier.tier.LocalDirsParser",
              "io.temptier.tier.placer.Placer",
              "io.temptier.tier.demotion.ColdBlocks",
              "io.temptier.tier.journal.PlacementJournal",
              "io.temptier.tier.marker.MountGuard")) {
        try (Without classes = new Without(missing)) {
          Class<?> plugin = classes.loadClass(TierPlugin.class.getName());
          ((SparkPlugin) plugin.getConstructor().newInstance())
              .executorPlugin()
              .init(new Executor(spark.getConf()), Map.of());
        }
        DiskBlockManager manager = SparkEnv.get().blockManager().diskBlockManager();
        assertEquals(DiskBlockManager.class, manager.getClass(), missing);
        assertEquals(List.of(), Tiers.links(temp), missing);
      }
    }
  }

  /** TempTier's classes once more, but for one. */
  private static final class Without extends URLClassLoader {
    private final String missing;

    Without(String missing) {
      super(
          new URL[] {
            TierPlugin.class.getProtectionDomain().getCodeSource().getLocation(),
            LocalDir.class.getProtectionDomain().getCodeSource().getLocation()
          },
          TierPluginTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(missing)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.temptier.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  private record Executor(SparkConf conf, MetricRegistry metricRegistry) implements PluginContext {
    Executor(SparkConf conf) {
      this(conf, new MetricRegistry());
    }

    @Override
    public String executorID() {
      return "1";
    }

    @Override
    public String hostname() {
      return "localhost";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return Map.of();
    }

    @Override
    public void send(Object message) {}

    @Override
    public Object ask(Object message) {
      throw new UnsupportedOperationException();
    }
  }

  private SparkConf conf(String name) throws Exception {
    Path fast = Files.createDirectories(temp.resolve(name + "/fast"));
    Path slow = Files.createDirectories(temp.resolve(name + "/slow"));
    return Tiers.local(name, fast, slow)
        .setMaster("local[2]")
        // Each task sorts on disk.
        .set("spark.shuffle.spill.numElementsForceSpillThreshold", "1000");
  }

  private SparkConf tiered() throws Exception {
    return conf("tiered").set("spark.plugins", TierPlugin.class.getName());
  }

  /** A sort, a grouping and a cache on disk; what comes out of each. */
  private static List<Long> run(SparkConf conf, Path dir, boolean tiered) throws IOException {
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      DiskBlockManager manager = SparkEnv.get().blockManager().diskBlockManager();
      assertEquals(tiered, manager instanceof TieredDiskBlockManager, manager.toString());
      JavaPairRDD<Long, Long> rows =
          spark.parallelize(List.of(1, 2, 3, 4), 4).flatMapToPair(TierPluginTest::rows);
      List<Long> results = new ArrayList<>();
      results.add(digest(rows.sortByKey(true, 3).values().collect()));
      results.add(rows.mapToPair(row -> new Tuple2<>(row._1 % 100, row._2)).groupByKey(4).count());
      JavaRDD<Long> cached = rows.values().persist(StorageLevel.DISK_ONLY());
      results.add(cached.count());
      results.add(digest(cached.collect()));
      results.add(rows.repartition(210).count());
      if (tiered) {
        assertInstanceOf(TieredDiskStore.class, SparkEnv.get().blockManager().diskStore());
        assertTrue(Tiers.files(dir.resolve("fast")).size() > 10);
        assertEquals(0, matching(dir.resolve("slow"), "blockmgr"));
      }
      cached.unpersist(true);
      return results;
    }
  }

  private static Iterator<Tuple2<Long, Long>> rows(int seed) {
    Random random = new Random(seed);
    List<Tuple2<Long, Long>> rows = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      rows.add(new Tuple2<>(random.nextLong(), random.nextLong()));
    }
    return rows.iterator();
  }

  private static long digest(List<Long> values) {
    long digest = 0;
    for (long value : values) {
      digest = digest * 31 + value;
    }
    return digest;
  }
}
