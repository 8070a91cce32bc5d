// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.SocketFactory;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests and clients that nobody thought of, from seeds that a failure tells. Whatever comes, no
 * byte goes to whom it is not meant for, the handler lives, and nothing is left of it.
 */
abstract class FuzzContract extends ShuffleContract {
  private static final int REDUCES = 4;

  private LogWatch log;
  private ShuffleServer server;
  private ShuffleJob alice;
  private ShuffleJob bob;
  private List<Output> outputs;
  private Output bobs;
  private long servedBytes;
  private Footprint before;

  @BeforeEach
  void startServer() throws IOException {
    log = new LogWatch(!handler().throwsAtOddRequests());
    server = start();
    alice = server.startJob("alice", 1);
    bob = server.startJob("bob", 2);
    outputs = server.outputs().write(alice, 6, 100, 0, 3000, 150_000);
    bobs = server.outputs().write(bob, 1, 5000, 5000, 5000, 5000).get(0);
    for (int i = 0; i < 10; i++) {
      serves();
    }
    awaitCount();
    before = Footprint.of(handler(), server, folder);
  }

  @AfterEach
  void stopWatching() {
    log.close();
  }

  @Test
  void nothingWithoutTheRightHash() {
    fuzz(this::askWithoutTheRightHash, 1, 2, 3);
  }

  private void askWithoutTheRightHash(Random random, Mutator mutator) throws IOException {
    awaitCount();
    for (int i = 0; i < 700; i++) {
      byte[] request = unauthorised(random, mutator);
      String answer = answer(server, SocketFactory.getDefault(), request);
      String sent = new String(request, ISO_8859_1);
      assertFalse(answer.contains(MapOutputs.MARKER), sent);
      assertFalse(answer.startsWith("HTTP/1.1 200"), sent);
    }
    assertEquals(servedBytes, sentBytes(), "something was sent");
  }

  @Test
  void nothingOfOthersWithTheRightHash() {
    fuzz(this::askForOddMaps, 1, 2, 3);
  }

  private void askForOddMaps(Random random, Mutator mutator) throws IOException {
    Map<String, Output> mine =
        outputs.stream().collect(Collectors.toMap(Output::attempt, Function.identity()));
    for (int i = 0; i < 500; i++) {
      RawRequest request = ofOddMaps(random, mutator);
      if (random.nextInt(4) == 0) {
        request = request.withUri(mutator.uri(request.uri()));
      }
      try (RawHttp http = server.connect()) {
        http.send(request.sign(alice, server.port()));
        Response response = http.read();
        if (response.status() >= 400) {
          assertFalse(response.text().contains(MapOutputs.MARKER), request::uri);
        } else if (!handler().servesOutsideTheJob()) {
          for (WireSegment segment : response.segments()) {
            Optional<Output> own = Optional.ofNullable(mine.get(segment.map()));
            assertEquals(own.map(output -> output.segment(segment.reduce())), Optional.of(segment));
          }
        }
      }
    }
  }

  @Test
  void clientsThatDoAnything() {
    fuzz(this::doAnything, 1, 2, 3);
  }

  private void doAnything(Random random, Mutator mutator) throws IOException {
    for (int i = 0; i < 200; i++) {
      boolean authorised = random.nextBoolean();
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      for (int more = random.nextInt(6); more >= 0; more--) {
        byte[] good = good(random, random.nextInt(3) > 0).toBytes();
        requests.writeBytes(
            !authorised
                ? unauthorised(random, mutator)
                : random.nextInt(4) == 0 ? mutator.bytes(good) : good);
      }
      try (RawHttp http = server.connect()) {
        sendInPieces(http, mutator.pieces(requests.toByteArray()));
        String answer = leave(http, random);
        assertTrue(authorised || !answer.contains(MapOutputs.MARKER), answer);
      }
    }
  }

  @Test
  void garbageInPlaceOfAHandshake() {
    fuzz(this::sendGarbage, 1, 2);
  }

  private void sendGarbage(Random random, Mutator mutator) throws Exception {
    TestKeys keys = TestKeys.shared();
    ShuffleServer secured = keys.onClassPath(() -> start(keys.settings(true)));
    secured.startJob(alice.user(), alice.number());
    byte[] hello = {22, 3, 1, 0, 100, 1, 0, 0, 96, 3, 3};
    for (int i = 0; i < 100; i++) {
      byte[] garbage = mutator.noise(1 + random.nextInt(500));
      byte[] request = i % 3 == 0 ? garbage : i % 3 == 1 ? hello : good(random, true).toBytes();
      String answer = answer(secured, SocketFactory.getDefault(), mutator.bytes(request));
      assertFalse(answer.contains("HTTP/1.1 ") || answer.contains(MapOutputs.MARKER), answer);
    }
    RawRequest request = RawRequest.of(alice, 3, List.of(outputs.get(0).attempt()));
    try (RawHttp http = RawHttp.connect(secured.port(), keys.sockets(true))) {
      assertEquals(
          List.of(outputs.get(0).segment(3)),
          http.exchange(request.sign(alice, secured.port())).segments());
    }
    secured.close();
  }

  private interface Attack {
    void run(Random random, Mutator mutator) throws Exception;
  }

  /** What the handler holds is looked at after all seeds: it keeps warm files for five seconds. */
  private void fuzz(Attack attack, long... seeds) {
    for (long seed : seeds) {
      Random random = new Random(seed);
      try {
        attack.run(random, new Mutator(random));
        serves();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("with seed " + seed, e);
      }
    }
    Footprint.assertGivenBack(handler(), server, folder, before);
    log.assertQuiet();
  }

  /** A handler counts what it sent when that is written, which a client may have read before. */
  private void awaitCount() {
    Eventually.holds("all that was served is counted", () -> sentBytes() == servedBytes);
  }

  private long sentBytes() {
    return ShuffleHandlerInternals.counts(server.handler()).bytes();
  }

  /** A request that no key of the job it names has signed. */
  private byte[] unauthorised(Random random, Mutator mutator) {
    RawRequest request = good(random, random.nextBoolean());
    ShuffleJob unknown = new ShuffleJob("mallory", 99);
    switch (random.nextInt(5)) {
      case 0 -> {
        return mutator.request(request.without("UrlHash")).toBytes();
      }
      case 1 -> {
        String wrong = mutator.wrong(request.hash(alice, server.port()));
        return mutator.request(request.with("UrlHash", wrong)).toBytes();
      }
      case 2 -> request = mutator.request(request).sign(bob, server.port());
      case 3 -> request = mutator.request(request.sign(unknown, server.port()));
      default -> request = mutator.request(request).sign(unknown, server.port());
    }
    return random.nextBoolean() ? mutator.bytes(request.toBytes()) : request.toBytes();
  }

  private RawRequest good(Random random, boolean keepAlive) {
    List<String> maps =
        random
            .ints(1 + random.nextInt(4), 0, outputs.size())
            .mapToObj(outputs::get)
            .map(Output::attempt)
            .toList();
    RawRequest request = RawRequest.of(alice, random.nextInt(REDUCES), maps);
    return (keepAlive ? request.keepAlive() : request).sign(alice, server.port());
  }

  private RawRequest ofOddMaps(Random random, Mutator mutator) {
    List<String> maps = new ArrayList<>();
    for (int more = random.nextInt(4); more >= 0; more--) {
      String own = outputs.get(random.nextInt(outputs.size())).attempt();
      String others = "../../../../bob/appcache/" + bob.application() + "/output/" + bobs.attempt();
      maps.add(
          switch (random.nextInt(5)) {
            case 0 -> mutator.map(own);
            case 1 -> mutator.map(bobs.attempt());
            case 2 -> random.nextBoolean() ? others : others.replace("/", "%2F");
            default -> own;
          });
    }
    // Never an empty list: stock does not answer that.
    maps.add(outputs.get(0).attempt());
    return RawRequest.of(alice, random.nextInt(REDUCES + 2) - 1, maps);
  }

  private static String answer(ShuffleServer any, SocketFactory sockets, byte[] request)
      throws IOException {
    try (RawHttp http = RawHttp.connect(any.port(), sockets)) {
      sendInPieces(http, List.of(request));
      return new String(http.readToEnd(), ISO_8859_1);
    }
  }

  /** Sends, and that there will be no more; a server that closes before is fine. */
  private static void sendInPieces(RawHttp http, List<byte[]> pieces) {
    try {
      for (byte[] piece : pieces) {
        http.send(piece);
      }
      http.shutdownOutput();
    } catch (IOException e) {
      // It had enough.
    }
  }

  private static String leave(RawHttp http, Random random) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> http.abort();
      case 1 -> {
        // Closes with all of the answer unread.
      }
      case 2 -> {
        return new String(http.readToEnd(), ISO_8859_1);
      }
      default -> {
        try {
          return new String(http.read(random.nextInt(10_000)), ISO_8859_1);
        } catch (IOException e) {
          return "";
        }
      }
    }
    return "";
  }

  /** Fetches everything, and adds it to what was served. */
  private void serves() throws IOException {
    for (int reduce = 0; reduce < REDUCES; reduce++) {
      int wanted = reduce;
      List<WireSegment> expected = outputs.stream().map(output -> output.segment(wanted)).toList();
      List<String> maps = outputs.stream().map(Output::attempt).toList();
      assertEquals(expected, server.fetch(alice, reduce, maps).segments());
      servedBytes += expected.stream().mapToLong(WireSegment::compressedLength).sum();
    }
  }
}
