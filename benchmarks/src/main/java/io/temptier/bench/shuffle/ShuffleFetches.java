// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Workload;
import io.temptier.bench.shuffle.Load.Tally;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Shuffle handlers under the fetches of many reducers; a handler's class is its arm's {@link
 * #HANDLER}.
 *
 * @param seconds of each measurement but a pass, after a quarter of that as warm-up
 * @param passSize bytes that a pass asks the slow disk for
 * @param maps map outputs on each disk; 0 for as many as it takes
 * @param partitions of each
 */
public record ShuffleFetches(double seconds, long passSize, int maps, int partitions)
    implements Workload {
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

  private static final double MAX_SECONDS = 600;

  public ShuffleFetches {
    if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
      throw new IllegalArgumentException(
          "seconds=" + seconds + " is not between 0 and " + Math.round(MAX_SECONDS));
    }
    if (partitions < 1 || maps < 0) {
      throw new IllegalArgumentException(
          "partitions=" + partitions + " is less than 1, or maps=" + maps + " less than 0");
    }
  }

  double warmUpSeconds() {
    return seconds / 4;
  }

  /** How many maps it takes so that a slow disk is never asked for the same twice. */
  static int enoughMaps(double seconds, int partitions, DiskSpeed slowDisk) {
    double bytes = MARGIN * seconds * slowDisk.bytesPerSecond();
    return Math.max(MIN_MAPS, (int) Math.ceil(bytes / partitions / SEGMENT_BYTES));
  }

  /** How many of the slow disk's maps a pass is over. */
  int passMaps() {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, passSize / partitions / SEGMENT_BYTES));
  }

  long passBytes() {
    return (long) passMaps() * partitions * SEGMENT_BYTES;
  }

  /** Bytes of map outputs on each disk, about. */
  long outputBytes() {
    return (long) maps * partitions * SEGMENT_BYTES;
  }

  long diskBytes() {
    return (long) (outputBytes() * DISK_MARGIN) + FILE_SYSTEM_BYTES;
  }

  @Override
  public Plan fitted(Plan plan) {
    if (plan.site().ownCluster() || !plan.properties().isEmpty()) {
      throw new IllegalArgumentException(
          plan.label()
              + " has neither -D nor --conf-dir: what a handler is set up with are the properties"
              + " of its arm");
    }
    plan.experiment().settings().forEach(one -> Scenario.of(one.name()));
    for (Arm arm : plan.experiment().arms()) {
      if (!arm.properties().containsKey(HANDLER)) {
        throw new IllegalArgumentException(
            "arm " + arm.label() + " has no property " + HANDLER + ": the name of a class");
      }
    }
    int enough =
        maps > 0 ? maps : enoughMaps(warmUpSeconds() + seconds, partitions, plan.slowDisk());
    Workload sized =
        new ShuffleFetches(seconds, passSize, Math.max(passMaps(), enough), partitions);
    return plan.with(plan.experiment().with(sized), plan.skipped());
  }

  @Override
  public String lead(Plan plan) {
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
  public List<Part> parts(Plan plan) {
    List<String> scenarios = plan.experiment().settings().stream().map(Setting::name).toList();
    return List.of(new Part(scenarios, plan.experiment().arms()));
  }

  @Override
  public String description(Plan plan, Setting setting) {
    Scenario scenario = Scenario.of(setting.name());
    return scenario.words
        + (scenario.pass()
            ? ": " + Sizes.format(passBytes()) + " by " + SLOW_FETCHERS + " fetchers"
            : String.format(Locale.ROOT, ": %s s after %s s of warm-up", seconds, warmUpSeconds()));
  }

  @Override
  public Figure compared() {
    return THROUGHPUT;
  }

  @Override
  public List<Figure> figures(Plan plan) {
    List<Figure> figures = new ArrayList<>(Tally.figures("", ""));
    figures.add(new Figure(ShuffleTestbed.CPU_MICROS, "CPU us/fetch"));
    figures.add(new Figure(ShuffleTestbed.MEMORY, "memory, MiB", MIB, true));
    figures.addAll(Tally.figures(ShuffleTestbed.SLOW, "slow disk: "));
    figures.add(new Figure(ShuffleTestbed.READ_REQUESTS, "requests"));
    figures.add(new Figure(ShuffleTestbed.READ_BYTES, "read, MiB", MIB, false));
    figures.add(new Figure(ShuffleTestbed.REQUEST_BYTES, "KiB of a request", 1 << 10, false));
    return figures;
  }

  @Override
  public Testbed open(Plan plan, Part part, ExperimentRun run)
      throws IOException, InterruptedException {
    return ShuffleTestbed.start(plan, this, run);
  }

  /**
   * What is fetched at the same time, of a job that the handler was not asked for before, with
   * nothing of it in the page cache.
   */
  enum Scenario {
    ALL_FAST(
        "reducers on the fast disk alone, over and over; after the warm-up from the page cache"),

    /** The slow disk's outputs are so many that none is asked for twice. */
    MIXED("the same beside reducers that saturate the slow disk"),

    /** Its throughput is all bytes by the time from the first request to the last byte. */
    ALL_SLOW(
        "one whole pass over outputs on the slow disk: every segment fetched exactly once, cold");

    private final String words;

    Scenario(String words) {
      this.words = words;
    }

    static Scenario of(String label) {
      return Arrays.stream(values())
          .filter(one -> one.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "setting " + label + " is none of all-fast, mixed, all-slow"));
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether every segment is fetched exactly once, however long that takes. */
    boolean pass() {
      return this == ALL_SLOW;
    }

    boolean slow() {
      return this != ALL_FAST;
    }
  }
}
