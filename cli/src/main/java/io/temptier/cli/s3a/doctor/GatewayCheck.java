// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Whether something at the endpoint speaks http or https as S3A will, and what time it has: a plain
 * request without keys, which any store answers, if only with a refusal.
 */
final class GatewayCheck implements StoreCheck {
  private static final int PATIENCE_MILLIS = 5_000;
  private static final Duration SKEW = Duration.ofSeconds(60);
  private static final Duration REFUSED = Duration.ofMinutes(15);

  @Override
  public Topic topic() {
    return Topic.CONNECTION;
  }

  @Override
  public String question() {
    return "ask the gateway for anything";
  }

  @Override
  public boolean writes() {
    return false;
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    return visit.subject().isAmazon() ? List.of() : firstAnswer(visit.subject());
  }

  /** Of several gateways one that answers is enough: {@link GatewaysCheck} says which do not. */
  static List<Finding> firstAnswer(Subject subject) throws IOException {
    IOException silent = null;
    for (String endpoint : subject.endpoints()) {
      try {
        return ask(subject, endpoint);
      } catch (IOException e) {
        silent = e;
      }
    }
    throw silent == null ? new IOException("there is no endpoint") : silent;
  }

  private static List<Finding> ask(Subject subject, String endpoint) throws IOException {
    String url =
        endpoint.contains("://")
            ? endpoint
            : (subject.conf().getBoolean(Keys.TLS, true) ? "https://" : "http://") + endpoint;
    HttpURLConnection connection = PlainRequest.to(url, PATIENCE_MILLIS);
    try {
      int code = connection.getResponseCode();
      Instant here = Instant.now();
      if (code == HttpURLConnection.HTTP_BAD_REQUEST && wantsTls(connection)) {
        throw new IOException("a plain HTTP request was sent to HTTPS port");
      }
      long date = connection.getDate();
      return date == 0 ? List.of() : clocks(here, Instant.ofEpochMilli(date));
    } catch (IllegalArgumentException e) {
      throw new IOException(endpoint + " is no endpoint: " + e.getMessage(), e);
    } catch (SocketException e) {
      // Ceph's gateway just hangs up on plain http where it speaks https.
      if (!(connection instanceof HttpsURLConnection) && speaksTls(connection.getURL())) {
        throw new IOException("a plain HTTP request was sent to HTTPS port", e);
      }
      throw e;
    } finally {
      connection.disconnect();
    }
  }

  private static boolean wantsTls(HttpURLConnection connection) throws IOException {
    if (connection.getErrorStream() == null) {
      return false;
    }
    String body =
        new String(connection.getErrorStream().readNBytes(2_000), StandardCharsets.US_ASCII);
    return body.contains("HTTPS");
  }

  /** Whether something offers a certificate there, be it one that nobody trusts. */
  private static boolean speaksTls(URL url) {
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(url.getHost(), url.getPort()), PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket socket =
          (SSLSocket) factory.createSocket(plain, url.getHost(), url.getPort(), true)) {
        socket.startHandshake();
        return true;
      }
    } catch (SSLHandshakeException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The store's own tells whole seconds. */
  static List<Finding> clocks(Instant here, Instant there) {
    Duration skew = Duration.between(there, here);
    if (skew.abs().compareTo(SKEW) <= 0) {
      return List.of();
    }
    boolean refused = skew.abs().compareTo(REFUSED) >= 0;
    return List.of(
        new Finding(
            refused ? Severity.ERROR : Severity.WARNING,
            "clock",
            skew.abs().toSeconds()
                + " s "
                + (skew.isNegative() ? "behind" : "ahead of")
                + " the store",
            "the Date of the store's answer",
            refused
                ? "From 15 minutes on the store refuses every request (RequestTimeTooSkewed)."
                : "From 15 minutes on the store refuses every request.",
            "Set this machine's clock by NTP (timedatectl set-ntp true), and the store's."));
  }
}
