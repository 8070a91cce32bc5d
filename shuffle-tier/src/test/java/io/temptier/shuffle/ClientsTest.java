// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many clients at a time, and clients that misbehave. */
final class ClientsTest extends ShuffleContract {
  private static final int REDUCES = 8;
  private static final int MAPS = 40;

  /** So small a buffer that the server has to wait for the client. */
  private static final int RECEIVE_BYTES = 1 << 12;

  private ShuffleServer server;
  private ShuffleJob job;
  private List<Output> outputs;

  @BeforeEach
  void startServer() throws IOException {
    server = start(Map.of(ShuffleHandler.MAX_SHUFFLE_THREADS, "2"));
    job = server.startJob("alice", 1);
    outputs = server.outputs().write(job, MAPS, 0, 100, 1000, 10_000, 70_000, 5, 200_000, 3000);
  }

  /** Far more than there are threads stop reading; the others do not notice. */
  @Test
  void clientsThatDoNotRead() throws IOException {
    othersAreServed(server);
  }

  @Test
  void clientsThatDoNotReadOverTls() throws Exception {
    TestKeys keys = TestKeys.shared();
    ShuffleServer secured = keys.onClassPath(() -> start(keys.settings(false)));
    secured.startJob(job.user(), job.number());
    othersAreServed(secured.reachedBy(keys.sockets(false)));
  }

  /** So many that they use up their job's share of memory. */
  @Test
  void hundredsThatNeverReadHoldUpNobodyForGood() throws IOException {
    ShuffleJob other = server.startJob("alice", 2);
    ShuffleJob bobs = server.startJob("bob", 3);
    int disk = 1;
    Output big = server.outputs().write(job, job.attempt(MAPS), disk, 8 << 20);
    Output others = server.outputs().write(other, other.attempt(0), disk, 3 << 20);
    Output bob = server.outputs().write(bobs, bobs.attempt(0), disk, 3 << 20);
    List<RawHttp> frozen = new ArrayList<>();
    try {
      for (int i = 0; i < 500; i++) {
        RawHttp http = server.connect(RECEIVE_BYTES);
        frozen.add(http);
        http.send(server.request(job, 0, List.of(big)));
      }
      server.assertServes(other, 0, List.of(others));
      server.assertServes(bobs, 0, List.of(bob));
      server.assertServes(job, 0, List.of(big));
    } finally {
      for (RawHttp http : frozen) {
        http.abort();
      }
    }
    server.assertServes(job, 0, List.of(big));
  }

  /** Their files are open for the next few only; the others are found again where they lie then. */
  @Test
  void outputsOfManyPartsThatMoveWhileTheyAreSent() throws IOException {
    List<Output> big = new ArrayList<>();
    for (int map = 0; map < 8; map++) {
      big.add(server.outputs().write(job, job.attempt(MAPS + map), 0, 4 << 20));
    }
    try (RawHttp http = server.connect(RECEIVE_BYTES)) {
      http.send(server.request(job, 0, big));
      http.readHead();
      for (Output output : big) {
        moveDown(output);
      }
      assertArrive(http, big);
    }
  }

  /** All of its parts miss the file at once, and each looks for it again. */
  @Test
  void anOutputThatMovesWhileManyOfItsPartsAreAskedFor() throws IOException {
    int ahead = 12;
    ShuffleServer eager =
        start(Map.of(ShuffleHandler.SHUFFLE_MAX_SESSION_OPEN_FILES, String.valueOf(ahead)));
    eager.startJob(job.user(), job.number());
    List<Output> all = new ArrayList<>();
    // Not read for now, so that those after it are not sent either.
    all.add(eager.outputs().write(job, job.attempt(MAPS), 0, 8 << 20));
    while (all.size() <= ahead) {
      all.add(eager.outputs().write(job, job.attempt(MAPS + all.size()), 0, 10));
    }
    Output moving = eager.outputs().write(job, job.attempt(MAPS + all.size()), 0, ahead << 20);
    all.add(moving);
    try (RawHttp http = eager.connect(RECEIVE_BYTES)) {
      http.send(eager.request(job, 0, all));
      http.readHead();
      moveDown(moving);
      assertArrive(http, all);
    }
  }

  private static void assertArrive(RawHttp http, List<Output> all) throws IOException {
    for (Output output : all) {
      byte[] expected = output.segment(0).onTheWire();
      assertArrayEquals(expected, http.read(expected.length), output.attempt());
    }
  }

  /** As demotion does. */
  private void moveDown(Output output) throws IOException {
    List<Path> dirs = server.outputs().localDirs();
    Path target = dirs.get(1).resolve(dirs.get(0).relativize(output.data()));
    Files.createDirectories(target.getParent());
    Files.copy(output.data(), target);
    Path link = Files.createSymbolicLink(output.data().resolveSibling("link"), target);
    Files.move(
        link, output.data(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What it gets is its output, whole or cut off, and nothing is left of it afterwards. */
  @Test
  void anApplicationThatEndsWhileItIsFetched() throws IOException {
    ShuffleJob bobs = server.startJob("bob", 2);
    Output bob = server.outputs().write(bobs, bobs.attempt(0), 0, 1000);
    int dirs = server.outputs().localDirs().size();
    for (int dir = 0; dir < dirs; dir++) {
      Output big = server.outputs().write(job, job.attempt(MAPS + dir), dir, 8 << 20);
      try (RawHttp http = server.connect(RECEIVE_BYTES)) {
        http.send(server.request(job, 0, List.of(big)));
        http.readHead();
        byte[] expected = big.segment(0).onTheWire();
        assertArrayEquals(Arrays.copyOf(expected, 1000), http.read(1000));
        server.endJob(job);
        for (Path local : server.outputs().localDirs()) {
          FileUtil.fullyDelete(local.resolve(job.outputFolder()).toFile());
        }
        byte[] rest = http.readToEnd();
        assertArrayEquals(Arrays.copyOfRange(expected, 1000, 1000 + rest.length), rest);
      }
      assertEquals(401, server.fetch(job, 0, List.of(big.attempt())).status());
      server.assertServes(bobs, 0, List.of(bob));
      Path watched = folder.toRealPath().resolve("local-" + dir).resolve(job.outputFolder());
      Eventually.holds("its files are closed", () -> OpenFiles.below(watched).isEmpty());
      Eventually.holds("its memory is free", () -> server.segmentBytes() == 0);
      server.startJob(job.user(), job.number());
    }
  }

  private void othersAreServed(ShuffleServer server) throws IOException {
    List<Output> big = new ArrayList<>();
    for (int dir = 0; dir < server.outputs().localDirs().size(); dir++) {
      big.add(server.outputs().write(job, job.attempt(MAPS + dir), dir, 8 << 20));
    }
    List<RawHttp> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        RawHttp http = server.connect(1 << 16);
        slow.add(http);
        http.send(server.request(job, 0, List.of(big.get(i % big.size()))));
        http.readHead();
      }
      fetchSome(server, new Random(1), 20);
      for (int i = 0; i < big.size(); i++) {
        // Who reads after all is served on from where he stopped.
        byte[] expected = Arrays.copyOf(big.get(i).segment(0).onTheWire(), 2 << 20);
        assertArrayEquals(expected, slow.get(i).read(expected.length));
      }
    } finally {
      for (RawHttp http : slow) {
        http.abort();
      }
    }
    fetchSome(server, new Random(2), 3);
  }

  private void fetchSome(ShuffleServer server, Random random, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      List<Output> maps =
          random.ints(1 + random.nextInt(10), 0, MAPS).mapToObj(outputs::get).toList();
      server.assertServes(job, random.nextInt(REDUCES), maps);
    }
  }
}
