// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.s3a.S3ClientFactory.S3ClientCreationParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.transfer.s3.S3TransferManager;

class SpreadingAsyncClientTest extends TwoGateways {
  @TempDir private Path folder;

  private S3AsyncClient asyncClient() throws IOException {
    S3ClientCreationParameters parameters = FakeZone.parameters().withMultipartCopyEnabled(false);
    return FakeZone.factory(conf).createS3AsyncClient(FakeZone.BUCKET_URI, parameters);
  }

  private static byte[] read(S3AsyncClient client) {
    return client.getObject(OBJECT, AsyncResponseTransformer.toBytes()).join().asByteArray();
  }

  @Test
  void requestsAreSplit() throws IOException {
    try (S3AsyncClient client = asyncClient()) {
      for (int i = 0; i < 10; i++) {
        String key = "key-" + i;
        client
            .putObject(b -> b.bucket(FakeZone.BUCKET).key(key), AsyncRequestBody.fromBytes(bytes))
            .join();
        assertArrayEquals(bytes, read(client));
      }
      assertEquals(10, zone.requests().get(0));
      assertEquals(10, zone.requests().get(1));
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  /** As the analytics stream of S3A reads. */
  @Test
  void aStreamCountsUntilItEnds() throws IOException {
    try (S3AsyncClient client = asyncClient()) {
      ResponseInputStream<GetObjectResponse> stream =
          client.getObject(OBJECT, AsyncResponseTransformer.toBlockingInputStream()).join();
      assertEquals(1, sum(GatewayCounter.OUTSTANDING));
      assertArrayEquals(bytes, stream.readAllBytes());
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
      client.getObject(OBJECT, AsyncResponseTransformer.toBlockingInputStream()).join().abort();
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @Test
  void whenOneIsKilledItsRequestsGoElsewhereAndItComesBack() throws Exception {
    try (S3AsyncClient client = asyncClient()) {
      read(client);
      read(client);
      zone.gateway(1).kill();
      for (int i = 0; i < 10; i++) {
        assertArrayEquals(bytes, read(client));
      }
      assertEquals(1, zone.counts(1).value(GatewayCounter.TAKEN_OUT));
      zone.gateway(1).restart();
      comesBack(1);
    }
  }

  @Test
  void anErrorOfTheRequestItselfIsNotTriedElsewhere() throws IOException {
    try (S3AsyncClient client = asyncClient()) {
      CompletionException e =
          assertThrows(
              CompletionException.class,
              () ->
                  client
                      .getObject(
                          b -> b.bucket(FakeZone.BUCKET).key("none"),
                          AsyncResponseTransformer.toBytes())
                      .join());
      assertInstanceOf(NoSuchKeyException.class, e.getCause());
      assertEquals(1, zone.requests().get(0) + zone.requests().get(1));
    }
  }

  @Test
  void aFailureOfAllReachesTheCaller() throws IOException {
    conf.setInt("fs.s3a.attempts.maximum", 1);
    try (S3AsyncClient client = asyncClient()) {
      zone.gateway(0).kill();
      zone.gateway(1).kill();
      assertThrows(CompletionException.class, () -> read(client));
      assertEquals(0, sum(GatewayCounter.OUTSTANDING));
    }
  }

  @Test
  void whatIsCancelledEnds() throws Exception {
    try (S3AsyncClient client = asyncClient()) {
      var asked = client.getObject(OBJECT, AsyncResponseTransformer.toBytes());
      asked.cancel(true);
      Eventually.holds("nothing is under way", () -> sum(GatewayCounter.OUTSTANDING) == 0);
      assertTrue(asked.isDone());
    }
  }

  /** As S3A renames and copies from local files; with a gateway down from the start, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theTransferManagerWorksInParts(boolean oneIsDown) throws IOException {
    byte[] large = new byte[13 << 20];
    new Random(2).nextBytes(large);
    zone.objects().put("large", large);
    Path file = folder.resolve("large");
    Files.write(file, large);
    if (oneIsDown) {
      zone.gateway(0).kill();
    }
    SpreadingS3ClientFactory factory = FakeZone.factory(conf);
    try (S3AsyncClient client =
            factory.createS3AsyncClient(
                FakeZone.BUCKET_URI, FakeZone.parameters().withMultipartCopyEnabled(true));
        S3TransferManager manager = factory.createS3TransferManager(client)) {
      for (int i = 0; i < 2; i++) {
        String copy = "copy-" + i;
        String upload = "upload-" + i;
        manager
            .copy(
                c ->
                    c.copyObjectRequest(
                        r ->
                            r.sourceBucket(FakeZone.BUCKET)
                                .sourceKey("large")
                                .destinationBucket(FakeZone.BUCKET)
                                .destinationKey(copy)))
            .completionFuture()
            .join();
        assertArrayEquals(large, zone.objects().get(copy));
        manager
            .uploadFile(
                u -> u.source(file).putObjectRequest(r -> r.bucket(FakeZone.BUCKET).key(upload)))
            .completionFuture()
            .join();
        assertArrayEquals(large, zone.objects().get(upload));
      }
    }
    if (!oneIsDown) {
      assertTrue(zone.requests().get(0) > 0 && zone.requests().get(1) > 0, "both were used");
    }
  }

  @Test
  void withOneEndpointTheClientIsHadoopsOwn() throws IOException {
    conf.set(EndpointKey.ENDPOINTS.key(), zone.gateway(1).endpoint());
    try (S3AsyncClient client = asyncClient()) {
      assertArrayEquals(bytes, read(client));
      assertTrue(
          client.getClass().getName().startsWith("software.amazon.awssdk."), client.toString());
    }
  }
}
