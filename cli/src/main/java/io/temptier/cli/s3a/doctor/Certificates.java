// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** What servers of https show for themselves. */
final class Certificates {
  private static final int PATIENCE_MILLIS = 4_000;

  private Certificates() {}

  /** Whose a certificate is, by whom, and until when, for people. */
  static String text(X509Certificate certificate) {
    return "%s, issued by %s, good until %s"
        .formatted(
            certificate.getSubjectX500Principal(),
            certificate.getIssuerX500Principal(),
            until(certificate));
  }

  static Instant until(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  /**
   * The certificate that a server shows, trusted or not; empty where nothing speaks TLS. Nothing is
   * said to it.
   */
  static Optional<X509Certificate> at(URI server) {
    AtomicReference<X509Certificate> shown = new AtomicReference<>();
    TrustManager looker =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {
            shown.set(chain[0]);
          }

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    int port = server.getPort() < 0 ? 443 : server.getPort();
    try (Socket socket = new Socket()) {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {looker}, null);
      socket.connect(new InetSocketAddress(server.getHost(), port), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      try (SSLSocket tls =
          (SSLSocket)
              context.getSocketFactory().createSocket(socket, server.getHost(), port, true)) {
        tls.startHandshake();
      }
    } catch (IOException | GeneralSecurityException e) {
      // Whatever was shown until then.
      return Optional.ofNullable(shown.get());
    }
    return Optional.ofNullable(shown.get());
  }
}
