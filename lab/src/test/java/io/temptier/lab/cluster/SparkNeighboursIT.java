// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three executors of two applications on one node of Spark's own cluster, whose fast disk holds a
 * third of what they write. Stock Spark finds room in the same dirs.
 */
@NeedsLoopDisk
@BeforeRelease
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SparkNeighboursIT {
  private static final long DISK_BYTES = 96L << 20;

  /** So many that stock, which fills all dirs alike, leaves the fast disk room. */
  private static final int SLOW_DIRS = 6;

  /** Cores of each application, and the maps of each of its steps, which write 6 MB each. */
  private static final Map<Integer, Integer> APPLICATIONS = Map.of(2, 12, 1, 6);

  private static final List<String> STEPS =
      List.of("50000", "3", "sort", "cache", "group", "repartition");

  private final Path home;
  private final LoopDisk disk;
  private final Path fast;
  private final List<Path> dirs = new ArrayList<>();
  private final StandaloneSpark spark;
  private final Seen stock;

  SparkNeighboursIT() throws Exception {
    home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "neighbours-");
    disk = LoopDisk.create(home, DISK_BYTES);
    fast = Files.createDirectory(disk.path().resolve("spark"));
    dirs.add(fast);
    for (int i = 0; i < SLOW_DIRS; i++) {
      dirs.add(Files.createDirectory(home.resolve("slow" + i)));
    }
    spark = new StandaloneSpark(home, dirs, 3);
    stock = run("stock", Map.of());
    assertEquals(Set.of(), stock.owners());
  }

  @AfterAll
  void stop() throws IOException {
    spark.close();
    disk.close();
    Folders.delete(home);
  }

  /** What executors of a node see of each other. */
  enum Apart {
    /** All, as processes of one Worker, whose shuffle service has their files. */
    PROCESSES,

    /** Nothing but their files: each has a pid and a mount namespace of its own. */
    PODS
  }

  @ParameterizedTest
  @EnumSource(Apart.class)
  void meetNoFullDiskAndLeaveNothing(Apart apart) throws Exception {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.plugins", "io.temptier.spark.TierPlugin");
    conf.put(
        "spark.temptier.local-dirs",
        dirs.stream()
            .map(dir -> (dir.equals(fast) ? "[NVME]" : "[DISK]") + dir)
            .collect(Collectors.joining(",")));
    conf.put("spark.temptier.unknown-size", "8m");
    if (apart == Apart.PODS) {
      conf.put("spark.executorEnv.JAVA_HOME", pod().toString());
      conf.put("spark.shuffle.service.enabled", "false");
    }
    Seen tiered = run(apart.toString(), conf);
    assertEquals(stock.digests(), tiered.digests());
    assertEquals(3, tiered.owners().size(), () -> "not all claimed: " + tiered.owners());
    long namespaces =
        tiered.owners().stream().map(owner -> owner.replaceAll(".*-", "")).distinct().count();
    assertEquals(apart == Apart.PODS ? 3 : 1, namespaces, tiered.owners()::toString);
    assertTrue(tiered.usedShare() >= 0.8, () -> tiered.usedShare() + " of the room was used");
  }

  /**
   * A Java that starts the real one in namespaces of its own, with the dirs that a pod would have.
   */
  private Path pod() throws IOException {
    Path pod = home.resolve("pod");
    Programs.script(
        pod.resolve("bin/java"),
        """
        unset SPARK_EXECUTOR_DIRS
        exec unshare --pid --mount --mount-proc --fork --kill-child=TERM '%s/bin/java' "$@"
        """
            .formatted(System.getProperty("java.home")));
    return pod;
  }

  /**
   * Both applications, which ended well and left nothing.
   *
   * @param usedShare the most at once on the fast disk, of what the reserve leaves
   * @param owners pid, start and pid namespace of each process that claimed there
   */
  private record Seen(Set<List<String>> digests, double usedShare, Set<String> owners) {}

  private Seen run(String name, Map<String, String> conf) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<SparkResult>> running = new ArrayList<>();
    List<SparkResult> results = new ArrayList<>();
    Watch watch = new Watch();
    try (watch) {
      APPLICATIONS.forEach(
          (cores, maps) -> {
            List<String> work = new ArrayList<>(List.of(maps.toString()));
            work.addAll(STEPS);
            Map<String, String> all = new HashMap<>(conf);
            all.put("spark.cores.max", cores.toString());
            running.add(threads.submit(() -> spark.run(work, all, line -> {})));
          });
      for (Future<SparkResult> result : running) {
        results.add(result.get());
      }
    } finally {
      threads.shutdownNow();
    }
    long total = disk.path().toFile().getTotalSpace();
    long written = results.stream().mapToLong(result -> result.tasks().shuffledBytes()).sum();
    double usedShare = (double) watch.most / (total - Reserve.DEFAULT.bytesOf(total));
    System.out.printf(
        "%s: %d MB of shuffles, a fast disk of %d, of whose room %.2f was used; %s%n",
        name,
        written >> 20,
        total >> 20,
        usedShare,
        results.stream().map(SparkResult::tasks).toList());
    for (SparkResult result : results) {
      assertEquals(0, result.exitCode(), () -> String.join("\n", result.log()));
      assertEquals(0, result.tasks().failed(), () -> String.join("\n", result.log()));
    }
    assertTrue(written > 3 * total, "it is no third");
    Eventually.holds("nothing is left", () -> dirs.stream().allMatch(SparkNeighboursIT::isEmpty));
    return new Seen(
        results.stream().map(SparkResult::digests).collect(Collectors.toSet()),
        usedShare,
        watch.owners);
  }

  /** No file and no link, nor a claim. */
  private static boolean isEmpty(Path dir) {
    return Folders.find(dir, file -> !Files.isDirectory(file)).isEmpty();
  }

  /** Remembers who claimed on the fast disk, and how much of it was in use. */
  private final class Watch extends Sampler {
    private static final long PERIOD_MILLIS = 200;

    private final long before = free();
    private final Set<String> owners = new HashSet<>();
    private long most;

    Watch() {
      super("neighbours", PERIOD_MILLIS);
      start();
    }

    private long free() {
      return fast.toFile().getUsableSpace();
    }

    @Override
    protected void look() {
      most = Math.max(most, before - free());
      owners.addAll(claiming());
    }

    private Collection<String> claiming() {
      String[] ledgers = NodeMarker.claims(fast).toFile().list();
      return Stream.of(ledgers == null ? new String[0] : ledgers)
          .map(ledger -> String.join("-", List.of(ledger.split("-", -1)).subList(0, 3)))
          .toList();
    }
  }
}
