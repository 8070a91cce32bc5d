// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.report.Goal;
import io.temptier.bench.testbed.DiskSpeed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class S3aJsonTest {
  private static final S3aResult RESULT =
      new S3aResult(
          new S3aPlan(
              List.of(Pattern.SCAN), List.of("3.4.2"), 3, true, new DiskSpeed(30, 40), Map.of()),
          List.of(
              GoalsTest.arm("stock", "3.4.2", Pattern.SCAN, 6, 2, 3),
              new Arm(
                  "mixed",
                  "3.4.2",
                  Pattern.SCAN,
                  List.of(new Measurement(1.5, 3_000_000, 4_000_000, 7)))),
          List.of(Goal.atLeast("a", "more", null, 1), Goal.atMost("b", "less", 0.5, 1)),
          List.of("no slow disk"),
          Map.of("cores", "2"));

  @Test
  void armsAndGoalsAreThereForPrograms() {
    JsonNode root = S3aJson.of(RESULT);
    JsonNode stock = root.path("arms").path(0);
    assertEquals("stock", stock.path("name").asText());
    assertEquals("scan", stock.path("pattern").asText());
    assertEquals("3.4.2", stock.path("hadoop").asText());
    assertEquals("[6.0,2.0,3.0]", stock.path("seconds").toString());
    assertEquals(3, stock.path("medianSeconds").asDouble());
    assertEquals(2, stock.path("mbPerSecond").asDouble());
    assertFalse(stock.has("bytesFromStore"), "0 is unknown");
    assertEquals(4_000_000, root.path("arms").path(1).path("bytesFromStore").asLong());
    assertFalse(stock.has("requests"), "0 is unknown");
    assertEquals(7, root.path("arms").path(1).path("requests").asLong());
    assertTrue(root.path("goals").path(0).path("met").isNull());
    assertTrue(root.path("goals").path(1).path("met").asBoolean());
    assertEquals("no slow disk", root.path("remarks").path(0).asText());
    assertEquals(1, root.path("plan").path("counts").path("scan").asLong());
  }

  @Test
  void peopleSeeSpeedUpsAndMissedGoals() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    S3aText.result(out, RESULT);
    out.flush();
    assertTrue(text.toString().contains("4.00 x"), text.toString());
    assertTrue(text.toString().contains("not measured"), text.toString());
    assertTrue(text.toString().contains("0.500 x"), text.toString());
  }
}
