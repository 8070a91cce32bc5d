// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.s3a.endpoint.EndpointKey;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** S3A over all gateways of a Ceph, and what the gateways themselves say of the split. */
final class Spread {
  private Spread() {}

  static Map<String, String> properties(CephCluster ceph, S3Account account) {
    Map<String, String> properties = TestbedFiles.properties(ceph.gateways(), account);
    properties.put(EndpointKey.PROBE_INTERVAL.key(), "500ms");
    return properties;
  }

  /** What the gateways answered since an earlier count. */
  static List<Long> answered(CephCluster ceph, List<Long> before) throws IOException {
    return List.of(
        Gateways.answered(ceph, 0) - before.get(0), Gateways.answered(ceph, 1) - before.get(1));
  }

  /**
   * Fails unless each of two has a fifth at least: the one that is slower just then gets fewer, the
   * one by which the client deletes and lists gets more.
   */
  static void assertShared(List<Long> answered) {
    long all = answered.get(0) + answered.get(1);
    assertTrue(all > 0, "nothing was answered");
    for (long each : answered) {
      assertTrue(5 * each >= all, () -> "one has less than a fifth: " + answered);
    }
  }
}
