// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.util.List;
import java.util.Map;

/**
 * One of the ways that an experiment compares, as data.
 *
 * @param label its name on the command line, in texts and for programs
 * @param disks that its temporary data goes to, in the order of stock's list
 * @param merged whether one FUSE mount over these disks is its only local dir
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
    Map<String, String> properties) {

  public enum Kind {
    FAST,
    IDEAL,

    /** The slow ones, which HDFS lies on, too. */
    HDD
  }

  /** Local dirs on the slow disks only, as on a worker without a fast disk. */
  public static final Arm STOCK_HDD = stock("stock-hdd", "HDDs only", "#d98032", Kind.HDD);

  /** The fast disk is one more in the list, as a user would do without TempTier. */
  public static final Arm STOCK_MIXED =
      stock("stock-mixed", "NVMe added to the list", "#c0504d", Kind.FAST, Kind.HDD);

  /** The fast disk only: fails when it is full. */
  public static final Arm STOCK_NVME_ONLY =
      stock("stock-nvme-only", "NVMe only", "#5b7fb8", Kind.FAST);

  /** All disks below one FUSE mount. */
  public static final Arm MERGERFS =
      new Arm(
          "mergerfs",
          "mergerfs over NVMe and HDDs",
          "#8a94a3",
          STOCK_MIXED.disks,
          true,
          false,
          Map.of());

  /** TempTier over the same dirs as {@link #STOCK_MIXED}. */
  public static final Arm TEMPTIER = tiered("temptier", "TempTier", "#0e9aa7", Map.of());

  /** A fast disk that everything fits on: the limit. */
  public static final Arm IDEAL = stock("ideal", "a fast disk without end", "#5aa469", Kind.IDEAL);

  /** All but the merged one, whose question is what it does when its first disk is full. */
  public static final List<Arm> USUAL =
      List.of(STOCK_HDD, STOCK_MIXED, STOCK_NVME_ONLY, TEMPTIER, IDEAL);

  public static final List<Arm> ALL =
      List.of(STOCK_HDD, STOCK_MIXED, STOCK_NVME_ONLY, MERGERFS, TEMPTIER, IDEAL);

  public Arm {
    disks = List.copyOf(disks);
    properties = Map.copyOf(properties);
  }

  private static Arm stock(String label, String explanation, String colour, Kind... disks) {
    return new Arm(label, explanation, colour, List.of(disks), false, false, Map.of());
  }

  /** TempTier over all disks, with such properties of its own. */
  public static Arm tiered(
      String label, String explanation, String colour, Map<String, String> properties) {
    return new Arm(label, explanation, colour, STOCK_MIXED.disks, false, true, properties);
  }

  public static Arm of(
      String label, String explanation, String colour, Map<String, String> properties) {
    return new Arm(label, explanation, colour, List.of(), false, false, properties);
  }

  public Arm coloured(String other) {
    return new Arm(label, explanation, other, disks, merged, tiered, properties);
  }

  public boolean ideal() {
    return disks.contains(Kind.IDEAL);
  }
}
