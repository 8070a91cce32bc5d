// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.s3a.endpoint.GatewayCounter;
import io.temptier.s3a.endpoint.GatewayCounts;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
}
