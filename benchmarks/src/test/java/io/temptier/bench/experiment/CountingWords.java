/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.experiment;

import io.temptier.bench.report.Goal;
import java.util.List;
import java.util.Map;

/**
 * A workload that nobody runs.
 *
 * @param words how many
 */
record CountingWords(long words) implements Workload {
  @Override
  public String command() {
    return "counting";
  }

  @Override
  public String title(Setting setting) {
    return "Counting of " + words + " words";
  }

  @Override
  public long inputBytes() {
    return words << 20;
  }

  @Override
  public long hdfsBytes() {
    return 2 * inputBytes();
  }

  @Override
  public long tempBytes() {
    return 2 * inputBytes();
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
  public void prepare(Setting setting, Jobs jobs) {}

  @Override
  public Outcome run(TrialRun trial) {
    return new Outcome(true, "SUCCEEDED", 1, 0, 0, Map.of(), Map.of());
  }

  @Override
  public boolean validate(TrialRun trial) {
    return true;
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    return List.of(Goal.atMost("faster", "faster", result.ratio("fits", Arm.STOCK_HDD), 1));
  }
}
