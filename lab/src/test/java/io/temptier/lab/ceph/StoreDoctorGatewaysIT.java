// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.NeedsCeph;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.SdkGlobalTime;

/**
 * What goes wrong between jobs and gateways (one that hangs, that is another's, clocks, proxies,
 * TLS), and what {@code temptier s3a doctor} says of it.
 */
@NeedsCeph
class StoreDoctorGatewaysIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(2);

  private static final String ENDPOINT = "fs.s3a.endpoint";
  private static final String LIST = "temptier.s3a.endpoints";

  @TempDir private static Path shared;

  private static SoundSetUp sound;
  private static SelfSigned certificate;
  private static URI tls;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws Exception {
    sound = SoundSetUp.on(CEPH.cluster());
    certificate = SelfSigned.make(shared);
    tls = Gateways.startTls(sound.ceph(), certificate.pem());
  }

  private static ServerSocket silence() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static int nobodysPort() throws IOException {
    try (ServerSocket socket = silence()) {
      return socket.getLocalPort();
    }
  }

  private static String local(int port) {
    return "http://127.0.0.1:" + port;
  }

  @Test
  void anEndpointThatHangsIsNamed() throws IOException {
    try (ServerSocket hangs = silence()) {
      sound.fails(
          dir,
          sound.with(ENDPOINT, local(hangs.getLocalPort())),
          "ERROR " + ENDPOINT,
          "The gateway does not answer in time");
    }
  }

  @Test
  void aGatewayThatIsDownIsNamedAndTheOthersAreFine() throws IOException {
    String down = local(nobodysPort());
    sound.passes(
        dir,
        sound.through(down, sound.gateway(0)),
        "WARNING " + LIST + " = " + down,
        "Connection refused",
        "Start it, mend the address, or take it out.",
        "Writes");
  }

  @Test
  void aGatewayThatHangsIsNamedAndTheOthersAreFine() throws IOException {
    try (ServerSocket hangs = silence()) {
      String silent = local(hangs.getLocalPort());
      sound.passes(
          dir,
          sound.through(sound.gateway(0), silent, sound.gateway(1)),
          "WARNING " + LIST + " = " + silent,
          "This gateway does not answer",
          "Bucket: ok");
    }
  }

  @Test
  void whatIsNoGatewayIsNamedInTheListAndAlone() throws IOException {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    web.start();
    try {
      String foreign = local(web.getAddress().getPort());
      sound.fails(
          dir,
          sound.through(sound.gateway(0), foreign),
          "ERROR " + LIST + " = " + foreign,
          "Take it out of the list",
          "Bucket: ok");
      sound.fails(
          dir,
          sound.with(ENDPOINT, foreign),
          "What answers there is no S3 gateway",
          "Look at host");
    } finally {
      web.stop(0);
    }
  }

  /** Its users are others. */
  @Test
  void aGatewayOfAnotherStoreIsNamed() throws Exception {
    try (CephCluster other =
        CephCluster.start(
            Files.createDirectories(shared.resolve("other")),
            CephFixture.spec(1, 1),
            state -> {})) {
      String foreign = other.gateways().get(0).toString();
      sound.fails(
          dir,
          sound.through(sound.gateway(0), foreign),
          "ERROR " + LIST + " = " + foreign,
          "status 403 InvalidAccessKeyId",
          "Reads: ok");
    }
  }

  @Test
  void aProxyThatIsDownIsNamed() throws IOException {
    String port = String.valueOf(nobodysPort());
    sound.fails(
        dir,
        sound.with("fs.s3a.proxy.host", "127.0.0.1", "fs.s3a.proxy.port", port),
        "ERROR fs.s3a.proxy.host = 127.0.0.1",
        "no connection to the proxy",
        "Look at its host, port (fs.s3a.proxy.port)");
  }

  @Test
  void aClockThatIsOffIsNamedWithHowFar() throws IOException {
    try (Relay late = new Relay(sound.ceph().gateways().get(0), Duration.ofMinutes(-5))) {
      sound.passes(
          dir, sound.at(late.uri()), "WARNING clock = 30", "s ahead of the store", "by NTP");
    }
    try (Relay early = new Relay(sound.ceph().gateways().get(0), Duration.ofMinutes(20))) {
      sound.passes(
          dir,
          sound.at(early.uri()),
          "WARNING clock = 1",
          "s behind the store",
          "(RequestTimeTooSkewed): S3A's clients then sign again by the store's",
          "Bucket: ok");
    }
  }

  /** What that finding says of S3A: signed 20 minutes ago, and refused. */
  @Test
  void s3aGoesByTheClockOfTheStoreOnceItIsRefused() throws IOException {
    int offset = SdkGlobalTime.getGlobalTimeOffset();
    try {
      SdkGlobalTime.setGlobalTimeOffset(20 * 60);
      sound.passes(dir, sound.with(), "Bucket: ok", "Ready");
      assertTrue(Math.abs(SdkGlobalTime.getGlobalTimeOffset()) < 60, "it was never refused");
    } finally {
      SdkGlobalTime.setGlobalTimeOffset(offset);
    }
  }

  @Test
  void httpToAGatewayOfHttpsIsNamedAndTheReverse() throws IOException {
    sound.fails(
        dir,
        sound.at(URI.create(tls.toString().replace("https:", "http:"))),
        "ERROR " + ENDPOINT,
        "The gateway speaks https on this port, and the endpoint is http",
        "Write the endpoint with https://");
    sound.fails(
        dir,
        sound.at(URI.create(sound.gateway(0).replace("http:", "https:"))),
        "The gateway speaks http on this port",
        "Write the endpoint with http://");
  }

  @Test
  void aCertificateThatNobodyTrustsIsNamed() throws IOException {
    sound.fails(
        dir,
        sound.at(tls),
        "ERROR " + ENDPOINT,
        "certificate is not trusted here",
        "CN=gateway, issued by CN=gateway",
        "keytool -importcert");
  }

  @Test
  void overTlsAllIsWellOnceTheCertificateIsTrusted() throws Exception {
    Diagnosis diagnosis =
        Diagnosis.ofOtherJvm(
            dir,
            sound.at(tls),
            SoundSetUp.BUCKET,
            "-Djavax.net.ssl.trustStore=" + certificate.trustStore());
    diagnosis.endsWith(ExitCodes.FINE);
    diagnosis.says("Connection: ok");
    diagnosis.says("Ready: what was asked was answered");
  }
}
