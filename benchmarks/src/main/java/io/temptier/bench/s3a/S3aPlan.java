// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.report.Goal;
import io.temptier.bench.s3a.client.Work;
import io.temptier.lab.ceph.CephPrograms;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.EmulatedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ways to set S3A up, side by side on one store.
 *
 * @param hadoops the versions whose readers are held against each other, the build's own first
 * @param slowStore whether the run's own Ceph lies on such a disk
 * @param confDir where the {@code core-site.xml} of a store of the user's is; empty for a Ceph of
 *     the run's own
 * @param own properties of an arm that the user wants beside the others; empty for no such arm
 */
record S3aPlan(
    List<Work> patterns,
    List<String> hadoops,
    int rounds,
    boolean quick,
    DiskSpeed slowDisk,
    boolean slowStore,
    String confDir,
    String bucket,
    Map<String, String> own)
    implements ExperimentPlan {
  static final String MB_PER_SECOND = "mbPerSecond";
  static final String STORE_BYTES = "bytesFromStore";
  static final String REQUESTS = "requests";
  private static final String HADOOP = " on Hadoop ";
  private static final int OBJECT_MIB = 256;
  private static final int QUICK_OBJECT_MIB = 24;
  private static final int GATEWAYS = 3;
  private static final int ROWS = 400_000;
  private static final int QUICK_ROWS = 40_000;

  S3aPlan {
    patterns = List.copyOf(patterns);
    hadoops = List.copyOf(hadoops);
    own = Map.copyOf(own);
  }

  /** The size of the object that is read, in MiB. */
  long objectMib() {
    return quick ? QUICK_OBJECT_MIB : OBJECT_MIB;
  }

  /** How many files are there to be opened, each once by a pattern. */
  long files() {
    return reads().stream()
        .filter(pattern -> pattern == Work.FOOTERS || pattern == Work.QUERIES)
        .mapToLong(this::count)
        .max()
        .orElse(0);
  }

  /** How many gateways the run's own Ceph has. */
  int gateways() {
    return patterns.contains(Work.GATEWAYS) ? GATEWAYS : 1;
  }

  long rows() {
    return quick ? QUICK_ROWS : ROWS;
  }

  long count(Work pattern) {
    return pattern.count(quick);
  }

  List<Work> reads() {
    return patterns.stream().filter(Work.reads()::contains).toList();
  }

  /** The setting of a pattern with the S3A of a Hadoop. */
  static String setting(Work pattern, String hadoop) {
    return pattern.label() + HADOOP + hadoop;
  }

  static Work pattern(String setting) {
    return Work.of(setting.substring(0, setting.indexOf(HADOOP)));
  }

  static String hadoop(String setting) {
    return setting.substring(setting.indexOf(HADOOP) + HADOOP.length());
  }

  @Override
  public String command() {
    return "s3a";
  }

  @Override
  public String question() {
    return "S3A set up in several ways, each in a JVM of its own";
  }

  @Override
  public String lead() {
    return (confDir.isEmpty()
            ? "On a Ceph on this machine: 1 OSD, "
                + (gateways() == 1 ? "1 gateway" : gateways() + " gateways, the first used alone")
                + (slowStore ? ", on a disk of " + slowDisk : "")
            : "On " + bucket + " as in " + confDir)
        + "; an object of "
        + objectMib()
        + " MiB, Parquet and ORC files of "
        + rows()
        + " rows"
        + (files() > 0 ? ", " + files() + " files of 16 MiB" : "")
        + (quick ? "" : "; each way practises before its first round");
  }

  /** The readers of each Hadoop; uploads and committers of the first. */
  @Override
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    String built = hadoops.get(0);
    if (!reads().isEmpty()) {
      for (String hadoop : hadoops) {
        parts.add(
            new Part(
                reads().stream().map(pattern -> setting(pattern, hadoop)).toList(),
                Setups.readers(hadoop, own)));
      }
    }
    if (patterns.contains(Work.GATEWAYS)) {
      parts.add(new Part(List.of(setting(Work.GATEWAYS, built)), Setups.spreaders()));
    }
    if (patterns.contains(Work.UPLOAD)) {
      parts.add(new Part(List.of(setting(Work.UPLOAD, built)), Setups.uploaders()));
    }
    if (patterns.contains(Work.TERAGEN)) {
      parts.add(new Part(List.of(setting(Work.TERAGEN, built)), Setups.committers()));
    }
    return parts;
  }

  @Override
  public String description(String setting) {
    return count(pattern(setting)) + " " + pattern(setting).words();
  }

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(MB_PER_SECOND, "MB/s"),
        new Figure(STORE_BYTES, "from the store, MiB", 1 << 20, false),
        new Figure(REQUESTS, "requests"));
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    List<Goal> goals = new ArrayList<>();
    hadoops.forEach(hadoop -> goals.addAll(ofReaders(result, hadoop)));
    // The paper's queries, gateways beside the OSDs against few behind a load balancer.
    goals.add(
        Goal.atMost(
            "three-gateways-vs-one",
            "Files written and read through three gateways: at most 0.82x of the time through one",
            ratio(result, hadoops.get(0), Work.GATEWAYS, Setups.THREE_GATEWAYS, Setups.ONE_GATEWAY),
            0.82));
    goals.add(
        Goal.atLeast(
            "magic-vs-file",
            "TeraGen with the magic committer: at least 2.5x as fast as with the file committer",
            ratio(result, hadoops.get(0), Work.TERAGEN, Setups.FILE, Setups.MAGIC),
            2.5));
    return goals;
  }

  private List<Goal> ofReaders(ExperimentResult result, String hadoop) {
    List<Goal> goals = new ArrayList<>();
    for (Work pattern : List.of(Work.QUERIES, Work.FOOTERS)) {
      // The paper's 54 queries: 8267 s by sequential with 64K, 2659 s with its setting.
      goals.add(
          Goal.atLeast(
              "columnar-" + pattern.label() + "-vs-sequential-" + hadoop,
              "%s, %s: columnar at least 3.1x as fast as sequential with 64K"
                  .formatted(hadoop, pattern.label()),
              ratio(result, hadoop, pattern, Setups.SEQUENTIAL, Setups.COLUMNAR),
              3.1));
    }
    goals.add(
        Goal.atLeast(
            "columnar-footers-vs-default-" + hadoop,
            hadoop + ", footers: columnar at least 1.2x as fast as the default",
            ratio(result, hadoop, Work.FOOTERS, Setups.STOCK, Setups.COLUMNAR),
            1.2));
    for (Work pattern : reads()) {
      goals.add(
          Goal.atMost(
              "mixed-" + pattern.label() + "-vs-default-" + hadoop,
              hadoop + ", " + pattern.label() + ": mixed takes at most 1.05x of the default's time",
              ratio(result, hadoop, pattern, Setups.MIXED, Setups.STOCK),
              1.05));
    }
    return goals;
  }

  /** The first's time over the second's; null when one was not measured. */
  private static @Nullable Double ratio(
      ExperimentResult result, String hadoop, Work pattern, String above, String below) {
    String setting = setting(pattern, hadoop);
    return result.roundRatio(Figure.SECONDS.name(), setting, above, setting, below);
  }

  @Override
  public void describe(ObjectNode node) {
    node.put("quick", quick).put("objectMib", objectMib()).put("rows", rows());
    ObjectNode counts = node.putObject("counts");
    patterns.forEach(pattern -> counts.put(pattern.label(), count(pattern)));
  }

  @Override
  public Optional<String> hindrance() throws IOException {
    if (!confDir.isEmpty()) {
      Path site = Store.site(confDir);
      return Files.isReadable(site)
          ? Optional.empty()
          : Optional.of("there is no " + site + " to read");
    }
    Optional<String> ceph =
        CephPrograms.hindrance()
            .map(why -> why + " Or name a store that is there with --conf-dir and --bucket.");
    return ceph.isPresent() || !slowStore ? ceph : EmulatedDisk.hindrance();
  }

  @Override
  public Testbed open(Part part, ExperimentRun run) throws IOException {
    Store store = run.shared(Store.class, () -> Store.open(this, run));
    return S3aTestbed.start(this, part, store, run);
  }
}
