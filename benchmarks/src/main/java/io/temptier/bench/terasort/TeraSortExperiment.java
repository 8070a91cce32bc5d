// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TwoQueues;
import io.temptier.bench.experiment.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A question that TeraSort answers. */
enum TeraSortExperiment {
  /** The published figure: temporary data on one fast disk against HDDs. */
  E1(
      "Temporary data fits the fast disk",
      // What mergerfs does when its first disk is full is the question of the second.
      List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL),
      List.of(Setting.of("fits", 3, Setting.FITS))),

  /** What happens when it does not. */
  E2(
      "The fast disk is a half and a quarter of the temporary data",
      Arm.ALL,
      List.of(Setting.of("1/2", 3, 0.5), Setting.of("1/4", 3, 0.25))),

  /** How many HDDs a node still needs. */
  E3(
      "Fewer HDDs",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          Setting.of("4 HDDs", 4, Setting.FITS),
          Setting.of("2 HDDs", 2, Setting.FITS),
          Setting.of("1 HDD", 1, Setting.FITS))),

  /** What more tasks at once do to the arms of the disks. */
  E4(
      "More threads per HDD",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          Setting.of("1.67 per HDD", 3, Setting.FITS),
          Setting.of("3.33 per HDD", 3, Setting.FITS).withTasks(10),
          // On three HDDs these would be 42 tasks: more JVMs than two cores start in a minute.
          Setting.of("14 per HDD", 1, Setting.FITS).withTasks(14))),

  /** What a giant job does to others. */
  E7(
      "Small jobs beside a giant one",
      List.of(Arm.STOCK_MIXED, Arm.TEMPTIER),
      List.of(Setting.of("two queues", 3, 0.5).withTasks(TwoQueues.TASKS))),

  /** Whether a fast disk without room is worse than none. */
  E8(
      "The fast disk is almost full of somebody else's data",
      List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.TEMPTIER),
      List.of(Setting.of("95 % full", 3, 1).withForeign(0.95)));

  /** Rows of a small job: 10 MB. */
  private static final long SMALL_ROWS = 100_000;

  private final Experiment experiment;

  TeraSortExperiment(String question, List<Arm> arms, List<Setting> settings) {
    this.experiment = new Experiment(name().toLowerCase(Locale.ROOT), question, settings, arms);
  }

  /** What is measured for it. */
  Experiment experiment() {
    return experiment;
  }

  /** The same with fewer nodes and arms, as many as its goals need. */
  Experiment quick() {
    List<Setting> all = experiment.settings();
    return switch (this) {
      case E1 -> experiment.only(all, Arm.STOCK_HDD, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL);
      case E2 ->
          experiment.only(
              all.subList(0, 1), Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.MERGERFS, Arm.TEMPTIER);
      case E3 ->
          experiment.only(
              List.of(all.get(0), all.get(all.size() - 1)), Arm.STOCK_HDD, Arm.TEMPTIER);
      case E4 -> experiment.only(all.subList(2, 3), Arm.STOCK_HDD, Arm.TEMPTIER);
      case E7 -> experiment;
      case E8 -> experiment.only(all, Arm.STOCK_HDD, Arm.TEMPTIER);
    };
  }

  /** What {@link #quick} sorts: half as much where many tasks have one HDD. */
  TeraSort quickSort(TeraSort sort) {
    return this == E4 ? TeraSort.of(sort.rows() / 2, sort.maxBlockBytes()) : sort;
  }

  /**
   * The work that is measured for it.
   *
   * @param sort the sort that all have
   */
  Workload workload(TeraSort sort) {
    return this == E7 ? new SmallJobs(sort, TeraSort.of(SMALL_ROWS, sort.maxBlockBytes())) : sort;
  }

  /** The one of that label. */
  static Optional<TeraSortExperiment> of(String label) {
    return Stream.of(values()).filter(one -> one.experiment.label().equals(label)).findFirst();
  }
}
