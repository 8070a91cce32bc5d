// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.TrialsOf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plans and trials with made-up figures. */
final class ShuffleResults {
  private static final Experiment ALL = Experiments.named("shuffle", false);
  static final Arm STOCK = ALL.arms().get(0);
  static final Arm OURS = ALL.arms().get(1);

  private ShuffleResults() {}

  static Plan plan() {
    ShuffleFetches fetches = new ShuffleFetches(7.5, 128 << 20, 64, 128);
    return TrialsOf.plan(ALL.with(fetches), 3);
  }

  /** A trial for each rate, with as many milliseconds of p999. */
  static List<Trial> trials(Arm arm, Scenario scenario, double p999Millis, double... rates) {
    List<Trial> trials = new ArrayList<>();
    for (double rate : rates) {
      Map<String, Double> figures =
          new LinkedHashMap<>(new Tally(100, rate, rate / 10, 1, 2, p999Millis).values(""));
      if (scenario == Scenario.MIXED) {
        figures.putAll(new Tally(10, 5, 0.5, 50, 60, 70).values(ShuffleTestbed.SLOW));
      }
      figures.put(ShuffleTestbed.MEMORY, rate * (1 << 20));
      figures.put(ShuffleTestbed.READ_REQUESTS, rate);
      TrialId id = new TrialId(scenario.label(), trials.size() + 1, arm);
      trials.add(Trial.of(id, TrialOutcome.FINE, 100 / rate, figures, "0.1"));
    }
    return trials;
  }

  static ExperimentResult result(Plan plan, List<Trial> trials) {
    return new ExperimentResult(plan, trials, Map.of("slow disk", "none: no root"));
  }
}
