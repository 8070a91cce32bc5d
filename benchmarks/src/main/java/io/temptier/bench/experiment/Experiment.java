// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.util.List;

/**
 * A question, and what answers it, as its file has it.
 *
 * @param label its name on the command line and for programs, such as {@code e1}
 * @param rounds how often each arm is run; 3 unless it is said
 * @param allCount whether the command fails when a trial does not count
 */
public record Experiment(
    String label,
    String question,
    Workload workload,
    List<Setting> settings,
    List<Arm> arms,
    Bounds bounds,
    int rounds,
    boolean allCount,
    List<GoalSpec> goals) {
  private static final int ROUNDS = 3;

  public Experiment {
    settings = List.copyOf(settings);
    arms = List.copyOf(arms);
    rounds = rounds == 0 ? ROUNDS : rounds;
    goals = goals == null ? List.of() : List.copyOf(goals);
  }

  public Experiment only(List<Setting> fewerSettings, List<Arm> fewerArms) {
    return new Experiment(
        label, question, workload, fewerSettings, fewerArms, bounds, rounds, allCount, goals);
  }

  public Experiment with(Workload other) {
    return new Experiment(label, question, other, settings, arms, bounds, rounds, allCount, goals);
  }

  public Experiment times(int otherRounds) {
    return new Experiment(
        label, question, workload, settings, arms, bounds, otherRounds, allCount, goals);
  }

  public Setting setting(String name) {
    return settings.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no setting " + name));
  }

  public List<Arm> arms(Setting setting) {
    return arms.stream()
        .filter(arm -> setting.arms().isEmpty() || setting.arms().contains(arm.label()))
        .toList();
  }

  /**
   * What bounds a trial.
   *
   * @param slowMbps of an emulated slow disk, in MB/s
   * @param slowIops of an emulated slow disk, in requests per second
   * @param readAhead the kernel's readahead on each HDD, in bytes
   * @param memory bytes that a node of {@link Setting#TASKS} tasks may use, page cache included
   * @param deadlineSeconds after which a job is killed and counts as failed
   */
  public record Bounds(
      int slowMbps, int slowIops, long readAhead, long memory, long deadlineSeconds) {
    static final Bounds USUAL = new Bounds(30, 40, 1L << 20, 4L << 30, 1200);

    public Bounds {
      if (slowMbps < 1 || slowIops < 1 || readAhead < 1 || memory < 1 || deadlineSeconds < 1) {
        throw new IllegalArgumentException("each must be at least 1");
      }
    }
  }
}
