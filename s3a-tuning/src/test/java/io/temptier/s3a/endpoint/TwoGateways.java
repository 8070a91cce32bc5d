// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.fixtures.Eventually;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AutoClose;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/** Hadoop's own clients, to two gateways on loopback with one object. */
abstract class TwoGateways {
  static final GetObjectRequest OBJECT =
      GetObjectRequest.builder().bucket(FakeZone.BUCKET).key("object").build();

  @AutoClose final FakeZone zone = new FakeZone(2);
  final Configuration conf = zone.conf();

  /** Of the object. */
  final byte[] bytes = bytes(100_000);

  TwoGateways() {
    zone.objects().put("object", bytes);
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i / 251);
    }
    return bytes;
  }

  final S3Client client() throws IOException {
    return FakeZone.factory(conf).createS3Client(FakeZone.BUCKET_URI, FakeZone.parameters());
  }

  final void comesBack(int index) {
    Eventually.holds(
        "it is taken back", () -> zone.counts(index).value(GatewayCounter.TAKEN_BACK) == 1);
  }

  final long sum(GatewayCounter counter) {
    return zone.counts(0).value(counter) + zone.counts(1).value(counter);
  }
}
