// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.process.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/** The files of a testbed. */
record CephHome(Path path) {
  /** Ceph's configuration file has no quotes, and its comments begin in the middle of a line. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+-]+");

  CephHome make() throws IOException {
    if (!PLAIN.matcher(path.toString()).matches()) {
      throw new IOException(
          "Ceph cannot work in " + path + ": its path may hold letters, digits and /._+- only");
    }
    Files.createDirectories(path.resolve("log"));
    Files.createDirectories(path.resolve("run"));
    return this;
  }

  /** Ceph's configuration, which every program of the testbed is given. */
  Path conf() {
    return path.resolve("ceph.conf");
  }

  /** What is in it: one node on loopback, no replicas, small. */
  String confText(CephSpec spec, UUID fsid, int monitorPort, List<Integer> gatewayPorts)
      throws IOException {
    Map<String, Object> values =
        Map.of(
            "home", path,
            "fsid", fsid,
            "monitorPort", monitorPort,
            "keyring", keyring(),
            "osdBytes", spec.osdBytes());
    StringBuilder conf =
        new StringBuilder(
            Template.text(
                CephHome.class,
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

  Path keyring() {
    return path.resolve("keyring");
  }

  Path log(String daemon) {
    return path.resolve("log").resolve(daemon + ".log");
  }

  Path output(String name) {
    return path.resolve("log").resolve(name + ".out");
  }

  /** Makes the folder of a daemon's data, such as {@code osd.0}. */
  void makeData(String daemon) throws IOException {
    Files.createDirectories(path.resolve(daemon));
  }
}
