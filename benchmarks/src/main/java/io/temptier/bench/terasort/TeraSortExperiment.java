// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TwoQueues;
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
      List.of(NodeSetting.of("fits", 3, NodeSetting.FITS))),

  /** What happens when it does not. */
  E2(
      "The fast disk is a half and a quarter of the temporary data",
      Arm.ALL,
      List.of(NodeSetting.of("1/2", 3, 0.5), NodeSetting.of("1/4", 3, 0.25))),

  /** How many HDDs a node still needs. */
  E3(
      "Fewer HDDs",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          NodeSetting.of("4 HDDs", 4, NodeSetting.FITS),
          NodeSetting.of("2 HDDs", 2, NodeSetting.FITS),
          NodeSetting.of("1 HDD", 1, NodeSetting.FITS))),

  /** What more tasks at once do to the arms of the disks. */
  E4(
      "More threads per HDD",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          NodeSetting.of("1.67 per HDD", 3, NodeSetting.FITS),
          NodeSetting.of("3.33 per HDD", 3, NodeSetting.FITS).withTasks(10),
          // On three HDDs these would be 42 tasks: more JVMs than two cores start in a minute.
          NodeSetting.of("14 per HDD", 1, NodeSetting.FITS).withTasks(14))),

  /** What a giant job does to others. */
  E7(
      "Small jobs beside a giant one",
      List.of(Arm.STOCK_MIXED, Arm.TEMPTIER),
      List.of(NodeSetting.of("two queues", 3, 0.5).withTasks(TwoQueues.TASKS))),

  /** Whether a fast disk without room is worse than none. */
  E8(
      "The fast disk is almost full of somebody else's data",
      List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.TEMPTIER),
      List.of(NodeSetting.of("95 % full", 3, 1).withForeign(0.95)));

  /** Rows of a small job: 10 MB. */
  private static final long SMALL_ROWS = 100_000;

  private final String question;
  private final List<Arm> arms;
  private final List<NodeSetting> settings;

  TeraSortExperiment(String question, List<Arm> arms, List<NodeSetting> settings) {
    this.question = question;
    this.arms = arms;
    this.settings = settings;
  }

  /** The nodes that it is made on. */
  List<NodeSetting> settings() {
    return settings;
  }

  /**
   * What is measured for it.
   *
   * @param sort the sort that all have
   */
  Experiment experiment(TeraSort sort) {
    JobWorkload workload =
        this == E7 ? new SmallJobs(sort, TeraSort.of(SMALL_ROWS, sort.maxBlockBytes())) : sort;
    return new Experiment(label(), question, settings, arms, workload);
  }

  /**
   * The same with fewer nodes and arms, as many as its goals need, and with half as much data where
   * many tasks have one HDD.
   */
  Experiment quick(TeraSort sort) {
    boolean less = this == E4;
    Experiment whole = experiment(less ? TeraSort.of(sort.rows() / 2, sort.maxBlockBytes()) : sort);
    List<NodeSetting> all = settings;
    return switch (this) {
      case E1 -> whole.only(all, Arm.STOCK_HDD, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL);
      case E2 ->
          whole.only(
              all.subList(0, 1), Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.MERGERFS, Arm.TEMPTIER);
      case E3 ->
          whole.only(List.of(all.get(0), all.get(all.size() - 1)), Arm.STOCK_HDD, Arm.TEMPTIER);
      case E4 -> whole.only(all.subList(2, 3), Arm.STOCK_HDD, Arm.TEMPTIER);
      case E7 -> whole;
      case E8 -> whole.only(all, Arm.STOCK_HDD, Arm.TEMPTIER);
    };
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<TeraSortExperiment> of(String label) {
    return Stream.of(values()).filter(one -> one.label().equals(label)).findFirst();
  }
}
