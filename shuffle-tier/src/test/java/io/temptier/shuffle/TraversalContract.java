// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Map ids that point elsewhere, in requests that are signed as they should be. */
abstract class TraversalContract extends ShuffleContract {
  private ShuffleServer server;
  private ShuffleJob alice;
  private ShuffleJob bob;
  private Output bobs;
  private Path outside;

  @BeforeEach
  void startServer() throws IOException {
    server = start();
    alice = server.startJob("alice", 1);
    bob = server.startJob("bob", 2);
    server.outputs().write(alice, 2, 100, 100);
    bobs = server.outputs().write(bob, 2, 200, 200).get(1);
    outside = Files.createDirectories(folder.resolve("outside"));
    Files.copy(bobs.data(), outside.resolve(MapOutputs.DATA));
    Files.copy(bobs.indexFile(), outside.resolve(MapOutputs.INDEX));
  }

  @Test
  void upToAnotherJobOrOutOfTheLocalDirs() throws IOException {
    String up = "../../../../bob/appcache/" + bob.application() + "/output/" + bobs.attempt();
    String out = "../../../../../../outside";
    for (String map :
        List.of(
            up,
            "./" + up,
            alice.attempt(0) + "/../" + up,
            out,
            "../".repeat(40) + outside.toString().substring(1),
            out.replace("/", "%2F").replace(".", "%2e"))) {
      reachesOnlyIfStock(map);
    }
  }

  @Test
  void namesThatLeadNowhere() throws IOException {
    String up = "../../../../../../outside";
    for (String map :
        List.of(
            up.replace("/", "%252F").replace(".", "%252e"),
            up.replace(".", "%c0%ae"),
            up.replace("/", "%5c"),
            outside.toString(),
            "/" + outside,
            "file:" + outside,
            "file://" + outside,
            "//localhost" + outside,
            outside.toString().replace("/", "%2f"),
            bobs.attempt(),
            "bob/" + bobs.attempt(),
            up + "%00",
            "%00" + up,
            up + "%0a",
            up + "%zz",
            alice.attempt(0) + "%c3%a9%ff",
            up + "/file.out",
            up + "/file.out%00")) {
      neverReaches(map);
    }
  }

  @Test
  void oneJobsIndexIsNotAnothers() throws IOException {
    Output first = server.outputs().write(alice, bobs.attempt(), 0, 50, 50);
    server.assertServes(alice, 0, List.of(first));
    Response response = server.fetch(bob, 0, List.of(bobs.attempt()));
    boolean bobsOwn = response.segments().equals(List.of(bobs.segment(0)));
    // Stock's cache of indices goes by the map id alone.
    assertEquals(tiered, bobsOwn);
  }

  /** The handler still answers after all of the above. */
  private void stillServes() throws IOException {
    server.assertServes(bob, 1, List.of(bobs));
  }

  private void neverReaches(String map) throws IOException {
    Response response = server.fetch(alice, 0, List.of(map));
    assertTrue(response.status() >= 400, response::statusLine);
    assertFalse(response.text().contains(MapOutputs.MARKER), response::text);
    stillServes();
  }

  /** Stock appends the map id to a path as it is. */
  private void reachesOnlyIfStock(String map) throws IOException {
    if (tiered) {
      neverReaches(map);
    } else {
      Response response = server.fetch(alice, 0, List.of(map));
      assertEquals(bobs.segment(0).bytes(), response.segments().get(0).bytes());
    }
  }
}
