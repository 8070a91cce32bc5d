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

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A question, and the settings that answer it. */
enum Experiment {
  /** The published figure: temporary data on one fast disk against HDDs. */
  E1("Temporary data fits the fast disk", List.of(new Setting("fits", 3, Setting.FITS))),

  /** What happens when it does not. */
  E2(
      "The fast disk is a half and a quarter of the temporary data",
      List.of(new Setting("1/2", 3, 0.5), new Setting("1/4", 3, 0.25))),

  /** How many HDDs a node still needs. */
  E3(
      "Fewer HDDs",
      List.of(
          new Setting("4 HDDs", 4, Setting.FITS),
          new Setting("2 HDDs", 2, Setting.FITS),
          new Setting("1 HDD", 1, Setting.FITS)));

  private final String question;
  private final List<Setting> settings;

  Experiment(String question, List<Setting> settings) {
    this.question = question;
    this.settings = settings;
  }

  /** Its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its title. */
  String question() {
    return question;
  }

  /** The nodes it is made on, one after the other. */
  List<Setting> settings() {
    return settings;
  }

  /** The arms it has unless others are asked for. */
  List<Arm> arms() {
    return switch (this) {
      // What mergerfs does when its first disk is full is the question of the second.
      case E1 ->
          List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL);
      case E2 -> List.of(Arm.values());
      case E3 -> List.of(Arm.STOCK_HDD, Arm.TEMPTIER);
    };
  }

  /** The experiment of that label. */
  static Optional<Experiment> of(String label) {
    return Stream.of(values()).filter(one -> one.label().equals(label)).findFirst();
  }
}
