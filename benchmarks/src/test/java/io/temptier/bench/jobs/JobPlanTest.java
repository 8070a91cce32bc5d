// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialId;
import io.temptier.lab.node.NodeSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobPlanTest {
  private final JobPlan fits = new JobPlan(TrialsOf.plan(TrialsOf.FITS, 3));
  private final Setting setting = TrialsOf.FITS.settings().get(0);

  private Setting with(int tasks, double foreignShare) {
    return new Setting("fits", 3, Setting.FITS, tasks, foreignShare, false, List.of());
  }

  @Test
  void disksHoldWhatIsPutOnThem() {
    JobWorkload work = fits.workload();
    for (int hdds = 1; hdds < 5; hdds++) {
      NodeSpec node = fits.node(TrialsOf.node("some", hdds, Setting.FITS));
      assertTrue(
          node.hdds() * node.hddBytes() > work.volume().hdfs() + work.volume().temp(), "" + hdds);
      assertTrue(node.fastBytes() > work.volume().temp() / 0.85, "" + hdds);
    }
  }

  @Test
  void whereTheFastDiskIsScarceTheIdealHasItsOwn() {
    JobPlan scarce = new JobPlan(TrialsOf.plan(TrialsOf.SCARCE, 1));
    Setting half = TrialsOf.SCARCE.settings().get(0);
    assertTrue(scarce.needsIdeal(half));
    assertTrue(
        scarce.node(half).fastBytes() < scarce.workload().volume().temp() * 0.5 + (65 << 20));
    assertEquals(scarce.node(half).imageBytes() + scarce.idealBytes(), scarce.imageBytes(half));
    assertFalse(fits.needsIdeal(setting));
    assertTrue(fits.needsIdeal(with(Setting.TASKS, 0.9)));
  }

  @Test
  void moreTasksBringMemory() {
    long usual = fits.node(setting).memoryBytes();
    assertEquals(4L << 30, usual);
    assertEquals(usual + ((5L * 256) << 20), fits.node(with(10, 0)).memoryBytes());
    assertEquals(usual, fits.node(with(2, 0)).memoryBytes());
  }

  @Test
  void everyRoundBeginsWithAnotherArm() {
    Plan two =
        TrialsOf.plan(
            TrialsOf.SCARCE.only(
                TrialsOf.SCARCE.settings(), List.of(TrialsOf.STOCK_HDD, TrialsOf.TEMPTIER)),
            3);
    List<Arm> order = two.parts().get(0).trials(3).stream().map(TrialId::arm).toList();
    assertEquals(
        List.of(
            TrialsOf.STOCK_HDD,
            TrialsOf.TEMPTIER,
            TrialsOf.TEMPTIER,
            TrialsOf.STOCK_HDD,
            TrialsOf.STOCK_HDD,
            TrialsOf.TEMPTIER),
        order);
    assertEquals(12, two.trials());
  }
}
