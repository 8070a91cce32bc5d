// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.s3a.client.Work;
import io.temptier.bench.workload.TrialsOf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class S3aClientsTest {
  private static final Plan PLAN =
      plan(Work.FOOTERS, Work.QUERIES, Work.GATEWAYS, Work.UPLOAD, Work.TERAGEN);

  private final List<Trial> trials = new ArrayList<>();

  private static Plan plan(Work... patterns) {
    Experiment all =
        Experiments.of("s3a", Experiments.text("s3a"), false, Map.of("hadoop", "3.4.2,3.5.0"));
    List<String> names = Stream.of(patterns).map(Work::label).toList();
    return TrialsOf.plan(
        all.only(
            all.settings().stream().filter(one -> names.contains(one.name())).toList(), all.arms()),
        3);
  }

  /** Trials of an arm, a round for each of these seconds. */
  private void measured(String label, String hadoop, Work pattern, double... seconds) {
    String setting = S3aClients.setting(pattern, hadoop);
    Arm arm =
        PLAN.parts().stream()
            .filter(part -> part.settings().contains(setting))
            .flatMap(part -> part.arms().stream())
            .filter(one -> one.label().equals(label))
            .findFirst()
            .orElseThrow();
    for (int i = 0; i < seconds.length; i++) {
      TrialId id = new TrialId(setting, i + 1, arm);
      Map<String, Double> figures = Map.of(S3aClients.MB_PER_SECOND, 6 / seconds[i]);
      trials.add(Trial.of(id, TrialOutcome.FINE, seconds[i], figures, "0.1"));
    }
  }

  @Test
  void readersAreOfEveryHadoopAndTheRestOfTheBuildsOwn() {
    assertEquals(
        List.of(
            List.of("footers on Hadoop 3.4.2", "queries on Hadoop 3.4.2"),
            List.of("gateways on Hadoop 3.4.2"),
            List.of("upload on Hadoop 3.4.2"),
            List.of("teragen on Hadoop 3.4.2"),
            List.of("footers on Hadoop 3.5.0", "queries on Hadoop 3.5.0")),
        PLAN.parts().stream().map(Part::settings).toList());
    assertEquals(3 * (2 * 2 * 6 + 2 + 4 + 3), PLAN.trials());
    assertEquals(Work.UPLOAD, S3aClients.pattern("upload on Hadoop 3.4.2"));
    assertEquals(3, S3aClients.gateways(PLAN));
    assertEquals(1, S3aClients.gateways(plan(Work.UPLOAD)));
    assertEquals("3.4.2", S3aClients.hadoop("upload on Hadoop 3.4.2"));
  }

  @Test
  void eachGoalComparesRoundsOfOneHadoop() {
    measured("stock", "3.4.2", Work.FOOTERS, 2, 27, 6);
    measured("sequential-64K", "3.4.2", Work.FOOTERS, 8, 36, 16);
    measured("columnar", "3.4.2", Work.FOOTERS, 2, 9, 4);
    measured("sequential-64K", "3.4.2", Work.QUERIES, 30);
    measured("columnar", "3.5.0", Work.QUERIES, 1);
    measured("file", "3.4.2", Work.TERAGEN, 50);
    measured("magic", "3.4.2", Work.TERAGEN, 20);
    List<String> goals =
        new ExperimentResult(PLAN, trials, Map.of())
            .goals().stream()
                .filter(goal -> goal.measured() != null)
                .map(
                    goal ->
                        String.format(
                            Locale.ROOT, "%s %.2f %b", goal.id(), goal.measured(), goal.met()))
                .toList();
    assertEquals(
        List.of(
            "columnar-footers-vs-sequential-3.4.2 4.00 true",
            "columnar-footers-vs-default-3.4.2 1.50 true",
            "magic-vs-file-3.4.2 2.50 true"),
        goals);
  }

  private static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  private static final String READAHEAD = "fs.s3a.readahead.range";
  private static final Map<String, String> REACH =
      Map.of("fs.s3a.endpoint", "http://127.0.0.1:1", "fs.s3a.endpoint.region", "here");

  private static List<Arm> arms(String pattern, String hadoop, Map<String, String> own) {
    Experiment all = Experiments.named("s3a", false);
    return Setups.of(all.arms(all.setting(pattern)), hadoop, own);
  }

  @Test
  void stockIsSetToNothingButTheStore() {
    List<Arm> readers = arms("random", "3.5.0", Map.of());
    assertEquals(REACH, conf(readers, "stock"));
    assertEquals("sequential", conf(readers, "sequential-64K").get(FADVISE));
    assertEquals("64K", conf(readers, "sequential-64K").get(READAHEAD));
    assertEquals("1024K", conf(readers, "document").get(READAHEAD));
    assertEquals("random", conf(readers, "columnar").get(FADVISE));
    for (Arm arm : readers) {
      Map<String, String> conf = Setups.conf(arm, REACH);
      REACH.forEach((key, value) -> assertEquals(value, conf.get(key), arm.label()));
    }
  }

  private static Map<String, String> conf(List<Arm> arms, String label) {
    Arm arm = arms.stream().filter(one -> one.label().equals(label)).findFirst().orElseThrow();
    return Setups.conf(arm, REACH);
  }

  @Test
  void whatArmsDifferInIsTakenOutOfAStoresOwnSettings() {
    Set<String> stay =
        Set.of(
            "fs.s3a.bucket.data.endpoint",
            "fs.s3a.connection.maximum",
            "fs.s3a.endpoint",
            "fs.s3a.secret.key");
    Map<String, String> set = new HashMap<>(Map.of(READAHEAD, "4M"));
    set.put("fs.s3a.bucket.data.experimental.input.fadvise", "random");
    set.put("fs.s3a.committer.name", "magic");
    stay.forEach(key -> set.put(key, "x"));
    assertEquals(stay, Setups.reach(set).keySet());
  }

  @Test
  void howTheStoreIsReachedStaysUnlessTheUserSaysOtherwise() {
    Map<String, String> other = Map.of("fs.s3a.endpoint", "http://127.0.0.1:3");
    Arm profile = new Arm("columnar", "", "", List.of(), false, false, false, other);
    assertEquals("http://127.0.0.1:1", Setups.conf(profile, REACH).get("fs.s3a.endpoint"));
    Arm own = new Arm(Setups.OWN, "", "", List.of(), false, false, false, other);
    assertEquals("http://127.0.0.1:3", Setups.conf(own, REACH).get("fs.s3a.endpoint"));
  }
}
