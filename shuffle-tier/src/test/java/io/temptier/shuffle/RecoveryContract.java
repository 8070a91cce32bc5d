// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Which jobs a handler knows: until they end, and after a restart, whichever handler it is then.
 */
abstract class RecoveryContract extends ShuffleContract {
  @Test
  void withoutRecoveryNothingIsKnown() throws IOException {
    ShuffleJob job;
    try (ShuffleServer server = ShuffleServer.start(handler(tiered), folder, null, Map.of())) {
      job = server.startJob("alice", 1);
      assertServed(server, job);
    }
    assertUnknown(start(), job);
  }

  /** Switching over and back needs no drain. */
  @Test
  void fromStockAndBackToIt() throws IOException {
    List<ShuffleJob> known = new ArrayList<>();
    int number = 1;
    Path state = Files.createDirectories(folder.resolve("state"));
    for (boolean ours : new boolean[] {false, tiered, false, tiered}) {
      try (ShuffleServer server = ShuffleServer.start(handler(ours), folder, state, Map.of())) {
        assertServed(server, known.toArray(ShuffleJob[]::new));
        known.add(server.startJob("alice", number++));
        ShuffleJob ended = server.startJob("bob", number++);
        server.endJob(ended);
        if (known.size() > 2) {
          server.endJob(known.remove(0));
        }
        assertServed(server, known.toArray(ShuffleJob[]::new));
        assertUnknown(server, ended);
      }
    }
  }

  private static void assertServed(ShuffleServer server, ShuffleJob... jobs) throws IOException {
    for (ShuffleJob job : jobs) {
      Output output = server.outputs().write(job, job.attempt(0), 0, 500);
      server.assertServes(job, 0, List.of(output));
    }
  }

  private static void assertUnknown(ShuffleServer server, ShuffleJob job) throws IOException {
    Output output = server.outputs().write(job, job.attempt(0), 0, 500);
    RawHttp.Response response = server.fetch(job, 0, List.of(output.attempt()));
    assertEquals(401, response.status());
    assertFalse(response.text().contains(MapOutputs.MARKER));
  }
}
