// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScaleTest {
  @ParameterizedTest
  @CsvSource({
    "228.3, 250, 50",
    "1, 1, 0.2",
    "100, 100, 20",
    "0, 1, 0.2",
    "7, 8, 2",
    "0.31, 0.4, 0.1"
  })
  void endsAtARoundNumber(double value, double most, double step) {
    Scale scale = Scale.upTo(value);
    assertEquals(most, scale.most(), 1e-9);
    assertEquals(step, scale.step(), 1e-9);
    assertEquals(1, scale.at(scale.most()));
  }
}
