// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Experiment.Bounds;
import io.temptier.bench.workload.TeraSort;
import io.temptier.bench.workload.TrialsOf;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of experiments are right, and a wrong one is refused with what is wrong. */
final class ExperimentsTest {
  private static final String GOOD =
      """
      {
        "question": "Is it?",
        "workload": {"class": "io.temptier.bench.workload.TeraSort", "rows": 5, "block": "1m", "reduces": 2},
        "settings": [{"name": "fits", "hdds": 3}, {"name": "half", "hdds": 3, "fastShare": 0.5}],
        "arms": ["stock-hdd", "temptier"],
        "quick": {"workload": {"rows": 2}, "settings": ["fits"], "arms": ["temptier"]},
        "goals": [{"id": "g", "goal": "g", "measure": "ratio", "setting": "half", "than": "stock-hdd", "atMost": 1}]
      }
      """;

  private static List<String> names() {
    return Experiments.names();
  }

  @Test
  void everyFileIsListed() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("experiments"))) {
      assertEquals(
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(file -> file.endsWith(".json") && !file.equals("arms.json"))
              .map(file -> file.replace(".json", ""))
              .sorted()
              .toList(),
          names().stream().sorted().toList());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyFileIsRead(String name) {
    for (boolean quick : new boolean[] {false, true}) {
      Experiment experiment = Experiments.named(name, quick);
      assertEquals(name, experiment.label());
      assertFalse(experiment.goals().isEmpty());
      assertTrue(TrialsOf.plan(experiment, 2).trials() > 0);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aQuickRunHasLess(String name) {
    Plan whole = TrialsOf.plan(Experiments.named(name, false), 1);
    Plan quick = TrialsOf.plan(Experiments.named(name, true), 1);
    assertTrue(quick.trials() < whole.trials() || !quick.workload().equals(whole.workload()), name);
  }

  @Test
  void sizesMayHaveUnitsAndAQuickRunTakesWhatTheFileHasForIt() {
    Experiment whole = Experiments.of("mine", GOOD, false, Map.of("block", "2m", "slowIops", "80"));
    assertEquals(80, whole.bounds().slowIops());
    assertEquals(Bounds.USUAL.memory(), whole.bounds().memory());
    assertEquals(new TeraSort(5, 2 << 20, 2), whole.workload());
    assertEquals(2, whole.settings().size());
    assertEquals(Setting.FITS, whole.setting("fits").fastShare());
    Experiment quick = Experiments.of("mine", GOOD, true, Map.of());
    assertEquals(new TeraSort(2, 1 << 20, 2), quick.workload());
    assertEquals(List.of("fits"), quick.settings().stream().map(Setting::name).toList());
    assertEquals(List.of(TrialsOf.TEMPTIER), quick.arms());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"1m\" | \"much\" | workload.block=much is no number",
        "\"rows\": 5 | \"row\": 5 | workload.row is no property here, but [",
        "TeraSort | TeraSprt | class=io.temptier.bench.workload.TeraSprt is no workload",
        "\"reduces\": 2 | \"block\": 2 | workload.reduces is missing",
        "\"name\": \"half\", | '' | settings[1].name is missing",
        "\"measure\": \"ratio\", | '' | goals[0].measure is missing",
        "0.5 | 0.5, \"tasks\": -1 | settings[1]: tasks=-1",
        "\"ratio\" | \"rate\" | goals[0].measure=rate is none of RATIO, ROUNDS",
        "\"stock-hdd\", \"temptier\" | \"stock-hd\" | arms=stock-hd is none of stock-hdd",
        "\"half\", \"than\" | \"third\", \"than\" | setting of goal g=third is none of fits, half",
        "\"than\": \"stock-hdd\" | \"than\": \"ideal\" | than of goal g=ideal is none of",
        "\"settings\": [\"fits\"] | \"settings\": [\"fast\"] | quick.settings=fast is none of fits",
        "\"arms\": [\"temptier\"] | \"arms\": [\"x\"] | quick.arms=x is none of stock-hdd",
        "\"quick\": | \"bounds\": {\"slowIop\": 4}, \"quick\": | bounds.slowIop is no property",
        "\"quick\": | \"bounds\": {\"memory\": 0}, \"quick\": | bounds: each must be at least 1",
        "\"question\" | \"answer\" | question, workload, settings or arms is missing",
        "\"workload\": {\"class\" | \"workload\" {\"class\" | is no JSON in line 3"
      })
  void aWrongFileIsRefusedWithWhatIsWrong(String right, String wrong, String told) {
    String file = GOOD.replace(right, wrong);
    assertNotEquals(GOOD, file, "nothing is wrong in it");
    String message =
        Texts.thrown(
            IllegalArgumentException.class,
            () -> Experiments.of("mine", file, true, Map.of()),
            told);
    assertTrue(message.endsWith("compare it with e1.json"), message);
  }
}
