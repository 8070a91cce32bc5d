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
  void upToAnotherJob() throws IOException {
    String up = "../../../../bob/appcache/" + bob.application() + "/output/" + bobs.attempt();
    reachesOnlyIfStock(up);
    reachesOnlyIfStock("./" + up);
    reachesOnlyIfStock(alice.attempt(0) + "/../" + up);
  }

  @Test
  void upOutOfTheLocalDirs() throws IOException {
    reachesOnlyIfStock("../../../../../../outside");
    reachesOnlyIfStock("../".repeat(40) + outside.toString().substring(1));
  }

  @Test
  void percentEncoded() throws IOException {
    String up = "../../../../../../outside";
    reachesOnlyIfStock(up.replace("/", "%2F").replace(".", "%2e"));
    neverReaches(up.replace("/", "%252F").replace(".", "%252e"));
    neverReaches(up.replace(".", "%c0%ae"));
    neverReaches(up.replace("/", "%5c"));
  }

  @Test
  void absolutePaths() throws IOException {
    for (String prefix : List.of("", "/", "file:", "file://", "//localhost")) {
      neverReaches(prefix + outside);
    }
    neverReaches(outside.toString().replace("/", "%2f"));
  }

  @Test
  void idsOfOtherJobs() throws IOException {
    neverReaches(bobs.attempt());
    neverReaches("bob/" + bobs.attempt());
  }

  @Test
  void bytesThatEndNames() throws IOException {
    String up = "../../../../../../outside";
    neverReaches(up + "%00");
    neverReaches("%00" + up);
    neverReaches(up + "%0a");
    neverReaches(up + "%zz");
    neverReaches(alice.attempt(0) + "%c3%a9%ff");
    neverReaches(up + "/file.out");
    neverReaches(up + "/file.out%00");
  }

  @Test
  void oneJobsIndexIsNotAnothers() throws IOException {
    Output first = server.outputs().write(alice, bobs.attempt(), 0, 50, 50);
    assertEquals(
        List.of(first.segment(0)), server.fetch(alice, 0, List.of(first.attempt())).segments());
    Response response = server.fetch(bob, 0, List.of(bobs.attempt()));
    boolean own = response.segments().equals(List.of(bobs.segment(0)));
    assertEquals(!handler().mixesUpEqualMapIds(), own);
  }

  /** The handler still answers after all of the above. */
  private void stillServes() throws IOException {
    assertEquals(
        List.of(bobs.segment(1)), server.fetch(bob, 1, List.of(bobs.attempt())).segments());
  }

  private void neverReaches(String map) throws IOException {
    Response response = server.fetch(alice, 0, List.of(map));
    assertTrue(response.status() >= 400, response::statusLine);
    assertFalse(response.text().contains(MapOutputs.MARKER), response::text);
    stillServes();
  }

  private void reachesOnlyIfStock(String map) throws IOException {
    if (handler().servesOutsideTheJob()) {
      Response response = server.fetch(alice, 0, List.of(map));
      assertEquals(bobs.segment(0).bytes(), response.segments().get(0).bytes());
    } else {
      neverReaches(map);
    }
  }
}
