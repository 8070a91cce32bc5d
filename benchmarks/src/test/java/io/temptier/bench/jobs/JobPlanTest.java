// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialId;
import io.temptier.lab.node.NodeSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobPlanTest {
  @TempDir private Path dir;

  private final JobPlan fits = TrialsOf.plan(TrialsOf.FITS, 3);
  private final NodeSetting setting = TrialsOf.FITS.settings().get(0);

  @Test
  void disksHoldWhatIsPutOnThem() {
    JobWorkload work = fits.workload();
    for (int hdds = 1; hdds < 5; hdds++) {
      NodeSpec node = fits.node(NodeSetting.of("some", hdds, NodeSetting.FITS));
      assertTrue(node.hdds() * node.hddBytes() > work.hdfsBytes() + work.tempBytes(), "" + hdds);
      assertTrue(node.fastBytes() > work.tempBytes() / 0.85, "" + hdds);
    }
  }

  @Test
  void whereTheFastDiskIsScarceTheIdealHasItsOwn() {
    JobPlan scarce = TrialsOf.plan(TrialsOf.SCARCE, 1);
    NodeSetting half = TrialsOf.SCARCE.settings().get(0);
    assertTrue(scarce.needsIdeal(half));
    assertTrue(scarce.node(half).fastBytes() < scarce.workload().tempBytes() * 0.5 + (65 << 20));
    assertEquals(scarce.node(half).imageBytes() + scarce.idealBytes(), scarce.imageBytes(half));
    assertFalse(fits.needsIdeal(setting));
    assertTrue(fits.needsIdeal(setting.withForeign(0.9)));
  }

  @Test
  void moreTasksBringMemory() {
    long usual = fits.node(setting).memoryBytes();
    assertEquals(4L << 30, usual);
    assertEquals(usual + ((5L * 256) << 20), fits.node(setting.withTasks(10)).memoryBytes());
    assertEquals(usual, fits.node(setting.withTasks(2)).memoryBytes());
  }

  @Test
  void othersFilesAreTold() {
    NodeSetting full = setting.withForeign(0.75);
    assertTrue(fits.place(full).contains("others' files on 75 %"), fits.place(full));
    assertFalse(fits.place(setting).contains("others' files"));
  }

  @Test
  void everyRoundBeginsWithAnotherArm() {
    JobPlan two =
        TrialsOf.plan(
            new Experiment(
                "counting",
                "two",
                "",
                TrialsOf.SCARCE.settings(),
                List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
                new CountingWords(1)),
            3);
    List<Arm> order = two.parts().get(0).trials(3).stream().map(TrialId::arm).toList();
    assertEquals(
        List.of(
            Arm.STOCK_HDD, Arm.TEMPTIER, Arm.TEMPTIER, Arm.STOCK_HDD, Arm.STOCK_HDD, Arm.TEMPTIER),
        order);
    assertEquals(12, two.trials());
  }

  @Test
  void aBaselineIsContinuedByItsOwnPlanOnly() throws IOException {
    JobPlan plan = TrialsOf.plan(TrialsOf.SCARCE, 2);
    JobPlan baseline = plan.baseline();
    assertEquals(List.of(Arm.STOCK_HDD), baseline.arms());
    assertEquals(1, baseline.trials());
    Trial trial = TrialsOf.trial("1/2", 1, Arm.STOCK_HDD, 90);
    ResultFolder.createOrOpen(dir, baseline).add(trial);
    assertEquals(List.of(trial), ResultFolder.createOrOpen(dir, baseline).trials());
    JobPlan other = baseline.withIops(41);
    assertThrows(IOException.class, () -> ResultFolder.createOrOpen(dir, other));
  }
}
