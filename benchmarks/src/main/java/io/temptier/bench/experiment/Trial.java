// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.DiskTraffic;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One run of an arm, and what was seen of it.
 *
 * @param cpuSeconds work of all cores meanwhile, or of the tasks on a cluster of the user's
 * @param traffic of each disk meanwhile, as far as it was seen
 * @param load of the machine before it
 */
public record Trial(
    TrialId id,
    TrialOutcome outcome,
    boolean validated,
    double clientSeconds,
    double cpuSeconds,
    Map<String, DiskTraffic> traffic,
    String load,
    List<NodeSample> moments) {
  public Trial {
    traffic = new TreeMap<>(traffic);
    moments = List.copyOf(moments);
  }

  /**
   * One that is measured by its figures alone: no samplers, no jobs.
   *
   * @param state {@link TrialOutcome#FINE}, or why it does not count
   */
  public static Trial of(
      TrialId id, String state, double seconds, Map<String, Double> figures, String load) {
    boolean fine = state.equals(TrialOutcome.FINE);
    TrialOutcome outcome = new TrialOutcome(fine, state, seconds, 0, 0, Map.of(), figures);
    return new Trial(id, outcome, fine, seconds, 0, Map.of(), load, List.of());
  }

  /** This with what the jobs' node told of them, and what became of their output. */
  public Trial with(TrialOutcome judged, boolean right) {
    return new Trial(id, judged, right, clientSeconds, cpuSeconds, traffic, load, moments);
  }

  /** A figure by its name; no number where it was not measured. */
  public double figure(String name) {
    return name.equals(Figure.SECONDS.name())
        ? seconds()
        : outcome.figures().getOrDefault(name, Double.NaN);
  }

  /** How it ended: of jobs, as the JobHistoryServer says. */
  public String state() {
    return outcome.state();
  }

  public double seconds() {
    return outcome.seconds();
  }

  public int failedTasks() {
    return outcome.failedTasks();
  }

  public boolean counts() {
    return outcome.succeeded() && validated;
  }

  public double cpuPerReal() {
    return clientSeconds == 0 ? 0 : cpuSeconds / clientSeconds;
  }

  /** What was read from the node's HDDs and written to them. */
  public long hddBytes() {
    return traffic.entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToLong(disk -> disk.getValue().bytes())
        .sum();
  }

  public long peakTempBytes() {
    return moments.stream().mapToLong(moment -> moment.tempBytes().all()).max().orElse(0);
  }

  public long peakFastBytes() {
    return moments.stream().mapToLong(moment -> moment.tempBytes().fast()).max().orElse(0);
  }

  /**
   * Which trial.
   *
   * @param round counted from 1
   */
  public record TrialId(String setting, int round, Arm arm) {
    String file() {
      return setting.replaceAll("[^0-9A-Za-z]", "-") + "-" + round + "-" + arm.label() + ".json";
    }

    @Override
    public String toString() {
      return setting + ", round " + round + ", " + arm.label();
    }
  }
}
