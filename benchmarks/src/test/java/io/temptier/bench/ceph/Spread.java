// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.SpreadingS3ClientFactory;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** S3A over all gateways of a Ceph, and what the gateways themselves say of the split. */
final class Spread {
  private Spread() {}

  /** S3A's properties, for requests to all gateways. */
  static Map<String, String> properties(CephCluster ceph, S3Account account) {
    Map<String, String> properties = TestbedFiles.properties(ceph.gateways(), account);
    properties.put("fs.s3a.s3.client.factory.impl", SpreadingS3ClientFactory.class.getName());
    properties.put(
        EndpointKey.ENDPOINTS.key(),
        ceph.gateways().stream().map(URI::toString).collect(Collectors.joining(",")));
    properties.put(EndpointKey.PROBE_INTERVAL.key(), "500ms");
    return properties;
  }

  /** What the gateways answered since an earlier count. */
  static List<Long> answered(CephCluster ceph, List<Long> before) throws IOException {
    return List.of(ceph.answeredBy(0) - before.get(0), ceph.answeredBy(1) - before.get(1));
  }

  /** Fails unless each of two has within 10 % of its half. */
  static void assertEven(List<Long> answered) {
    double half = (answered.get(0) + answered.get(1)) / 2.0;
    assertTrue(half > 0, "nothing was answered");
    for (long each : answered) {
      assertTrue(Math.abs(each - half) <= half / 10, () -> "not within 10 % of even: " + answered);
    }
  }
}
