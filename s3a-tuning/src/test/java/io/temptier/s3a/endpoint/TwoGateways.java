// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.fixtures.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.S3ClientFactory.S3ClientCreationParameters;
import org.junit.jupiter.api.AutoClose;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
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

  /** Several gateways to the same objects, on loopback. */
  static final class FakeZone implements AutoCloseable {
    static final String BUCKET = "bucket";
    static final URI BUCKET_URI = URI.create("s3a://" + BUCKET + "/");

    private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final List<FakeGateway> gateways = new ArrayList<>();

    FakeZone(int number) {
      Map<String, byte[]> parts = new ConcurrentSkipListMap<>();
      try {
        for (int i = 0; i < number; i++) {
          gateways.add(new FakeGateway(objects, parts));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Map<String, byte[]> objects() {
      return objects;
    }

    FakeGateway gateway(int index) {
      return gateways.get(index);
    }

    List<Integer> requests() {
      return gateways.stream().map(gateway -> gateway.requests.get()).toList();
    }

    GatewayCounts counts(int index) {
      return GatewayCounts.of(URI.create(gateway(index).endpoint()));
    }

    /** What S3A would be given, with probes as often as a test can wait for. */
    Configuration conf() {
      Configuration conf = new Configuration(false);
      conf.set(
          EndpointKey.ENDPOINTS.key(),
          String.join(",", gateways.stream().map(FakeGateway::endpoint).toList()));
      conf.set(EndpointKey.PROBE_INTERVAL.key(), "50ms");
      conf.set("fs.s3a.s3.signing-algorithm", "AWS4UnsignedPayloadSignerType");
      conf.set("fs.s3a.connection.establish.timeout", "5s");
      conf.set("fs.s3a.retry.throttle.interval", "1ms");
      return conf;
    }

    /** What S3A hands to a factory. */
    static S3ClientCreationParameters parameters() {
      return new S3ClientCreationParameters()
          .withCredentialSet(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
          .withPathUri(BUCKET_URI)
          .withEndpoint("http://127.0.0.1:1")
          .withRegion("us-east-1")
          .withPathStyleAccess(true)
          .withMinimumPartSize(5 << 20)
          .withMultipartThreshold(6 << 20);
    }

    static SpreadingS3ClientFactory factory(Configuration conf) {
      SpreadingS3ClientFactory factory = new SpreadingS3ClientFactory();
      factory.setConf(conf);
      return factory;
    }

    @Override
    public void close() {
      gateways.forEach(FakeGateway::kill);
    }
  }
}
