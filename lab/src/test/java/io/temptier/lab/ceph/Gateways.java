// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.cluster.LoopbackPorts;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What tests do to a cluster's gateways, which are numbered from 0. */
final class Gateways {
  /** In the line that a gateway logs of each request, as web servers do. */
  private static final String ANSWERED = " beast: ";

  private Gateways() {}

  static void kill(CephCluster ceph, int index) {
    ceph.kill(CephCluster.gateway(index));
  }

  /** Stops one's process: it accepts connections, and does nothing. */
  static void pause(CephCluster ceph, int index) throws IOException {
    ceph.signal(CephCluster.gateway(index), "STOP");
  }

  static void resume(CephCluster ceph, int index) throws IOException {
    ceph.signal(CephCluster.gateway(index), "CONT");
  }

  /** Starts one that was ended, and waits until it listens. */
  static void start(CephCluster ceph, int index) throws IOException {
    ceph.startGateway(CephCluster.gateway(index));
    ceph.awaitGateway(index);
  }

  /**
   * How many requests one has answered since it was first started, by its own log. What it answered
   * within the last moments may not be in there yet.
   */
  static long answered(CephCluster ceph, int index) throws IOException {
    Path log = ceph.logFile(CephCluster.gateway(index));
    try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
      return lines.filter(line -> line.contains(ANSWERED)).count();
    }
  }

  /**
   * Starts one more, which speaks https only, and waits until it listens.
   *
   * @param certificate a file with a certificate and its key, as PEM
   * @return where it is
   */
  static URI startTls(CephCluster ceph, Path certificate) throws IOException {
    String name = "client.rgw.tls";
    int port = new LoopbackPorts().next();
    String address = "ssl_endpoint=127.0.0.1:" + port + " ssl_certificate=" + certificate;
    ceph.startGateway(name, "--rgw-frontends=beast " + address);
    ceph.awaitPort(name, port);
    return URI.create("https://127.0.0.1:" + port);
  }

  /** Starts one more with an option, and waits until it listens. It ends with the Ceph. */
  static URI startMore(CephCluster ceph, String option) throws IOException {
    int port = new LoopbackPorts().next();
    startAt(ceph, "client.rgw.more" + port, port, option);
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The same at a port that is told. */
  static void startAt(CephCluster ceph, String name, int port, String... options)
      throws IOException {
    String frontend = "--rgw-frontends=beast endpoint=127.0.0.1:" + port;
    ceph.startGateway(
        name, Stream.concat(Stream.of(frontend), Stream.of(options)).toArray(String[]::new));
    ceph.awaitPort(name, port);
  }
}
