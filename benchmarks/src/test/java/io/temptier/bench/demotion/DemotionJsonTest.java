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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemotionJsonTest {
  @Test
  void armsHaveMediansAndSpread() {
    JsonNode root = DemotionJson.of(Trials.result(100, 500, 100, 104, 90, 102));
    JsonNode off = root.path("arms").path(0);
    assertEquals("demotion-off", off.path("name").asText());
    assertEquals(90, off.path("minSeconds").asDouble());
    JsonNode on = root.path("arms").path(1);
    assertEquals("demotion-on", on.path("name").asText());
    assertEquals(104, on.path("medianSeconds").asDouble());
    assertEquals(500, on.path("maxSeconds").asDouble());
    assertEquals(6, root.path("trials").size());
    assertEquals(50 << 20, root.path("trials").path(1).path("bytesDemoted").asLong());
    assertTrue(root.path("trials").path(1).path("demotion").asBoolean());
    assertEquals(100_000_000, root.path("plan").path("inputBytes").asLong());
    assertEquals("./temptier bench demotion", root.path("facts").path("command").asText());
  }

  @Test
  void theGoalIsMetMissedOrNeither() {
    JsonNode goal = DemotionJson.of(Trials.result(100, 104)).path("goals").path(0);
    assertEquals("demotion-cost", goal.path("id").asText());
    assertEquals(1.04, goal.path("measured").asDouble());
    assertTrue(goal.path("met").isBoolean() && goal.path("met").asBoolean());
    goal = DemotionJson.of(Trials.result(100, 106)).path("goals").path(0);
    assertTrue(goal.path("met").isBoolean() && !goal.path("met").asBoolean());
    goal =
        DemotionJson.of(Trials.result(List.of(Trials.off(1, 0), Trials.on(1, 0, "why not"))))
            .path("goals")
            .path(0);
    assertTrue(goal.path("met").isNull(), goal.toString());
    assertTrue(goal.path("invalid").asText().contains("why not"), goal.toString());
  }

  @Test
  void theTextShowsTheSame() {
    String shown = text(Trials.result(100, 104.16));
    assertTrue(
        shown.lines().anyMatch(line -> line.matches(" +on +104\\.2 +50 MiB +50 +50 % +0 B.*")),
        shown);
    assertTrue(shown.contains("Demotion off median 100.0 s, from 100.0 to 100.0 s"), shown);
    assertTrue(shown.contains("Ratio of the medians 1.042, goal at most 1.05: met"), shown);
    assertTrue(text(Trials.result(100, 110)).contains(": NOT MET"), shown);
    String invalid = text(Trials.result(List.of(Trials.off(1, 0), Trials.on(1, 0, "why not"))));
    assertTrue(invalid.contains(": INVALID, with demotion on nothing was demoted"), invalid);
  }

  private static String text(DemotionResult result) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    DemotionText.plan(out, result.plan(), result.disks());
    DemotionText.result(out, result);
    out.flush();
    return text.toString();
  }
}
