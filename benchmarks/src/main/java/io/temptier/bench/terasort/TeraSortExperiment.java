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
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A question that TeraSort answers. */
enum TeraSortExperiment {
  /** The published figure: temporary data on one fast disk against HDDs. */
  E1(
      "Temporary data fits the fast disk",
      // What mergerfs does when its first disk is full is the question of the second.
      List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL),
      List.of(Setting.of("fits", 3, Setting.FITS))),

  /** What happens when it does not. */
  E2(
      "The fast disk is a half and a quarter of the temporary data",
      List.of(Arm.values()),
      List.of(Setting.of("1/2", 3, 0.5), Setting.of("1/4", 3, 0.25))),

  /** How many HDDs a node still needs. */
  E3(
      "Fewer HDDs",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          Setting.of("4 HDDs", 4, Setting.FITS),
          Setting.of("2 HDDs", 2, Setting.FITS),
          Setting.of("1 HDD", 1, Setting.FITS)));

  private final Experiment experiment;

  TeraSortExperiment(String question, List<Arm> arms, List<Setting> settings) {
    this.experiment = new Experiment(name().toLowerCase(Locale.ROOT), question, settings, arms);
  }

  /** What is measured for it. */
  Experiment experiment() {
    return experiment;
  }

  /** The one of that label. */
  static Optional<TeraSortExperiment> of(String label) {
    return Stream.of(values()).filter(one -> one.experiment.label().equals(label)).findFirst();
  }
}
