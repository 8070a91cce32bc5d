// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.node.NodeProfile;
import java.util.List;

/**
 * A question, and the work, the nodes and the arms that answer it.
 *
 * @param command the benchmark that measures it, such as {@code terasort}
 * @param label its name on the command line and for programs, such as {@code e1}
 * @param arms those it has unless others are asked for
 */
public record Experiment(
    String command,
    String label,
    String question,
    List<NodeSetting> settings,
    List<Arm> arms,
    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) JobWorkload workload) {
  public Experiment {
    settings = List.copyOf(settings);
    arms = List.copyOf(arms);
  }

  public Experiment only(List<NodeSetting> fewerSettings, List<Arm> fewerArms) {
    return new Experiment(command, label, question, fewerSettings, fewerArms, workload);
  }

  /** Whether every arm has TempTier, whose own cap can then bound a fast disk that is too large. */
  boolean allTiered() {
    return arms.stream().allMatch(Arm::tiered);
  }

  /**
   * This experiment on a published node: with as many tasks at once and as many HDDs, except for
   * what differs between its settings, which is what it asks about.
   */
  public Experiment on(NodeProfile profile) {
    boolean asksForHdds = settings.stream().mapToInt(NodeSetting::hdds).distinct().count() > 1;
    boolean asksForTasks = settings.stream().mapToInt(NodeSetting::tasks).distinct().count() > 1;
    List<NodeSetting> own =
        settings.stream()
            .map(one -> asksForHdds ? one : one.withHdds(profile.hdds()))
            .map(one -> asksForTasks ? one : one.withTasks(profile.tasks()))
            .toList();
    return only(own, arms);
  }
}
