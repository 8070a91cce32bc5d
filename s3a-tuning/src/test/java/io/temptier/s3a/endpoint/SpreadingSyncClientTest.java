// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Texts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

class SpreadingSyncClientTest extends SpreadingContract<S3Client> {
  @Override
  S3Client open() throws IOException {
    return client();
  }

  @Override
  void put(S3Client client, String key) {
    client.putObject(request(key), RequestBody.fromBytes(bytes));
  }

  @Override
  ResponseInputStream<GetObjectResponse> get(S3Client client, String key) {
    return client.getObject(b -> b.bucket(FakeZone.BUCKET).key(key));
  }

  private static PutObjectRequest request(String key) {
    return PutObjectRequest.builder().bucket(FakeZone.BUCKET).key(key).build();
  }

  @Test
  void oneThatAnswersErrorsIsTakenOutAndProbed() throws Exception {
    try (S3Client client = client()) {
      zone.gateway(1).failing = 503;
      for (int i = 0; i < 10; i++) {
        put(client, "key-" + i);
      }
      assertEquals(3, zone.counts(1).value(GatewayCounter.FAILURES), "as many as it may");
      assertEquals(1, zone.counts(1).value(GatewayCounter.TAKEN_OUT));
      Eventually.holds("it is probed", () -> zone.gateway(1).probes.get() >= 2);
      assertEquals(0, zone.counts(1).value(GatewayCounter.TAKEN_BACK), "503 is no answer");
      // A refusal is one.
      zone.gateway(1).failing = 403;
      comesBack(1);
    }
  }

  @Test
  void aBodyThatCannotBeSentTwiceSurfacesWithTheFirstFailure() throws IOException {
    // That signer reads a body before it is sent.
    conf.unset("fs.s3a.s3.signing-algorithm");
    // This stream cannot go back.
    InputStream once =
        new SequenceInputStream(new ByteArrayInputStream(bytes), InputStream.nullInputStream());
    try (S3Client client = client()) {
      zone.gateway(0).failing = 500;
      zone.gateway(1).failing = 500;
      S3Exception e =
          assertThrows(
              S3Exception.class,
              () ->
                  client.putObject(
                      request("once"), RequestBody.fromInputStream(once, bytes.length)));
      assertEquals(500, e.statusCode());
      assertEquals(1, zone.requests().get(0) + zone.requests().get(1));
    }
  }

  @Test
  void withoutRetriesNothingIsSentTwice() throws IOException {
    conf.setInt("fs.s3a.attempts.maximum", 0);
    try (S3Client client = client()) {
      zone.gateway(0).failing = 500;
      zone.gateway(1).failing = 500;
      assertThrows(S3Exception.class, () -> put(client, "key"));
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
  void itStandsForAClient() throws IOException {
    S3Client client = client();
    assertEquals("s3", client.serviceName());
    assertEquals(
        zone.gateway(0).endpoint(),
        client.serviceClientConfiguration().endpointOverride().orElseThrow().toString());
    assertEquals(client, client);
    assertNotEquals(client, client());
    client.close();
    client.close();
    assertThrows(RuntimeException.class, () -> put(client, "key"));
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
    conf.set(EndpointKey.FAILURES.key(), "few");
    Texts.thrown(IOException.class, this::client, "temptier.s3a.endpoint.failures = \"few\"");
  }

  /** How many requests all gateways got for one that is always refused. */
  private int requestsOfOne(FakeZone zone, Configuration conf) throws IOException {
    int before = zone.requests().stream().mapToInt(Integer::intValue).sum();
    try (S3Client client =
        FakeZone.factory(conf).createS3Client(FakeZone.BUCKET_URI, FakeZone.parameters())) {
      S3Exception e = assertThrows(S3Exception.class, () -> put(client, "key"));
      assertEquals(503, e.statusCode(), "S3A hears of it, and waits by its own policy");
    }
    return zone.requests().stream().mapToInt(Integer::intValue).sum() - before;
  }

  @Test
  void whenAllThrottleNoMoreIsSentThanByStockAndNoneIsTakenOut() throws IOException {
    try (FakeZone three = new FakeZone(3)) {
      Configuration spread = three.conf();
      int ours = 0;
      for (int i = 0; i < 3; i++) {
        three.gateway(i).failing = 503;
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

  @Test
  void whereAllAreSlowEachRequestIsAnsweredInTheEnd() throws IOException {
    conf.set(EndpointKey.READ_TIMEOUT.key(), "100ms");
    conf.set(EndpointKey.WRITE_TIMEOUT.key(), "100ms");
    zone.gateway(0).delayMillis = 400;
    zone.gateway(1).delayMillis = 400;
    try (S3Client client = client()) {
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(bytes, client.getObject(OBJECT).readAllBytes());
        put(client, "slow");
        assertArrayEquals(bytes, zone.objects().get("slow"));
      }
      assertTrue(sum(GatewayCounter.FAILURES) < 16, "how slow they are is remembered");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html><p>Wait</p></html>", "<!DOCTYPE html><br>"})
  void aPageIsNoAnswerAndAnotherGatewayIsAsked(String page) throws IOException {
    assertIsNoAnswer(gateway -> gateway.page = page, "a page of HTML");
  }

  @Test
  void halfOfAnObjectIsNoObject() throws IOException {
    assertIsNoAnswer(gateway -> gateway.halves = true, "50000 bytes for a range of 100000");
  }

  private void assertIsNoAnswer(Consumer<FakeGateway> fault, String said) throws IOException {
    fault.accept(zone.gateway(0));
    try (S3Client client = client()) {
      for (int i = 0; i < 4; i++) {
        assertArrayEquals(bytes, client.getObject(OBJECT).readAllBytes());
        assertEquals(
            bytes.length,
            client.headObject(b -> b.bucket(FakeZone.BUCKET).key("object")).contentLength());
        assertEquals(1, client.listObjectsV2(b -> b.bucket(FakeZone.BUCKET)).contents().size());
      }
      fault.accept(zone.gateway(1));
      Texts.thrown(SdkClientException.class, () -> client.getObject(OBJECT), said);
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamThatEndsTooEarlyFails(boolean skips) throws IOException {
    try (GatewayGroup group = new GatewayGroup(EndpointSettings.of(conf))) {
      GetObjectResponse response =
          GetObjectResponse.builder().contentRange("bytes 5-14/99").build();
      ResponseInputStream<GetObjectResponse> stream =
          group
              .lease(Set.of())
              .over(
                  new ResponseInputStream<>(
                      response, AbortableInputStream.create(new ByteArrayInputStream(new byte[8]))),
                  new Watch(EndpointSettings.of(conf).readTimeout()));
      if (skips) {
        assertEquals(6, stream.skip(6));
      }
      Texts.thrown(IOException.class, stream::readAllBytes, "an answer of 10 bytes after 8");
    }
  }

  @Test
  void anUploadWhoseEndWasNotAnsweredIsDoneWhenItsObjectIsWhole() throws IOException {
    try (S3Client client = client()) {
      zone.gateway(0).endsBreak = true;
      zone.gateway(1).endsBreak = true;
      List<CompletedPart> parts = upload(client);
      String etag = Answers.etag(parts);
      for (int i = 0; i < 2; i++) {
        assertEquals('"' + etag + '"', complete(client, parts), "also when it is asked for again");
      }
      assertEquals(2 * bytes.length, Objects.requireNonNull(zone.objects().get("parts")).length);
      List<CompletedPart> others = List.of(parts.get(0));
      S3Exception e = assertThrows(S3Exception.class, () -> complete(client, others));
      assertEquals(404, e.statusCode(), "another's object is there");
    }
  }

  private static String complete(S3Client client, List<CompletedPart> parts) {
    return client
        .completeMultipartUpload(
            end ->
                end.bucket(FakeZone.BUCKET)
                    .key("parts")
                    .uploadId("u1")
                    .multipartUpload(all -> all.parts(parts)))
        .eTag();
  }

  private List<CompletedPart> upload(S3Client client) {
    List<CompletedPart> parts = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      int number = i;
      client.uploadPart(
          part -> part.bucket(FakeZone.BUCKET).key("parts").uploadId("u1").partNumber(number),
          RequestBody.fromBytes(bytes));
      String md5 = HexFormat.of().formatHex(FakeGateway.md5(bytes));
      parts.add(CompletedPart.builder().partNumber(number).eTag('"' + md5 + '"').build());
    }
    return parts;
  }
}
