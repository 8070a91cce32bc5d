// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.OtherJvm;
import io.temptier.bench.s3a.client.Work;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Needs.NeedsCeph;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, with small sizes: what it says, and that nothing is left. */
@NeedsCeph
@BeforeRelease
final class S3aBenchIT {
  private static final Set<String> READERS =
      Set.of("stock", "sequential-64K", "document", "columnar", "scan", "mixed");

  @TempDir private Path dir;

  @Test
  void everyWayIsMeasuredInEveryPatternAndNothingIsLeft() throws Exception {
    JsonNode result = OtherJvm.bench(dir, "s3a --quick");
    Set<String> measured = new TreeSet<>();
    for (JsonNode arm : result.path("arms")) {
      String pattern = arm.path("setting").asText().replaceFirst(" on Hadoop .*", "");
      measured.add(arm.path("name").asText() + " " + pattern);
      assertTrue(arm.path("medianSeconds").asDouble() > 0, arm::toString);
      assertTrue(arm.path("mbPerSecond").asDouble() > 0, arm::toString);
    }
    String disk = result.path("facts").path("slow disk of uploads").asText();
    assertEquals(expected(!disk.startsWith("none: ")), measured);
    for (JsonNode goal : result.path("goals")) {
      assertTrue(goal.path("measured").isNumber(), goal::toString);
      assertTrue(goal.path("met").isBoolean(), goal::toString);
    }
  }

  private static Set<String> expected(boolean slowDisk) {
    Set<String> expected = new TreeSet<>();
    for (Work pattern : Work.reads()) {
      READERS.forEach(name -> expected.add(name + " " + pattern.label()));
    }
    if (slowDisk) {
      expected.add("disk-slow upload");
    }
    expected.addAll(Set.of("disk-fast upload", "array upload", "bytebuffer upload"));
    expected.addAll(Set.of("one-gateway gateways", "three-gateways gateways"));
    expected.addAll(Set.of("file teragen", "directory teragen", "magic teragen"));
    return expected;
  }
}
