// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.RunCommand;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.workload.TrialsOf.CountingWords;
import io.temptier.cli.CommandFailure;
import io.temptier.lab.node.WorkerNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SiteTest {
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
    CommandFailure full = assertThrows(CommandFailure.class, () -> check(large));
    assertTrue(message(full).contains("the [DISK] dirs have"), () -> message(full));
    Files.delete(fast);
    CommandFailure gone = assertThrows(CommandFailure.class, () -> check(small));
    assertTrue(message(gone).contains(fast + " is no folder"), () -> message(gone));
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

  private static String message(Exception refused) {
    return String.valueOf(refused.getMessage());
  }
}
