// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.s3a.S3ClientFactory.S3ClientCreationParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.transfer.s3.S3TransferManager;

class SpreadingAsyncClientTest extends SpreadingContract<S3AsyncClient> {
  @TempDir private Path folder;

  @Override
  S3AsyncClient open() throws IOException {
    S3ClientCreationParameters parameters = FakeZone.parameters().withMultipartCopyEnabled(false);
    return FakeZone.factory(conf).createS3AsyncClient(FakeZone.BUCKET_URI, parameters);
  }

  @Override
  void put(S3AsyncClient client, String key) {
    join(
        client.putObject(
            b -> b.bucket(FakeZone.BUCKET).key(key), AsyncRequestBody.fromBytes(bytes)));
  }

  /** As the analytics stream of S3A reads. */
  @Override
  ResponseInputStream<GetObjectResponse> get(S3AsyncClient client, String key) {
    return join(
        client.getObject(
            b -> b.bucket(FakeZone.BUCKET).key(key),
            AsyncResponseTransformer.toBlockingInputStream()));
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw (SdkException) e.getCause();
    }
  }

  @Test
  void whatIsCancelledEnds() throws Exception {
    try (S3AsyncClient client = open()) {
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
}
