// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
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
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Gateways that are slow, answer for the store, answer in part, or do what they do not say. */
class WrongAnswersTest extends TwoGateways {
  @Test
  void whereAllAreSlowEachRequestIsAnsweredInTheEnd() throws IOException {
    conf.set(EndpointKey.READ_TIMEOUT.key(), "100ms");
    conf.set(EndpointKey.WRITE_TIMEOUT.key(), "100ms");
    zone.gateway(0).delayMillis = 400;
    zone.gateway(1).delayMillis = 400;
    try (S3Client client = client()) {
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(bytes, client.getObject(OBJECT).readAllBytes());
        client.putObject(
            put -> put.bucket(FakeZone.BUCKET).key("slow"), RequestBody.fromBytes(bytes));
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
