// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

class SpreadingSyncClientTest extends TwoGateways {
  private static void put(S3Client client, String key, byte[] bytes) {
    client.putObject(request(key), RequestBody.fromBytes(bytes));
  }

  private static PutObjectRequest request(String key) {
    return PutObjectRequest.builder().bucket(FakeZone.BUCKET).key(key).build();
  }

  @Test
  void requestsAreSplitAndSignedForTheHostTheyGoTo() throws IOException {
    try (S3Client client = client()) {
      for (int i = 0; i < 10; i++) {
        put(client, "key-" + i, bytes);
        client.headObject(b -> b.bucket(FakeZone.BUCKET).key("object"));
      }
    }
    assertEquals(List.of(10, 10), zone.requests());
    for (int i = 0; i < 2; i++) {
      String host = zone.gateway(i).endpoint().replace("http://", "");
      assertTrue(zone.gateway(i).hosts().size() >= 10, "signatures hold the host");
      assertTrue(zone.gateway(i).hosts().stream().allMatch(host::equals), "and it is this one");
      assertEquals(10, zone.counts(i).value(GatewayCounter.REQUESTS));
    }
    assertArrayEquals(bytes, zone.objects().get("key-9"));
  }

  @Test
  void aStreamCountsUntilItEndsIsClosedOrAborted() throws IOException {
    try (S3Client client = client()) {
      ResponseInputStream<GetObjectResponse> read = client.getObject(OBJECT);
      assertEquals(1, sum(GatewayCounter.OUTSTANDING));
      int busy = zone.counts(0).value(GatewayCounter.OUTSTANDING) == 1 ? 0 : 1;
      for (int i = 0; i < 6; i++) {
        client.headObject(b -> b.bucket(FakeZone.BUCKET).key("object"));
      }
      assertEquals(1, zone.counts(busy).value(GatewayCounter.REQUESTS), "the idle one got them");
      assertArrayEquals(bytes, read.readAllBytes());
      assertEquals(0, sum(GatewayCounter.OUTSTANDING), "read to its end");
      ResponseInputStream<GetObjectResponse> closed = client.getObject(OBJECT);
      ResponseInputStream<GetObjectResponse> aborted = client.getObject(OBJECT);
      assertEquals(2, sum(GatewayCounter.OUTSTANDING));
      assertEquals(0, closed.read());
      closed.close();
      assertEquals(1, sum(GatewayCounter.OUTSTANDING));
      aborted.abort();
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @Test
  void whenOneIsKilledItsRequestsGoElsewhereAndItComesBack() throws Exception {
    try (S3Client client = client()) {
      put(client, "warm-0", bytes);
      put(client, "warm-1", bytes);
      zone.gateway(0).kill();
      for (int i = 0; i < 20; i++) {
        put(client, "key-" + i, bytes);
        assertArrayEquals(bytes, zone.objects().get("key-" + i), "the whole body, sent again");
      }
      assertEquals(1, zone.counts(0).value(GatewayCounter.TAKEN_OUT));
      assertTrue(zone.counts(0).value(GatewayCounter.RETRIED) >= 1);
      zone.gateway(0).restart();
      comesBack(0);
      int before = zone.gateway(0).requests();
      for (int i = 0; i < 10; i++) {
        put(client, "again-" + i, bytes);
      }
      assertEquals(before + 5, zone.gateway(0).requests());
    }
  }

  @Test
  void oneThatAnswersErrorsIsTakenOutAndProbed() throws Exception {
    try (S3Client client = client()) {
      zone.gateway(1).failWith(503);
      for (int i = 0; i < 10; i++) {
        put(client, "key-" + i, bytes);
      }
      assertEquals(3, zone.counts(1).value(GatewayCounter.FAILURES), "as many as it may");
      assertEquals(1, zone.counts(1).value(GatewayCounter.TAKEN_OUT));
      Eventually.holds("it is probed", () -> zone.gateway(1).probes() >= 2);
      assertEquals(0, zone.counts(1).value(GatewayCounter.TAKEN_BACK), "503 is no answer");
      // A refusal is one.
      zone.gateway(1).failWith(403);
      comesBack(1);
    }
  }

  @Test
  void anErrorOfTheRequestItselfIsNotTriedElsewhere() throws IOException {
    try (S3Client client = client()) {
      assertThrows(
          NoSuchKeyException.class,
          () -> client.getObject(b -> b.bucket(FakeZone.BUCKET).key("none")));
      assertEquals(1, zone.requests().get(0) + zone.requests().get(1));
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @Test
  void aBodyThatCannotBeSentTwiceSurfacesWithTheFirstFailure() throws IOException {
    // That signer reads a body before it is sent.
    conf.unset("fs.s3a.s3.signing-algorithm");
    try (S3Client client = client()) {
      zone.gateway(0).failWith(500);
      zone.gateway(1).failWith(500);
      S3Exception e =
          assertThrows(
              S3Exception.class,
              () ->
                  client.putObject(
                      request("once"), RequestBody.fromInputStream(once(), bytes.length)));
      assertEquals(500, e.statusCode());
      assertEquals(1, zone.requests().get(0) + zone.requests().get(1));
    }
  }

  /** A stream that cannot go back. */
  private FilterInputStream once() {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public boolean markSupported() {
        return false;
      }
    };
  }

  @Test
  void whenAllAreDownTheCallerHearsItAfterItsRetries() throws IOException {
    conf.setInt("fs.s3a.attempts.maximum", 2);
    try (S3Client client = client()) {
      zone.gateway(0).kill();
      zone.gateway(1).kill();
      assertThrows(SdkClientException.class, () -> put(client, "key", bytes));
      assertEquals(3, sum(GatewayCounter.REQUESTS));
      zone.gateway(1).restart();
      put(client, "key", bytes);
    }
  }

  @Test
  void withoutRetriesNothingIsSentTwice() throws IOException {
    conf.setInt("fs.s3a.attempts.maximum", 0);
    try (S3Client client = client()) {
      zone.gateway(0).failWith(500);
      zone.gateway(1).failWith(500);
      assertThrows(S3Exception.class, () -> put(client, "key", bytes));
      assertEquals(1, zone.requests().get(0) + zone.requests().get(1));
    }
  }

  @Test
  void pagesOfAListingGoOneWay() throws IOException {
    for (int i = 0; i < 9; i++) {
      zone.objects().put("list/" + i, new byte[1]);
    }
    try (S3Client client = client()) {
      List<String> keys =
          client
              .listObjectsV2Paginator(b -> b.bucket(FakeZone.BUCKET).maxKeys(2))
              .contents()
              .stream()
              .map(S3Object::key)
              .toList();
      assertEquals(10, keys.size(), keys::toString);
      assertEquals(List.of(0, 5), zone.requests().stream().sorted().toList());
    }
  }

  @Test
  void byRendezvousAKeyStaysWhereItIs() throws IOException {
    conf.set(EndpointKey.POLICY.key(), "rendezvous");
    try (S3Client client = client()) {
      for (int i = 0; i < 8; i++) {
        put(client, "one-key", bytes);
      }
    }
    assertEquals(
        Map.of(8, 1L, 0, 1L), Map.of(zone.requests().get(0), 1L, zone.requests().get(1), 1L));
  }

  @Test
  void withOneEndpointOrNoneTheClientIsHadoopsOwn() throws IOException {
    String stock = "";
    conf.set(EndpointKey.ENDPOINTS.key(), zone.gateway(1).endpoint());
    try (S3Client one = client()) {
      put(one, "key", bytes);
      assertEquals(List.of(0, 1), zone.requests(), "where the key says");
      stock = one.getClass().getName();
    }
    conf.unset(EndpointKey.ENDPOINTS.key());
    try (S3Client none = client()) {
      assertEquals(stock, none.getClass().getName());
      assertEquals(
          "http://127.0.0.1:1",
          none.serviceClientConfiguration().endpointOverride().orElseThrow().toString());
    }
    assertTrue(stock.startsWith("software.amazon.awssdk."), stock);
  }

  @Test
  void itStandsForAClient() throws IOException {
    S3Client client = client();
    assertEquals("s3", client.serviceName());
    assertEquals(
        zone.gateway(0).endpoint(),
        client.serviceClientConfiguration().endpointOverride().orElseThrow().toString());
    assertTrue(client.toString().contains(zone.gateway(1).endpoint()), client.toString());
    assertEquals(client, client);
    assertNotEquals(client, client());
    client.close();
    client.close();
    assertThrows(RuntimeException.class, () -> put(client, "key", bytes));
    assertEquals(0, sum(GatewayCounter.OUTSTANDING));
  }

  @Test
  void theParametersAreLeftAsTheyWere() throws IOException {
    var parameters = FakeZone.parameters();
    SpreadingS3ClientFactory factory = FakeZone.factory(conf);
    factory.createS3Client(FakeZone.BUCKET_URI, parameters).close();
    assertEquals("http://127.0.0.1:1", parameters.getEndpoint());
  }

  @Test
  void whatCannotBeUsedIsSaidWhenS3aBegins() {
    conf.set(EndpointKey.POLICY.key(), "random");
    IOException e = assertThrows(IOException.class, this::client);
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("temptier.s3a.endpoint.policy = \"random\""),
        e.getMessage());
    assertFalse(String.valueOf(e.getMessage()).isEmpty());
  }

  /** How many requests all gateways got for one that is always refused. */
  private static int requestsOfOne(FakeZone of, Configuration conf) throws IOException {
    int before = of.requests().stream().mapToInt(Integer::intValue).sum();
    try (S3Client client =
        FakeZone.factory(conf).createS3Client(FakeZone.BUCKET_URI, FakeZone.parameters())) {
      S3Exception e = assertThrows(S3Exception.class, () -> put(client, "key", new byte[10]));
      assertEquals(503, e.statusCode(), "S3A hears of it, and waits by its own policy");
    }
    return of.requests().stream().mapToInt(Integer::intValue).sum() - before;
  }

  @Test
  void whenAllThrottleNoMoreIsSentThanByStockAndNoneIsTakenOut() throws IOException {
    try (FakeZone three = new FakeZone(3)) {
      Configuration spread = three.conf();
      int ours = 0;
      for (int i = 0; i < 3; i++) {
        three.gateway(i).failWith(503);
      }
      for (int i = 0; i < 3; i++) {
        ours += requestsOfOne(three, spread);
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(0, three.counts(i).value(GatewayCounter.TAKEN_OUT));
      }
      spread.set(EndpointKey.ENDPOINTS.key(), three.gateway(0).endpoint());
      assertEquals(3 * requestsOfOne(three, spread), ours);
    }
  }
}
