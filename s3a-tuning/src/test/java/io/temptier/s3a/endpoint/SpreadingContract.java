// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** What both clients over several gateways do. */
abstract class SpreadingContract<C extends SdkClient> extends TwoGateways {
  abstract C open() throws IOException;

  /** Writes {@link #bytes}; throws what the SDK throws. */
  abstract void put(C client, String key);

  /** As the streams of S3A read. */
  abstract ResponseInputStream<GetObjectResponse> get(C client, String key);

  @Test
  final void requestsAreSplitAndSignedForTheHostTheyGoTo() throws IOException {
    try (C client = open()) {
      for (int i = 0; i < 10; i++) {
        put(client, "key-" + i);
        assertArrayEquals(bytes, get(client, "object").readAllBytes());
      }
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
    assertEquals(List.of(10, 10), zone.requests());
    for (int i = 0; i < 2; i++) {
      String host = zone.gateway(i).endpoint().replace("http://", "");
      assertTrue(zone.gateway(i).hosts.size() >= 10, "signatures hold the host");
      assertTrue(zone.gateway(i).hosts.stream().allMatch(host::equals), "and it is this one");
      assertEquals(10, zone.counts(i).value(GatewayCounter.REQUESTS));
    }
    assertArrayEquals(bytes, zone.objects().get("key-9"));
  }

  @Test
  final void aStreamCountsUntilItEndsIsClosedOrAborted() throws IOException {
    try (C client = open()) {
      ResponseInputStream<GetObjectResponse> read = get(client, "object");
      assertEquals(1, sum(GatewayCounter.OUTSTANDING));
      int busy = zone.counts(0).value(GatewayCounter.OUTSTANDING) == 1 ? 0 : 1;
      for (int i = 0; i < 6; i++) {
        put(client, "key");
      }
      assertEquals(1, zone.counts(busy).value(GatewayCounter.REQUESTS), "the idle one got them");
      assertArrayEquals(bytes, read.readAllBytes());
      assertEquals(0, sum(GatewayCounter.OUTSTANDING), "read to its end");
      ResponseInputStream<GetObjectResponse> closed = get(client, "object");
      ResponseInputStream<GetObjectResponse> aborted = get(client, "object");
      assertEquals(2, sum(GatewayCounter.OUTSTANDING));
      assertEquals(0, closed.read());
      closed.close();
      assertEquals(1, sum(GatewayCounter.OUTSTANDING));
      aborted.abort();
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @Test
  final void whenOneIsKilledItsRequestsGoElsewhereAndItComesBack() throws IOException {
    try (C client = open()) {
      put(client, "warm-0");
      put(client, "warm-1");
      zone.gateway(0).kill();
      for (int i = 0; i < 20; i++) {
        put(client, "key-" + i);
        assertArrayEquals(bytes, zone.objects().get("key-" + i), "the whole body, sent again");
        assertArrayEquals(bytes, get(client, "object").readAllBytes());
      }
      assertEquals(1, zone.counts(0).value(GatewayCounter.TAKEN_OUT));
      assertTrue(zone.counts(0).value(GatewayCounter.RETRIED) >= 1);
      zone.gateway(0).restart();
      comesBack(0);
      int before = zone.gateway(0).requests.get();
      for (int i = 0; i < 10; i++) {
        put(client, "again-" + i);
      }
      assertEquals(before + 5, zone.gateway(0).requests.get());
    }
  }

  @Test
  final void anErrorOfTheRequestItselfIsNotTriedElsewhere() throws IOException {
    try (C client = open()) {
      assertThrows(NoSuchKeyException.class, () -> get(client, "none"));
      assertEquals(1, zone.requests().get(0) + zone.requests().get(1));
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @Test
  final void whenAllAreDownTheCallerHearsItAfterItsRetries() throws IOException {
    conf.setInt("fs.s3a.attempts.maximum", 2);
    try (C client = open()) {
      zone.gateway(0).kill();
      zone.gateway(1).kill();
      assertThrows(SdkClientException.class, () -> put(client, "key"));
      assertEquals(3, sum(GatewayCounter.REQUESTS));
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
      zone.gateway(1).restart();
      put(client, "key");
    }
  }

  @Test
  final void withOneEndpointOrNoneTheClientIsHadoopsOwn() throws IOException {
    String stock = "";
    conf.set(EndpointKey.ENDPOINTS.key(), zone.gateway(1).endpoint());
    try (C one = open()) {
      put(one, "key");
      assertEquals(List.of(0, 1), zone.requests(), "where the key says");
      stock = one.getClass().getName();
    }
    conf.unset(EndpointKey.ENDPOINTS.key());
    try (C none = open()) {
      assertEquals(stock, none.getClass().getName());
      assertEquals(
          "http://127.0.0.1:1",
          none.serviceClientConfiguration().endpointOverride().orElseThrow().toString());
    }
    assertTrue(stock.startsWith("software.amazon.awssdk."), stock);
  }
}
