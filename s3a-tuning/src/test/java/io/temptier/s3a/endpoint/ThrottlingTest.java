// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Gateways that ask for fewer requests. */
class ThrottlingTest {
  private final FakeZone zone = new FakeZone(3);
  private final Configuration conf = zone.conf();

  ThrottlingTest() throws IOException {}

  @AfterEach
  void stop() {
    zone.close();
  }

  /** How many requests all gateways got for one that is always refused. */
  private int requestsOfOne() throws IOException {
    int before = sum();
    try (S3Client client =
        FakeZone.factory(conf).createS3Client(FakeZone.BUCKET_URI, FakeZone.parameters())) {
      S3Exception e =
          assertThrows(
              S3Exception.class,
              () ->
                  client.putObject(
                      b -> b.bucket(FakeZone.BUCKET).key("key"),
                      RequestBody.fromBytes(new byte[10])));
      assertEquals(503, e.statusCode(), "S3A hears of it, and waits by its own policy");
    }
    return sum() - before;
  }

  private int sum() {
    return zone.requests().stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void whenAllThrottleNoMoreIsSentThanByStockAndNoneIsTakenOut() throws IOException {
    for (int i = 0; i < 3; i++) {
      zone.gateway(i).failWith(503);
    }
    int ours = 0;
    for (int i = 0; i < 3; i++) {
      ours += requestsOfOne();
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(0, zone.counts(i).value(GatewayCounter.TAKEN_OUT));
    }
    conf.set(EndpointKey.ENDPOINTS.key(), zone.gateway(0).endpoint());
    assertEquals(3 * requestsOfOne(), ours);
  }
}
