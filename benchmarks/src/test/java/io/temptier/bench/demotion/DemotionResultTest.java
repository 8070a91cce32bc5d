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
package io.temptier.bench.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DemotionResultTest {
  @Test
  void mediansAreCompared() {
    DemotionResult result = Trials.result(100, 500, 100, 104, 90, 102);
    assertEquals(100, result.seconds(false).median());
    assertEquals(104, result.seconds(true).median());
    assertEquals(102, result.seconds(true).min());
    assertEquals(500, result.seconds(true).max());
    assertEquals(1.04, result.ratio(), 1e-9);
    assertTrue(result.met());
    assertFalse(Trials.result(100, 105.1).met());
  }

  @Test
  void theMedianOfTwoIsTheirMean() {
    assertEquals(15, Trials.result(10, 1, 20, 1).seconds(false).median());
  }

  @Test
  void aTrialWithDemotionThatDemotesNothingSpoilsAll() {
    DemotionResult result =
        Trials.result(
            List.of(Trials.off(100, 0), Trials.on(100, 0, null), Trials.on(100, 1, null)));
    assertEquals(
        Optional.of(
            "with demotion on nothing was demoted, the fast disk was at most 50 % full. Give more"
                + " --rows"),
        result.invalid());
    assertFalse(result.met());
  }

  @Test
  void whyNothingIsDemotedIsSaid() {
    DemotionResult result =
        Trials.result(List.of(Trials.off(100, 0), Trials.on(100, 0, "one tier only")));
    assertEquals(
        Optional.of("with demotion on nothing was demoted: one tier only"), result.invalid());
  }

  @Test
  void demotionThatShouldBeOffSpoilsAll() {
    DemotionResult result = Trials.result(List.of(Trials.off(100, 7), Trials.on(100, 7, null)));
    assertEquals(Optional.of("with demotion off 7 bytes were demoted"), result.invalid());
  }
}
