// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.NeedsRoot;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.Medium;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.settings.DemotionSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where nothing is demoted, and why. */
class DemoterOffTest extends RunningDemoter {
  @Test
  void doesNothingWhereItIsSwitchedOffButClean() throws Exception {
    node.write(fast, 0, 9 * MB);
    Demoter running = start(DemotionSettings.of(false, SETTINGS.marks(), 1));
    awaitRounds(running);
    assertTrue(node.holds(fast, TestNode.id(0)));
    assertEquals("temptier.demotion.enabled is false", running.offReason().orElseThrow());
    assertEquals(1, running.get(DemotionCounter.DEMOTION_OFF));
  }

  @Test
  void isOffWithOneTier() throws Exception {
    node = new TestNode(temp);
    fast = disk(Medium.NVME, "nvme", 10 * MB);
    node.write(fast, 0, 9 * MB);
    Demoter running = start();
    awaitRounds(running);
    assertTrue(
        running.offReason().orElseThrow().contains("one tier"), running.offReason()::toString);
    assertEquals(0, running.get(DemotionCounter.DEMOTION_FAILURES));
  }

  @Test
  void isOffWhileNobodyKnowsWhatRuns() throws Exception {
    node.write(fast, 0, 9 * MB);
    node.applicationsKnown = false;
    Demoter running = start();
    Eventually.holds("it is off", () -> running.offReason().isPresent());
    assertTrue(node.holds(fast, TestNode.id(0)));
    node.applicationsKnown = true;
    awaitCount(running, DemotionCounter.FILES_DEMOTED, 1);
    assertEquals(0, running.get(DemotionCounter.DEMOTION_OFF));
    assertTrue(running.offReason().isEmpty());
  }

  @Test
  @NeedsRoot
  void isOffForGoodWhereOutputsBelongToOthers() throws Exception {
    MapOutputId id = node.write(fast, 0, 9 * MB);
    Path folder = fast.path().resolve(id.relativePath());
    Files.setAttribute(folder, "unix:uid", 12345);
    Demoter running = start();
    Eventually.holds("it is off", () -> running.offReason().isPresent());
    assertTrue(
        running.offReason().orElseThrow().contains("LinuxContainerExecutor"),
        running.offReason()::toString);
    Files.setAttribute(folder, "unix:uid", FileStamp.of(temp).uid());
    awaitRounds(running);
    assertTrue(node.holds(fast, id), "an owner does not change");
    assertEquals(1, running.get(DemotionCounter.DEMOTION_OFF));
  }
}
