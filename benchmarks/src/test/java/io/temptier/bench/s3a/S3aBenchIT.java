// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.OtherJvm;
import io.temptier.bench.s3a.client.Work;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.NeedsCeph;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, with small sizes: what it says, and that nothing is left. */
@NeedsCeph
@BeforeRelease
final class S3aBenchIT {
  private static final Set<String> READERS =
      Set.of("stock", "sequential-64K", "document", "columnar", "scan", "mixed");

  @TempDir private Path dir;

  private final Set<ProcessHandle> started = new HashSet<>();

  @AfterEach
  void endAll() {
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void everyWayIsMeasuredInEveryPatternAndNothingIsLeft() throws Exception {
    Path json = dir.resolve("result.json");
    Path log = dir.resolve("log");
    Process bench =
        OtherJvm.temptier(
            log,
            List.of(
                "bench",
                "run",
                "s3a",
                "--quick",
                "--json=" + json,
                "--report=" + dir.resolve("report")));
    started.add(bench.toHandle());
    while (!bench.waitFor(50, TimeUnit.MILLISECONDS)) {
      bench.descendants().forEach(started::add);
    }
    assertEquals(0, bench.exitValue(), () -> OtherJvm.read(log));
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    Set<String> measured = new TreeSet<>();
    for (JsonNode arm : result.path("arms")) {
      String pattern = arm.path("setting").asText().replaceFirst(" on Hadoop .*", "");
      measured.add(arm.path("name").asText() + " " + pattern);
      assertEquals(1, arm.path("seconds").size(), arm::toString);
      assertTrue(arm.path("medianSeconds").asDouble() > 0, arm::toString);
      assertTrue(arm.path("mbPerSecond").asDouble() > 0, arm::toString);
    }
    String disk = result.path("facts").path("slow disk of uploads").asText();
    assertEquals(expected(!disk.startsWith("none: ")), measured, () -> OtherJvm.read(log));
    for (JsonNode goal : result.path("goals")) {
      assertTrue(goal.path("measured").isNumber(), goal::toString);
      assertTrue(goal.path("met").isBoolean(), goal::toString);
    }
    assertTrue(OtherJvm.read(log).contains("Goals"), () -> OtherJvm.read(log));
    assertFalse(started.isEmpty());
    assertEquals(List.of(), started.stream().filter(ProcessHandle::isAlive).toList());
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
