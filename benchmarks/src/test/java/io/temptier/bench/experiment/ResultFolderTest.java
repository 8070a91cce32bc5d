// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.TrialsOf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFolderTest {
  @TempDir private Path dir;

  private final Plan plan = TrialsOf.plan(TrialsOf.SCARCE, 2);

  @Test
  void aRunIsTakenUpWhereItWasLeft() throws IOException {
    ResultFolder folder = ResultFolder.create(dir, plan, Map.of("command", "x"));
    Trial second = TrialsOf.trial("1/2", 2, TrialsOf.TEMPTIER, 90);
    Trial first = TrialsOf.trial("1/2", 1, TrialsOf.IDEAL, 80);
    folder.add(second);
    folder.add(first);
    ResultFolder again = ResultFolder.open(dir, "scarce");
    assertEquals(plan, again.plan());
    assertEquals(Map.of("command", "x"), again.facts());
    assertEquals(List.of(first, second), again.trials());
    assertEquals(second, again.trial(second.id()).orElseThrow());
    assertTrue(again.trial(new TrialId("1/4", 2, TrialsOf.TEMPTIER)).isEmpty());
  }

  @Test
  void aFolderHoldsOneRun() throws IOException {
    ResultFolder.create(dir, plan, Map.of());
    IOException refused =
        assertThrows(IOException.class, () -> ResultFolder.create(dir, plan, Map.of()));
    assertTrue(String.valueOf(refused.getMessage()).contains("--resume " + dir));
    assertThrows(IOException.class, () -> ResultFolder.open(dir.resolve("other")));
  }

  @Test
  void anotherExperimentsRunIsRefused() throws IOException {
    ResultFolder.create(dir, plan, Map.of());
    IOException refused = assertThrows(IOException.class, () -> ResultFolder.open(dir, "words"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains(" holds a run of scarce, not of words"),
        refused.getMessage());
  }

  @Test
  void aFactIsNotedOnce() throws IOException {
    ResultFolder folder = ResultFolder.create(dir, plan, Map.of("command", "x"));
    folder.addFact("an HDD", "slow");
    folder.addFact("an HDD", "slower");
    assertEquals(
        Map.of("command", "x", "an HDD", "slow"), ResultFolder.open(dir, "scarce").facts());
  }
}
