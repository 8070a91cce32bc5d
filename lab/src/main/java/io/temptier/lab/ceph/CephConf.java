// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.process.Template;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The {@code ceph.conf} of a testbed: one node on loopback, no replicas, small. */
final class CephConf {
  private CephConf() {}

  static String text(
      CephHome home, CephSpec spec, UUID fsid, int monitorPort, List<Integer> gatewayPorts)
      throws IOException {
    Map<String, Object> values =
        Map.of(
            "home", home.path(),
            "fsid", fsid,
            "monitorPort", monitorPort,
            "keyring", home.keyring(),
            "osdBytes", spec.osdBytes());
    StringBuilder conf =
        new StringBuilder(
            Template.text(
                CephConf.class,
                "ceph.conf",
                name -> Objects.requireNonNull(values.get(name), name)));
    for (int i = 0; i < gatewayPorts.size(); i++) {
      conf.append(
          """
          [client.rgw.%d]
          rgw frontends = beast endpoint=127.0.0.1:%d tcp_nodelay=1
          """
              .formatted(i, gatewayPorts.get(i)));
    }
    return conf.toString();
  }
}
