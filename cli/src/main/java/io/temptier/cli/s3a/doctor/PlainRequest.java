// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.os.Io;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A request without keys, by the way that S3A's requests go: through its proxy, as http or https.
 * Any store answers it, if only with a refusal.
 */
final class PlainRequest {
  private static final Duration EXPIRES = Duration.ofDays(30);
  private static final int PATIENCE_MILLIS = 4_000;
  private static final int MOST_BYTES = 4_000;
  private static final int BROKEN = 500;
  private static final Pattern S3_TEXT = Pattern.compile("<Code>\\w+</Code>|<ListAllMyBuckets");
  private static final String PLAIN_TO_TLS = "a plain HTTP request was sent to HTTPS port";

  private PlainRequest() {}

  /**
   * Asks a gateway, by its URL or without a scheme as S3A takes it, for its root. {@link Troubles}
   * knows the texts of what is thrown when no store answers.
   *
   * @return how far this machine's clock is ahead of the store's, to the second; empty if not told
   */
  static Optional<Duration> send(StoreSession session, String gateway) throws IOException {
    BucketSettings settings = session.settings();
    URI url = url(settings, gateway);
    if (settings.proxy().isPresent()) {
      reach(settings.proxy().get());
    }
    HttpURLConnection connection = connection(settings, url);
    try {
      Optional<Duration> ahead = answer(settings, connection);
      if (connection instanceof HttpsURLConnection) {
        Certificate[] shown = ((HttpsURLConnection) connection).getServerCertificates();
        expires(session, (X509Certificate) shown[0], gateway);
      }
      return ahead;
    } catch (SocketException e) {
      // Ceph's gateway just hangs up on plain http where it speaks https.
      throw url.getScheme().equals("http") && certificateAt(settings, url).isPresent()
          ? new IOException(PLAIN_TO_TLS, e)
          : e;
    } catch (SSLException e) {
      Optional<X509Certificate> shown = certificateAt(settings, url);
      throw shown.isPresent()
          ? new IOException("the certificate is of " + text(shown.get()), e)
          : e;
    } finally {
      connection.disconnect();
    }
  }

  private static HttpURLConnection connection(BucketSettings settings, URI url) throws IOException {
    Proxy proxy = settings.proxy().map(at -> new Proxy(Proxy.Type.HTTP, at)).orElse(Proxy.NO_PROXY);
    HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection(proxy);
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    connection.setInstanceFollowRedirects(false);
    return connection;
  }

  private static URI url(BucketSettings settings, String gateway) throws IOException {
    String scheme = settings.conf().getBoolean(BucketSettings.TLS, true) ? "https://" : "http://";
    try {
      URI url = URI.create((gateway.contains("://") ? gateway : scheme + gateway) + "/");
      String web = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if (url.getHost() != null && web.startsWith("http")) {
        return URI.create(web + url.normalize().toString().substring(web.length()));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(gateway + " is no endpoint: " + e.getMessage(), e);
    }
    throw new IOException(gateway + " is no endpoint: expected one such as http://rgw:8080");
  }

  private static void reach(InetSocketAddress proxy) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(proxy, PATIENCE_MILLIS);
    } catch (IOException e) {
      throw new IOException("no connection to the proxy " + proxy + ": " + e.getMessage(), e);
    }
  }

  private static Optional<Duration> answer(BucketSettings settings, HttpURLConnection connection)
      throws IOException {
    int status = connection.getResponseCode();
    Instant here = Instant.now();
    String body = body(connection);
    if (status == HttpURLConnection.HTTP_BAD_REQUEST && body.contains("HTTPS")) {
      throw new IOException(PLAIN_TO_TLS);
    }
    boolean proxyRefuses = status == HttpURLConnection.HTTP_PROXY_AUTH;
    if (proxyRefuses && settings.value("fs.s3a.proxy.username").isEmpty()) {
      throw new IOException("the proxy wants a user: status " + status);
    }
    if (status >= BROKEN) {
      throw new IOException("it answers with status " + status);
    }
    // S3A gives the proxy its user; this request does not, and gets no further.
    if (!proxyRefuses
        && connection.getHeaderField("x-amz-request-id") == null
        && !S3_TEXT.matcher(body).find()) {
      String to = connection.getHeaderField("Location");
      String sent = "it answers with status " + status + (to == null ? "" : " to " + to);
      throw new IOException(sent + ", and not as S3 does");
    }
    long date = connection.getDate();
    return date == 0
        ? Optional.empty()
        : Optional.of(Duration.between(Instant.ofEpochMilli(date), here));
  }

  private static void expires(StoreSession session, X509Certificate certificate, String gateway) {
    if (Instant.now().plus(EXPIRES).isAfter(certificate.getNotAfter().toInstant())) {
      session.saw("certificate.ends", text(certificate) + ", at " + gateway);
    }
  }

  private static String body(HttpURLConnection connection) throws IOException {
    InputStream body =
        connection.getResponseCode() < HttpURLConnection.HTTP_BAD_REQUEST
            ? connection.getInputStream()
            : connection.getErrorStream();
    return body == null
        ? ""
        : new String(Io.readNBytes(body, MOST_BYTES), StandardCharsets.ISO_8859_1);
  }

  /** Whose a certificate is, by whom, and until when, for people. */
  private static String text(X509Certificate certificate) {
    return String.format(
        "%s, issued by %s, good until %s",
        certificate.getSubjectX500Principal(),
        certificate.getIssuerX500Principal(),
        certificate.getNotAfter().toInstant());
  }

  /** The certificate that a server shows, trusted or not; empty where nothing speaks TLS. */
  private static Optional<X509Certificate> certificateAt(BucketSettings settings, URI server) {
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
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {looker}, null);
      URI https = URI.create(server.toString().replaceFirst("^http:", "https:"));
      HttpsURLConnection connection = (HttpsURLConnection) connection(settings, https);
      connection.setSSLSocketFactory(context.getSocketFactory());
      // Nothing is said to it.
      connection.connect();
      connection.disconnect();
    } catch (IOException | GeneralSecurityException e) {
      // Whatever was shown until then.
    }
    return Optional.ofNullable(shown.get());
  }
}
