// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

/**
 * A node of a published measurement, by what decides how much its HDDs have to do: the tasks that
 * each of them serves, and, once its HDDs are calibrated, how busy the cores are without a fast
 * disk.
 */
public enum NodeProfile {
  /** 40 threads on 12 HDDs. */
  TWITTER_LIKE("twitter-like", 3, 10, 0.725),

  /** 112 threads on 8 HDDs. */
  INTEL_LAB_LIKE("intel-lab-like", 1, 14, 0.483);

  /** The share of the cores that was at work with temporary data on HDDs, as published. */
  public static final double BASELINE_CPU = 0.40;

  private final String label;
  private final int hdds;
  private final int tasks;
  private final double gridmixRatio;

  NodeProfile(String label, int hdds, int tasks, double gridmixRatio) {
    this.label = label;
    this.hdds = hdds;
    this.tasks = tasks;
    this.gridmixRatio = gridmixRatio;
  }

  /** Its name on the command line, in texts and for programs. */
  public String label() {
    return label;
  }

  public int hdds() {
    return hdds;
  }

  /** How many map and reduce tasks it runs at once. */
  public int tasks() {
    return tasks;
  }

  /** The published time of Gridmix with temporary data on a fast disk, by that with HDDs alone. */
  public double gridmixRatio() {
    return gridmixRatio;
  }

  @Override
  public String toString() {
    return label;
  }
}
