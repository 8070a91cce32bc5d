// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.report.CurveChart.Stop;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CurveChartTest {
  private static final List<Stop> STOPS =
      List.of(new Stop("a", 0), new Stop("b", 1), new Stop("c", 4));

  @Test
  void aCurveGoesThroughItsValuesWhereTheStopsLie() {
    String svg =
        CurveChart.linear("t", STOPS, 100).curve("#123", List.of(0.0, 50.0, 100.0)).markup();
    // Between 94 and 930, and between 274 and 28.
    assertTrue(svg.contains("points=\"94.0,274.0 303.0,151.0 930.0,28.0\""), svg);
  }

  @Test
  void onALogarithmicScaleTenfoldIsAsFarEverywhere() {
    String svg =
        CurveChart.logarithmic("t", STOPS, 1, 100, value -> "v" + Math.round(value))
            .curve("#123", List.of(1.0, 10.0, 100.0))
            .markup();
    assertTrue(svg.contains("points=\"94.0,274.0 303.0,151.0 930.0,28.0\""), svg);
    assertTrue(svg.contains(">v1<") && svg.contains(">v10<") && svg.contains(">v100<"), svg);
  }

  @Test
  void theMarkedStopStandsOut() {
    String svg = CurveChart.linear("t", STOPS, 1).highlight(1, "this <one>").markup();
    assertTrue(svg.contains("class=\"strong\">b</text>"), svg);
    assertTrue(svg.contains("this &lt;one&gt;"), svg);
  }

  @Test
  void eachStopNeedsAValue() {
    CurveChart chart = CurveChart.linear("t", STOPS, 1);
    assertThrows(IllegalArgumentException.class, () -> chart.curve("#123", List.of(1.0)));
  }
}
