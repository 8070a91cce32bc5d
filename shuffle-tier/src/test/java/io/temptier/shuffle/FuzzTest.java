// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Trees;
import io.temptier.shuffle.MapOutputs.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests and clients that nobody thought of, from seeds that a failure tells, beside clients that
 * fetch what is theirs. Whatever comes, no byte goes to whom it is not meant for, the handler
 * lives, and nothing is left: one that kept anything of a single fetch would show it.
 */
final class FuzzTest extends ShuffleContract {
  private static final int CLIENTS = 8;
  private static final int REDUCES = 5;

  @AutoClose private final LogWatch log = new LogWatch();
  private ShuffleServer server;
  private ShuffleJob alice;
  private ShuffleJob bob;
  private List<Output> outputs;

  @BeforeEach
  void startServer() throws IOException {
    serveBy(start());
  }

  private void serveBy(ShuffleServer started) throws IOException {
    server = started;
    alice = server.startJob("alice", 1);
    bob = server.startJob("bob", 2);
    outputs = server.outputs().write(alice, 12, 100, 0, 3000, 150_000, 1 << 20);
    server.outputs().write(bob, 1, 5000, 5000, 5000, 5000, 5000);
  }

  @Test
  void clientsThatDoAnything() throws Exception {
    nothingIsLeftOf(200);
  }

  @Test
  void clientsThatDoAnythingOverTls() throws Exception {
    TestKeys keys = TestKeys.shared();
    serveBy(keys.onClassPath(() -> start(keys.settings(false))).reachedBy(keys.sockets(false)));
    nothingIsLeftOf(13);
  }

  /** What the handler holds is looked at after all seeds: it keeps warm files for five seconds. */
  private void nothingIsLeftOf(int connections) throws Exception {
    for (int i = 0; i < 3; i++) {
      serves();
    }
    Footprint before = Footprint.of(server, folder);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Callable<Void>> clients = new ArrayList<>();
      for (int client = 1; client <= CLIENTS; client++) {
        long seed = client;
        clients.add(
            () -> {
              doAnything(seed, connections);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(clients)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    serves();
    Footprint.assertGivenBack(server, folder, before);
    Eventually.holds(
        "no response is under way",
        () -> ShuffleHandlerInternals.counts(server.handler()).current() == 0);
    log.assertQuiet();
  }

  private void doAnything(long seed, int connections) {
    Random random = new Random(seed);
    Mutator mutator = new Mutator(random);
    try {
      for (int i = 0; i < connections; i++) {
        server.assertServes(alice, random.nextInt(REDUCES), someMaps(random));
        misbehave(random, mutator);
      }
    } catch (IOException | AssertionError e) {
      throw new AssertionError("with seed " + seed, e);
    }
  }

  private void misbehave(Random random, Mutator mutator) throws IOException {
    boolean authorised = random.nextBoolean();
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    for (int more = random.nextInt(6); more >= 0; more--) {
      byte[] good = good(random, random.nextInt(3) > 0).toBytes();
      requests.writeBytes(
          !authorised
              ? unauthorised(random, mutator)
              : random.nextInt(4) == 0 ? mutator.bytes(good) : good);
    }
    try (RawHttp http = server.connect(1 << 15)) {
      sendInPieces(http, mutator.pieces(requests.toByteArray()));
      String answer = leave(http, random);
      assertTrue(authorised || !answer.contains(MapOutputs.MARKER), answer);
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
    List<String> maps = MapOutputs.attempts(someMaps(random));
    RawRequest request = RawRequest.of(alice, random.nextInt(REDUCES), maps);
    return (keepAlive ? request.keepAlive() : request).sign(alice, server.port());
  }

  private List<Output> someMaps(Random random) {
    return random.ints(1 + random.nextInt(4), 0, outputs.size()).mapToObj(outputs::get).toList();
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
          return new String(
              http.read(random.nextInt(random.nextBoolean() ? 200 : 100_000)), ISO_8859_1);
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

  /**
   * What a handler holds on behalf of its clients, as counted in this JVM.
   *
   * @param openOutputs descriptors of files in its local dirs
   * @param sockets descriptors of sockets, those of the clients among them
   * @param descriptors all descriptors but those of jars
   * @param connections that it has accepted and not closed
   * @param nettyBytes in buffers of Netty, on the heap or not, that nobody has released
   * @param segmentBytes of the handler's own memory for segments
   * @param files everything in the local dirs
   */
  private record Footprint(
      List<String> openOutputs,
      long sockets,
      long descriptors,
      int connections,
      long nettyBytes,
      long segmentBytes,
      List<String> files) {
    /** Netty's codecs keep a few constants, such as line ends, in buffers. */
    private static final long CONSTANT_BYTES = 1024;

    /** Counts. */
    static Footprint of(ShuffleServer server, Path folder) throws IOException {
      List<String> open = OpenFiles.all();
      String below = folder.toRealPath().toString();
      return new Footprint(
          open.stream().filter(file -> file.startsWith(below)).toList(),
          open.stream().filter(file -> file.startsWith("socket:")).count(),
          open.stream().filter(file -> !file.endsWith(".jar")).count(),
          // One is the server's own.
          ShuffleHandlerInternals.channels(server.handler()) - 1,
          unreleasedBytes(),
          server.segmentBytes(),
          Trees.below(folder).stream().map(file -> file + " " + bytes(file)).sorted().toList());
    }

    private static long unreleasedBytes() {
      return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()
          + PooledByteBufAllocator.DEFAULT.pinnedHeapMemory()
          + UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()
          + UnpooledByteBufAllocator.DEFAULT.metric().usedHeapMemory();
    }

    private static long bytes(Path file) {
      return Files.isDirectory(file) ? 0 : file.toFile().length();
    }

    /** Whether nothing is held for clients any more, that was not before there were any. */
    private boolean givenBack(Footprint before) {
      return openOutputs.isEmpty()
          && sockets <= before.sockets
          && descriptors <= before.descriptors
          && connections == 0
          && nettyBytes <= CONSTANT_BYTES
          && segmentBytes == 0
          && files.equals(before.files);
    }

    /** Fails when a handler whose clients are all gone does not give back what it held for them. */
    static void assertGivenBack(ShuffleServer server, Path folder, Footprint before) {
      Footprint[] now = {before};
      try {
        Eventually.holds(
            "given back",
            () -> {
              now[0] = of(server, folder);
              return now[0].givenBack(before);
            });
      } catch (AssertionError e) {
        List<String> more = new ArrayList<>(now[0].files);
        more.removeAll(before.files);
        throw new AssertionError(before + " became " + now[0] + ", new or changed: " + more, e);
      }
    }
  }
}
