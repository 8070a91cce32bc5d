// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.report.Goal;
import io.temptier.cli.report.Sample;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shuffle handlers under the fetches of many reducers, in numbers.
 *
 * @param arms handlers, stock's first; {@link #HANDLER} is their class
 * @param passMaps how many of the slow disk's maps a pass is over
 * @param fastDir a folder on a fast disk of the user's, or empty
 * @param slowDir a folder on a slow disk of the user's, or empty
 */
record ShufflePlan(
    List<Arm> arms,
    List<Scenario> scenarios,
    int rounds,
    double warmUpSeconds,
    double measuredSeconds,
    int maps,
    int partitions,
    int passMaps,
    DiskSpeed slowDisk,
    String fastDir,
    String slowDir)
    implements ExperimentPlan {
  /** The property of an arm that names its handler's class. */
  static final String HANDLER = "handler";

  static final int FETCHERS = 4;

  /** Two for each on the fast disk. */
  static final int SLOW_FETCHERS = 8;

  static final int EVENT_LOOPS = 4;
  static final int SEGMENT_BYTES = 64 << 10;
  private static final Figure THROUGHPUT = new Figure(Tally.MB_PER_SECOND, "MB/s");
  private static final double MIB = 1 << 20;
  private static final int MIN_MAPS = 64;

  /** A slow disk must not run out of segments that nobody asked for yet: memory has the others. */
  private static final double MARGIN = 1.3;

  /** The journal, inodes and tables of a file system. */
  private static final long FILE_SYSTEM_BYTES = 64L << 20;

  /** Indexes, what a segment is longer than asked, and tables that grow with the size. */
  private static final double DISK_MARGIN = 1.1;

  /** Handler, load, and the kernel's loop devices have to share fewer cores than this. */
  private static final int MANY_CORES = 8;

  private static final double FEW_CORES_MILLIS = 10;
  private static final double MANY_CORES_MILLIS = 5;

  ShufflePlan {
    arms = List.copyOf(arms);
    scenarios = List.copyOf(scenarios);
  }

  /** How many maps it takes so that a slow disk is never asked for the same twice. */
  static int enoughMaps(double seconds, int partitions, DiskSpeed slowDisk) {
    double bytes = MARGIN * seconds * slowDisk.bytesPerSecond();
    return Math.max(MIN_MAPS, (int) Math.ceil(bytes / partitions / SEGMENT_BYTES));
  }

  static int passMaps(long bytes, int partitions) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / partitions / SEGMENT_BYTES));
  }

  long passBytes() {
    return (long) passMaps * partitions * SEGMENT_BYTES;
  }

  /** Bytes of map outputs on each disk, about. */
  long outputBytes() {
    return (long) maps * partitions * SEGMENT_BYTES;
  }

  long diskBytes() {
    return (long) (outputBytes() * DISK_MARGIN) + FILE_SYSTEM_BYTES;
  }

  @Override
  public String command() {
    return "shuffle";
  }

  @Override
  public String question() {
    return "Shuffle handlers side by side, each in a JVM of its own";
  }

  @Override
  public String lead() {
    return String.format(
        Locale.ROOT,
        "%d fetchers on the fast disk, %d on the slow one, %d event loops; segments of %s, %s of"
            + " map outputs on each disk. Before each measurement the page cache is emptied, and"
            + " each is of a job that no handler was asked for before",
        FETCHERS,
        SLOW_FETCHERS,
        EVENT_LOOPS,
        Sizes.format(SEGMENT_BYTES),
        Sizes.format(outputBytes()));
  }

  /** One part: a handler lives for all rounds of all scenarios. */
  @Override
  public List<Part> parts() {
    return List.of(new Part(scenarios.stream().map(Scenario::label).toList(), arms));
  }

  @Override
  public String description(String setting) {
    Scenario scenario = Scenario.of(setting);
    return scenario.words()
        + (scenario.pass()
            ? ": " + Sizes.format(passBytes()) + " by " + SLOW_FETCHERS + " fetchers"
            : String.format(
                Locale.ROOT, ": %s s after %s s of warm-up", measuredSeconds, warmUpSeconds));
  }

  @Override
  public Figure compared() {
    return THROUGHPUT;
  }

  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>(Tally.figures("", ""));
    figures.add(new Figure(ShuffleTestbed.CPU_MICROS, "CPU us/fetch"));
    figures.add(Figure.peakBytes(ShuffleTestbed.MEMORY, "memory, MiB"));
    figures.add(Figure.peakBytes(ShuffleTestbed.DIRECT, "direct, MiB"));
    figures.addAll(Tally.figures(ShuffleTestbed.SLOW, "slow disk: "));
    figures.add(new Figure(ShuffleTestbed.READ_REQUESTS, "requests"));
    figures.add(new Figure(ShuffleTestbed.READ_BYTES, "read, MiB", MIB, false));
    figures.add(new Figure(ShuffleTestbed.REQUEST_BYTES, "KiB of a request", 1 << 10, false));
    return figures;
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    return goals(result, Runtime.getRuntime().availableProcessors());
  }

  /** What the second handler is to reach on so many cores: ratios within the run, and a time. */
  List<Goal> goals(ExperimentResult result, int cores) {
    String stock = arms.get(0).label();
    String ours = arms.get(1).label();
    String fast = Scenario.ALL_FAST.label();
    String mixed = Scenario.MIXED.label();
    String slow = Scenario.ALL_SLOW.label();
    double millis = cores >= MANY_CORES ? MANY_CORES_MILLIS : FEW_CORES_MILLIS;
    String saturated = "slow disk saturated: ";
    Sample p999 = result.figure(mixed, arms.get(1), Tally.P999_MILLIS);
    return List.of(
        Goal.atLeast(
            "mixed-fast-rate",
            saturated + "fast fetches keep at least 0.7x of their rate alone",
            result.roundRatio(Tally.FETCHES_PER_SECOND, mixed, ours, fast, ours),
            0.7),
        Goal.below(
            "mixed-fast-p999",
            saturated + "p999 of fast fetches below %.0f ms (%d cores)".formatted(millis, cores),
            p999 == null ? null : p999.median(),
            millis),
        Goal.atLeast(
            "mixed-fast-p999-vs-stock",
            saturated + "p999 of fast fetches at least 50x better than stock's",
            result.roundRatio(Tally.P999_MILLIS, mixed, stock, mixed, ours),
            50),
        Goal.atLeast(
            "all-fast-throughput",
            "fast disk alone: at least 1.0x of stock's MB/s",
            result.roundRatio(Tally.MB_PER_SECOND, fast, ours, fast, stock),
            1.0),
        Goal.atLeast(
            "all-slow-throughput",
            "slow disk alone: at least 1.2x of stock's MB/s",
            result.roundRatio(Tally.MB_PER_SECOND, slow, ours, slow, stock),
            1.2));
  }

  @Override
  public void describe(ObjectNode node) {
    node.put("fetchers", FETCHERS)
        .put("slowFetchers", SLOW_FETCHERS)
        .put("eventLoops", EVENT_LOOPS)
        .put("warmUpSeconds", warmUpSeconds)
        .put("measuredSeconds", measuredSeconds)
        .put("segmentBytes", SEGMENT_BYTES)
        .put("outputBytesPerDisk", outputBytes())
        .put("passBytes", passBytes());
  }

  @Override
  public Testbed open(Part part, ExperimentRun run) throws IOException, InterruptedException {
    return ShuffleTestbed.start(this, run);
  }
}
