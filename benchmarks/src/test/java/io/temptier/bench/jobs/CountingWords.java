// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import java.util.List;
import java.util.Map;

/**
 * A workload that nobody runs.
 *
 * @param words how many
 */
record CountingWords(long words) implements JobWorkload {
  @Override
  public String title(Setting setting) {
    return "Counting of " + words + " words";
  }

  @Override
  public Volume volume() {
    return new Volume(words << 20, words << 21, words << 21);
  }

  @Override
  public long blockBytes(Setting setting) {
    return 32 << 20;
  }

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("words", "words, 1/s"));
  }

  @Override
  public boolean anyCluster() {
    return true;
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) {}

  @Override
  public TrialOutcome run(TrialRun trial) {
    return new TrialOutcome(true, "SUCCEEDED", 1, 0, 0, Map.of(), Map.of());
  }

  @Override
  public boolean validate(TrialRun trial) {
    return true;
  }
}
