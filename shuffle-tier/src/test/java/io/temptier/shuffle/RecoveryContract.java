// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;
import org.apache.hadoop.service.ServiceStateException;
import org.apache.hadoop.yarn.server.records.Version;
import org.junit.jupiter.api.Test;

/**
 * Which jobs a handler knows: until they end, and after a restart, whichever handler it is then.
 */
abstract class RecoveryContract extends ShuffleContract {
  @Test
  void jobsEnd() throws IOException {
    ShuffleServer server = start();
    ShuffleJob alices = server.startJob("alice", 1);
    ShuffleJob bobs = server.startJob("bob", 2);
    assertServed(server, alices, bobs);
    server.endJob(alices);
    assertUnknown(server, alices);
    assertServed(server, bobs);
    server.startJob("alice", 1);
    assertServed(server, alices, bobs);
  }

  @Test
  void withoutRecoveryNothingIsKnown() throws IOException {
    ShuffleJob job;
    try (ShuffleServer server = ShuffleServer.start(handler(), folder)) {
      job = server.startJob("alice", 1);
      assertServed(server, job);
    }
    assertUnknown(start(), job);
  }

  @Test
  void jobsAreKnownAfterARestart() throws IOException {
    try (ShuffleServer server = recovering(handler())) {
      server.startJob("alice", 1);
      server.startJob("bob", 2);
      server.endJob(server.startJob("carol", 3));
    }
    try (ShuffleServer server = recovering(handler())) {
      assertServed(server, new ShuffleJob("alice", 1), new ShuffleJob("bob", 2));
      assertUnknown(server, new ShuffleJob("carol", 3));
      server.endJob(new ShuffleJob("bob", 2));
    }
    try (ShuffleServer server = recovering(handler())) {
      assertServed(server, new ShuffleJob("alice", 1));
      assertUnknown(server, new ShuffleJob("bob", 2));
    }
  }

  /** Switching over and back needs no drain. */
  @Test
  void fromStockAndBackToIt() throws IOException {
    List<ShuffleJob> known = new ArrayList<>();
    int number = 1;
    for (HandlerUnderTest next :
        List.of(StockHandler.STOCK, handler(), StockHandler.STOCK, handler())) {
      try (ShuffleServer server = recovering(next)) {
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

  @Test
  void schemaVersion() throws IOException {
    Version stocks;
    try (ShuffleServer server = recovering(StockHandler.STOCK)) {
      stocks = ShuffleHandlerInternals.schema(server.handler());
    }
    try (ShuffleServer server = recovering(handler())) {
      assertEquals(stocks, ShuffleHandlerInternals.schema(server.handler()));
      Version minor = Version.newInstance(stocks.getMajorVersion(), stocks.getMinorVersion() + 2);
      ShuffleHandlerInternals.schema(server.handler(), minor);
      server.startJob("alice", 1);
    }
    try (ShuffleServer server = recovering(handler())) {
      assertEquals(stocks, ShuffleHandlerInternals.schema(server.handler()));
      assertServed(server, new ShuffleJob("alice", 1));
      Version major = Version.newInstance(stocks.getMajorVersion() + 1, 0);
      ShuffleHandlerInternals.schema(server.handler(), major);
    }
    ServiceStateException refused =
        assertThrows(ServiceStateException.class, () -> recovering(handler()));
    assertTrue(String.valueOf(refused.getMessage()).contains("version"), refused::toString);
  }

  private ShuffleServer recovering(HandlerUnderTest handler) throws IOException {
    Path state = Files.createDirectories(folder.resolve("state"));
    return ShuffleServer.start(handler, ShuffleServer.localDirs(folder, 2), state, Map.of());
  }

  private static void assertServed(ShuffleServer server, ShuffleJob... jobs) throws IOException {
    for (ShuffleJob job : jobs) {
      Output output = server.outputs().write(job, job.attempt(0), 0, 500);
      assertEquals(
          List.of(output.segment(0)), server.fetch(job, 0, List.of(output.attempt())).segments());
    }
  }

  private static void assertUnknown(ShuffleServer server, ShuffleJob job) throws IOException {
    Output output = server.outputs().write(job, job.attempt(0), 0, 500);
    RawHttp.Response response = server.fetch(job, 0, List.of(output.attempt()));
    assertEquals(401, response.status());
    assertFalse(response.text().contains(MapOutputs.MARKER));
  }
}
