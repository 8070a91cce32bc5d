// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CalibrationTest {
  @ParameterizedTest
  @ValueSource(ints = {7, 15, 40, 90, 300})
  void itIsFoundWhereverItIs(int where) {
    // A node whose cores work the more, the less they wait.
    Calibration found = search(iops -> 0.4 * Math.sqrt((double) iops / where));
    assertTrue(found.found(), found::toString);
    assertEquals(0.4, found.best().cpu(), 0.05);
    assertTrue(found.steps().size() <= 6, found::toString);
  }

  @Test
  void aNodeThatNeverWaitsIsSaidToBeOne() {
    Calibration busy = search(iops -> 0.9);
    assertFalse(busy.found());
    assertEquals(5, busy.steps().get(busy.steps().size() - 1).iops());
    assertTrue(busy.toString().contains("None is within"), busy::toString);
  }

  @Test
  void aNodeThatAlwaysWaitsIsSaidToBeOne() {
    Calibration idle = search(iops -> 0.1);
    assertFalse(idle.found());
    assertEquals(640, idle.steps().get(idle.steps().size() - 1).iops());
  }

  @Test
  void theNearestIsTaken() {
    Calibration calibration =
        new Calibration(
            List.of(
                new Calibration.Step(40, 0.8, 60),
                new Calibration.Step(20, 0.47, 90),
                new Calibration.Step(10, 0.3, 120)));
    assertEquals(20, calibration.best().iops());
    assertFalse(calibration.found());
    assertEquals(OptionalInt.of(14), calibration.next(40));
  }

  private static Calibration search(IntToDoubleFunction cpu) {
    List<Calibration.Step> steps = new ArrayList<>();
    OptionalInt next = new Calibration(steps).next(40);
    while (next.isPresent()) {
      steps.add(new Calibration.Step(next.getAsInt(), cpu.applyAsDouble(next.getAsInt()), 60));
      next = new Calibration(steps).next(40);
    }
    return new Calibration(steps);
  }
}
