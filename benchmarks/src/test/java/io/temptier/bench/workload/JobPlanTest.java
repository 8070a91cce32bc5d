// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.RunCommand;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.workload.NodeSampler.CpuTimes;
import io.temptier.bench.workload.TrialsOf.CountingWords;
import io.temptier.cli.CommandFailure;
import io.temptier.fixtures.Texts;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.DiskTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
  void everyRoundBeginsWithAnotherArm() {
    Arm stock = TrialsOf.STOCK_HDD;
    Arm tiered = TrialsOf.TEMPTIER;
    List<Setting> settings = TrialsOf.SCARCE.settings();
    Plan two = TrialsOf.plan(TrialsOf.SCARCE.only(settings, List.of(stock, tiered)), 3);
    List<Arm> order = two.parts().get(0).trials(3).stream().map(TrialId::arm).toList();
    assertEquals(List.of(stock, tiered, tiered, stock, stock, tiered), order);
    assertEquals(12, two.trials());
  }

  @Test
  void countsWhatWorkIs() throws IOException {
    CpuTimes before = CpuTimes.parse("cpu  100 10 50 1000 20 5 5 0 0 0");
    CpuTimes after = CpuTimes.parse("cpu  200 20 90 1200 70 10 10 0 0 0");
    CpuTimes done = after.since(before);
    assertEquals(new CpuTimes(110, 50, 200, 50), done);
    assertEquals(1.6, done.workSeconds(), 1e-9);
    assertEquals(160.0 / 410, done.workShare(), 1e-9);
    assertEquals(50.0 / 410, done.ioWaitShare(), 1e-9);
    assertEquals(0, done.since(done).workShare());
  }

  private static DiskTraffic moved(long read, long written) {
    return new DiskTraffic(1, read, 1, written, 1);
  }

  @Test
  void theBusiestIsHeldAgainstTheMean() {
    Map<String, DiskTraffic> traffic =
        Map.of("nvme0", moved(900, 900), "hdd0", moved(10, 20), "hdd1", moved(60, 0));
    assertEquals(Map.of("busiestHdd", 60 / 45.0), NodeTestbed.busiestHdd(traffic));
    assertEquals(
        Map.of(), NodeTestbed.busiestHdd(Map.of("hdd0", moved(1, 1))), "nothing to compare");
    assertEquals(
        Map.of(), NodeTestbed.busiestHdd(Map.of("hdd0", moved(0, 0), "hdd1", moved(0, 0))));
  }

  @Test
  void theGoalIsTempTiersMedian() {
    Plan plan = TrialsOf.plan("e2", 1);
    List<Trial> trials =
        List.of(
            TrialsOf.trial("1/2", 1, TrialsOf.STOCK_MIXED, 9, Map.of("busiestHdd", 1.6)),
            TrialsOf.trial("1/2", 1, TrialsOf.TEMPTIER, 9, Map.of("busiestHdd", 1.1)));
    TrialsOf.expectGoals(plan, trials, "e2-hdd-balance 1.100 true");
    TrialsOf.expectGoals(plan, List.of(), "e2-hdd-balance -");
    assertTrue(plan.workload().figures(plan).contains(NodeTestbed.BUSIEST_HDD));
  }

  @TempDir private Path dir;

  private Plan plan(Experiment experiment, long words, String... args) {
    RunCommand command = new RunCommand();
    new CommandLine(command)
        .parseArgs(Stream.concat(Stream.of("it"), Stream.of(args)).toArray(String[]::new));
    return command.plan(experiment.with(new CountingWords(words)));
  }

  @Test
  void tagsSayWhichAreFast() {
    Plan plan = plan(TrialsOf.FITS, 1000, "--dirs=[NVME]/n0/b,[SSD]/s0/b,[DISK]/h0/b,[DISK]/h1/b");
    assertEquals(List.of("/n0/b", "/s0/b"), plan.site().fast());
    assertEquals(List.of("/h0/b", "/h1/b"), plan.site().slow());
    Setting only = plan.experiment().settings().get(0);
    assertEquals(2, only.hdds());
    assertTrue(
        new JobPlan(plan).place(only).contains("/h0/b, /h1/b"), new JobPlan(plan).place(only));
  }

  @Test
  void anArmThatNeedsAnotherDiskIsSkippedWithALine() throws IOException {
    Plan plan = plan(TrialsOf.FITS, 1000, "--dirs=[NVME]/n0,[DISK]/h0");
    assertFalse(plan.experiment().arms().contains(TrialsOf.IDEAL));
    assertTrue(
        plan.skipped().stream().anyMatch(line -> line.startsWith("ideal: ")),
        plan.skipped()::toString);
    assertFalse(new JobPlan(plan).needsIdeal(plan.experiment().settings().get(0)));
    assertEquals(Optional.empty(), plan.workload().hindrance(plan), "needs root");
  }

  @Test
  void whereEveryArmHasTempTierItsCapStandsForASmallFastDisk() throws IOException {
    Experiment tiered =
        TrialsOf.SCARCE.only(TrialsOf.SCARCE.settings().subList(0, 1), List.of(TrialsOf.TEMPTIER));
    Plan plan = plan(tiered, 1000, "--dirs=[NVME]/n0,[DISK]/h0");
    Setting half = plan.experiment().settings().get(0);
    try (WorkerNode node = WorkerNode.own(List.of(dir, dir), List.of(dir))) {
      TrialNode on =
          new TrialNode(new JobPlan(plan), half, node, node.fastDisks().get(0), node.disks(), dir);
      assertEquals("[NVME:" + new JobPlan(plan).fastBytes(half) / 2 + "]", on.tag(Arm.Kind.FAST));
      assertEquals("[DISK]", on.tag(Arm.Kind.HDD));
    }
  }

  private static void check(Plan plan) throws IOException {
    JobWorkload workload = new JobPlan(plan).workload();
    plan.site().check(workload.volume().hdfs(), workload.volume().temp());
  }

  @Test
  void missingDirsAndTooLittleRoomAreSaidBeforehand() throws IOException {
    Path fast = Files.createDirectory(dir.resolve("fast"));
    Path slow = Files.createDirectory(dir.resolve("slow"));
    String both = "--dirs=[NVME]" + fast + ",[DISK]" + slow;
    Plan small = plan(TrialsOf.FITS, 10, both);
    check(small);
    Plan large = plan(TrialsOf.FITS, 1L << 30, both);
    Texts.thrown(CommandFailure.class, () -> check(large), "the [DISK] dirs have");
    Files.delete(fast);
    Texts.thrown(CommandFailure.class, () -> check(small), fast + " is no folder");
  }

  @Test
  void aClustersNodesStayAsTheyAre() throws IOException {
    Plan plan = plan(TrialsOf.FITS, 1000, "--conf-dir=" + dir);
    assertEquals(List.of(TrialsOf.STOCK_MIXED, TrialsOf.TEMPTIER), plan.experiment().arms());
    assertEquals(dir.toString(), plan.site().confDir());
    assertEquals(Optional.empty(), plan.workload().hindrance(plan), "needs root");
    assertTrue(
        new JobPlan(plan).place(plan.experiment().settings().get(0)).contains(dir.toString()),
        plan.site()::toString);
  }
}
