// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.s3a.endpoint.GatewayCounter;
import io.temptier.s3a.endpoint.GatewayCounts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * S3A over three real gateways, each behind a relay, one or all of which fail for some time while
 * files are read and written. Prints the longest stalls.
 *
 * <p>With {@code -Dtemptier.faults.stock=SECONDS} stock's S3A does the same beside it, whose one
 * gateway fails in the same way; it is waited for so long, and for all it takes with 1000.
 */
@NeedsCeph
class TroubledGatewaysIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(3);

  private static final long STOCK_SECONDS = Long.getLong("temptier.faults.stock", 0);
  private static final long FAULT_SECONDS = STOCK_SECONDS > 0 ? 20 : 5;
  private static final List<String> TABLE = new ArrayList<>();

  /** A row of the table. */
  enum Trouble {
    NONE("none, to compare with", Relay.Fault.NONE, 1, false, true),
    KILLED("one is killed", Relay.Fault.DEAD, 1, true, false),
    DEAD("one is dead from the start", Relay.Fault.DEAD, 1, true, false),
    BUSY_ONE("one says 503 SlowDown", Relay.Fault.BUSY, 1, true, false),
    BUSY_ALL("all say 503 SlowDown", Relay.Fault.BUSY, 3, false, false),
    /** Requests that go well lie between those that break. */
    RESETS("one resets in the middle", Relay.Fault.RESETS, 1, false, false),
    TRICKLES("one sends a byte every two seconds", Relay.Fault.TRICKLES, 1, true, false),
    TWO_HANG("two of three accept and hang", Relay.Fault.HANGS, 2, true, false),
    SLOW_ALL("all answer after 12 s", Relay.Fault.SLOW, 3, false, false),
    DEAD_ALL("all are down", Relay.Fault.DEAD, 3, true, false),
    /** As a gateway that is stopped, which has a test of its own. */
    HANGS("one accepts and hangs", Relay.Fault.HANGS, 1, true, true);

    private final String label;
    private final Relay.Fault fault;
    private final int relays;
    private final boolean takesOut;
    private final boolean onlyCompared;

    Trouble(String label, Relay.Fault fault, int relays, boolean takesOut, boolean onlyCompared) {
      this.label = label;
      this.fault = fault;
      this.relays = relays;
      this.takesOut = takesOut;
      this.onlyCompared = onlyCompared;
    }
  }

  @AfterAll
  static void print() {
    System.err.println(
        "Longest call in seconds, while it lasts for "
            + FAULT_SECONDS
            + " s, and requests refused");
    System.err.println("| trouble | ours: read | write | 503s | stock: read | write | 503s |");
    System.err.println("|---|---|---|---|---|---|---|");
    TABLE.forEach(System.err::println);
  }

  /** One side of the comparison: a client and the relays it goes through. */
  private record Arm(FaultClient client, List<Relay> relays) {
    void fail(Trouble trouble, Relay.Fault fault) throws IOException {
      for (Relay relay : relays.subList(0, Math.min(trouble.relays, relays.size()))) {
        relay.failBy(fault);
      }
    }

    String cells() {
      return seconds(client.reads())
          + " | "
          + seconds(client.writes())
          + " | "
          + relays.stream().mapToInt(Relay::refused).sum();
    }

    private static String seconds(FaultClient.Side side) {
      String longest =
          String.format(Locale.ROOT, side.isWaiting() ? "over %.0f" : "%.1f", side.longest());
      int failed = side.failures().size();
      return failed == 0 ? longest : longest + ", " + failed + " failed";
    }

    void close() throws IOException {
      for (Relay relay : relays) {
        relay.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void filesAreReadAndWrittenAllTheSame(Trouble trouble) throws Exception {
    assumeTrue(
        STOCK_SECONDS > 0 || !trouble.onlyCompared,
        "shown beside stock only: -Dtemptier.faults.stock=230");
    String bucket = "bucket-" + trouble.name().toLowerCase(Locale.ROOT).replace('_', '-');
    S3Account account = CEPH.owner(trouble.name(), bucket);
    List<URI> gateways = CEPH.cluster().gateways();
    Arm ours = arm(gateways, account, bucket, false);
    List<Arm> arms = new ArrayList<>(List.of(ours));
    if (STOCK_SECONDS > 0) {
      arms.add(arm(gateways.subList(0, 1), account, bucket, true));
    }
    try {
      run(trouble, arms);
      assertEquals(List.of(), ours.client.reads().failures());
      assertEquals(List.of(), ours.client.writes().failures());
      assertEquals(ours.client.writes().done(), ours.client.right());
      if (trouble == Trouble.NONE) {
        assertEquals(0, takenOut(ours));
      } else if (trouble == Trouble.BUSY_ALL) {
        // They turn one after the other: one that still answers has others taken out.
        assertTrue(takenOut(ours) < ours.relays.size(), () -> takenOut(ours) + " were taken out");
      }
    } finally {
      for (Arm arm : arms) {
        arm.close();
      }
    }
  }

  private static long takenOut(Arm arm) {
    return arm.relays.stream()
        .mapToLong(relay -> GatewayCounts.of(relay.uri()).value(GatewayCounter.TAKEN_OUT))
        .sum();
  }

  private static void run(Trouble trouble, List<Arm> arms) throws Exception {
    System.err.println("Begins: " + trouble);
    for (Arm arm : arms) {
      arm.client.prepare();
      if (trouble == Trouble.DEAD) {
        arm.fail(trouble, trouble.fault);
      }
    }
    List<CompletableFuture<Void>> running = arms.stream().map(arm -> arm.client.start()).toList();
    if (trouble != Trouble.DEAD) {
      for (Arm arm : arms) {
        Eventually.holds("it reads and writes", () -> arm.client.writes().done() > 1);
        arm.fail(trouble, trouble.fault);
      }
    }
    Thread.sleep(FAULT_SECONDS * 1_000);
    if (trouble.takesOut) {
      Eventually.holds("it is taken out", () -> takenOut(arms.get(0)) > 0);
    }
    for (Arm arm : arms) {
      arm.fail(trouble, Relay.Fault.NONE);
    }
    FaultClient ours = arms.get(0).client;
    int before = ours.writes().done();
    Eventually.holds("it goes on", () -> ours.writes().done() > before);
    arms.forEach(arm -> arm.client.stop());
    running.get(0).join();
    if (running.size() > 1) {
      try {
        running.get(1).get(STOCK_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        System.err.println("Stock's S3A still waits");
      }
    }
    StringBuilder row = new StringBuilder("| " + trouble.label);
    arms.forEach(arm -> row.append(" | ").append(arm.cells()));
    TABLE.add(row + " |");
  }

  private static Arm arm(List<URI> gateways, S3Account account, String bucket, boolean stock)
      throws IOException {
    List<Relay> relays = new ArrayList<>();
    for (URI gateway : gateways) {
      relays.add(new Relay(gateway));
    }
    List<URI> uris = relays.stream().map(Relay::uri).toList();
    Map<String, String> properties = TestbedFiles.properties(uris, account);
    String folder = stock ? "stock" : "ours";
    return new Arm(new FaultClient(properties, bucket, folder), relays);
  }

  @Test
  void aGatewayThatIsStoppedIsLeftOut() throws Exception {
    GatewayCounts first = GatewayCounts.of(CEPH.gatewayUri(0));
    Map<String, String> properties = CEPH.properties(CEPH.owner("stopped", "stopped"));
    FaultClient client = new FaultClient(properties, "stopped", "ours");
    client.prepare();
    CompletableFuture<Void> running = client.start();
    Eventually.holds("it reads and writes", () -> client.writes().done() > 1);
    CEPH.signal(0, "STOP");
    try {
      Eventually.holds("it is taken out", () -> first.value(GatewayCounter.TAKEN_OUT) > 0);
      int before = client.writes().done();
      Eventually.holds("it goes on", () -> client.writes().done() > before + 1);
      assertEquals(0, first.value(GatewayCounter.TAKEN_BACK));
    } finally {
      CEPH.signal(0, "CONT");
    }
    Eventually.holds("it is taken back", () -> first.value(GatewayCounter.OUT) == 0);
    client.stop();
    running.join();
    assertEquals(List.of(), client.reads().failures());
    assertEquals(List.of(), client.writes().failures());
    assertEquals(client.writes().done(), client.right());
    assertTrue(client.reads().done() > 0);
  }

  /** Stands before a gateway on loopback, and can fail as gateways do. Thread safe. */
  private static final class Relay implements Closeable {
    enum Fault {
      /** It passes on what comes. */
      NONE,
      /** It ends: connections are reset, and nothing listens. */
      DEAD,
      /** It accepts connections and passes nothing on, for as long as they live. */
      HANGS,
      /** It answers every request with 503 SlowDown. */
      BUSY,
      /** It resets a connection after {@link #RESET_BYTES} in either direction. */
      RESETS,
      /** Its answers come by a byte every two seconds. */
      TRICKLES,
      /** Its answers begin {@link #SLOW_MILLIS} late. */
      SLOW
    }

    private static final long RESET_BYTES = 1 << 20;
    private static final int CHUNK = 64 << 10;
    private static final long TRICKLE_MILLIS = 2_000;

    /** More than a read is waited for where another gateway may be faster. */
    private static final long SLOW_MILLIS = 12_000;

    private final URI gateway;
    private final int port;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile Fault fault = Fault.NONE;
    private @Nullable ServerSocket server;

    Relay(URI gateway) throws IOException {
      this.gateway = gateway;
      this.port = listen(0);
    }

    private synchronized int listen(int wanted) throws IOException {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      // Small, or the kernel takes a whole part for a relay that hangs.
      socket.setReceiveBufferSize(CHUNK);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
      server = socket;
      Balancer.start(() -> accept(socket));
      return socket.getLocalPort();
    }

    URI uri() {
      return URI.create("http://127.0.0.1:" + port);
    }

    /** How many requests it answered with 503. */
    int refused() {
      return refused.get();
    }

    /** Fails from now on, or no longer. Connections that hang do so on. */
    synchronized void failBy(Fault how) throws IOException {
      if (fault == Fault.DEAD && how != Fault.DEAD) {
        listen(port);
      }
      fault = how;
      if (how == Fault.DEAD) {
        close();
      } else if (how == Fault.HANGS) {
        connections.forEach(connection -> connection.hangs = true);
      }
    }

    private void accept(ServerSocket socket) {
      while (true) {
        Connection connection;
        try {
          connection = new Connection(socket.accept());
        } catch (IOException e) {
          return;
        }
        connections.add(connection);
        connection.hangs = fault == Fault.HANGS;
        Balancer.start(connection::serve);
      }
    }

    @Override
    public synchronized void close() throws IOException {
      if (server != null) {
        server.close();
        server = null;
      }
      connections.forEach(Connection::reset);
      connections.clear();
    }

    /** A client's connection, and ours to the gateway. */
    private final class Connection {
      private final Socket client;
      private final AtomicLong passed = new AtomicLong();
      private final CountDownLatch ended = new CountDownLatch(1);
      private volatile @Nullable Socket behind;
      private volatile boolean hangs;

      /** The gateway has said nothing to the last request. */
      private volatile boolean asked;

      Connection(Socket client) {
        this.client = client;
      }

      void serve() {
        try {
          Socket there = new Socket(gateway.getHost(), gateway.getPort());
          behind = there;
          Balancer.start(() -> pump(there, client, false));
          pump(client, there, true);
        } catch (IOException e) {
          reset();
        }
      }

      private void pump(Socket from, Socket to, boolean requests) {
        byte[] chunk = new byte[CHUNK];
        try {
          InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream();
          while (true) {
            if (hangs) {
              ended.await();
            }
            int read = in.read(chunk);
            if (hangs) {
              ended.await();
            }
            if (read < 0) {
              break;
            }
            if (requests && fault == Fault.BUSY) {
              refuse();
              break;
            }
            asked |= requests;
            if (!requests && asked && fault == Fault.SLOW) {
              asked = false;
              Thread.sleep(SLOW_MILLIS);
            }
            if (fault == Fault.RESETS && passed.addAndGet(read) > RESET_BYTES) {
              break;
            }
            if (!requests && fault == Fault.TRICKLES) {
              trickle(out, chunk, read);
            } else {
              out.write(chunk, 0, read);
            }
          }
        } catch (IOException e) {
          // As the other side ended it.
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        reset();
      }

      /** Until it no longer fails: then the rest comes at once. */
      private void trickle(OutputStream out, byte[] chunk, int length)
          throws IOException, InterruptedException {
        int sent = 0;
        while (sent < length && fault == Fault.TRICKLES) {
          out.write(chunk, sent++, 1);
          out.flush();
          Thread.sleep(TRICKLE_MILLIS);
        }
        out.write(chunk, sent, length - sent);
      }

      private void refuse() throws IOException {
        refused.incrementAndGet();
        client.getOutputStream().write(Balancer.SLOW_DOWN.getBytes(StandardCharsets.US_ASCII));
        client.shutdownOutput();
        // The rest of the request, or the client hears of a reset instead.
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
      }

      void reset() {
        ended.countDown();
        connections.remove(this);
        for (Socket socket : new @Nullable Socket[] {client, behind}) {
          try {
            if (socket != null) {
              socket.setSoLinger(true, 0);
              socket.close();
            }
          } catch (IOException e) {
            // Closed by the other thread.
          }
        }
      }
    }
  }
}
