// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests and clients that nobody thought of, from seeds that a failure tells. Whatever comes, no
 * byte goes to whom it is not meant for, the handler lives, and nothing is left of it.
 */
final class FuzzTest extends ShuffleContract {
  private static final int REDUCES = 4;

  @AutoClose private final LogWatch log = new LogWatch();
  private ShuffleServer server;
  private ShuffleJob alice;
  private ShuffleJob bob;
  private List<Output> outputs;
  private Footprint before;

  @BeforeEach
  void startServer() throws IOException {
    server = start();
    alice = server.startJob("alice", 1);
    bob = server.startJob("bob", 2);
    outputs = server.outputs().write(alice, 6, 100, 0, 3000, 150_000);
    server.outputs().write(bob, 1, 5000, 5000, 5000, 5000);
    for (int i = 0; i < 10; i++) {
      serves();
    }
    before = Footprint.of(server, folder);
  }

  /** What the handler holds is looked at after all seeds: it keeps warm files for five seconds. */
  @Test
  void clientsThatDoAnything() {
    for (long seed = 1; seed <= 3; seed++) {
      Random random = new Random(seed);
      try {
        doAnything(random, new Mutator(random));
        serves();
      } catch (IOException | AssertionError e) {
        throw new AssertionError("with seed " + seed, e);
      }
    }
    Footprint.assertGivenBack(server, folder, before);
    log.assertQuiet();
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

  /** Fetches everything. */
  private void serves() throws IOException {
    for (int reduce = 0; reduce < REDUCES; reduce++) {
      server.assertServes(alice, reduce, outputs);
    }
  }
}
