// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One of the ways that an experiment compares, as its file has it.
 *
 * @param label its name on the command line, in texts and for programs
 * @param colour on pages
 * @param disks that its temporary data goes to, in the order of stock's list
 * @param merged whether one FUSE mount over these disks is its only local dir
 * @param tiered whether TempTier is on
 * @param asUser whether tasks run as another account than the NodeManager, by a container executor
 * @param properties that it is set up with; of an arm of jobs TempTier's, in the NodeManager and in
 *     the jobs
 */
public record Arm(
    String label,
    String explanation,
    String colour,
    List<Kind> disks,
    boolean merged,
    boolean tiered,
    boolean asUser,
    Map<String, String> properties) {
  public enum Kind {
    FAST,
    IDEAL,
    /** The slow ones, which HDFS lies on, too. */
    HDD
  }

  public Arm {
    Objects.requireNonNull(label, "label");
    explanation = explanation == null ? label : explanation;
    colour = colour == null ? "#8a94a3" : colour;
    disks = disks == null ? List.of() : List.copyOf(disks);
    properties = properties == null ? Map.of() : Map.copyOf(properties);
  }

  public Arm with(Map<String, String> others) {
    return new Arm(label, explanation, colour, disks, merged, tiered, asUser, others);
  }

  public boolean ideal() {
    return disks.contains(Kind.IDEAL);
  }
}
