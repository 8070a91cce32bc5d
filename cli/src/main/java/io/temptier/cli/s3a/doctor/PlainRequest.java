// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.lang.Immutable;
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
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
  private static final int MOST_WORDS = 80;
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
    BucketSettings settings = session.settings;
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
    } catch (SSLException e) {
      throw new IOException(certificate(settings, url) + ": " + e.getMessage(), e);
    } catch (SocketException e) {
      // Ceph's gateway just hangs up on plain http where it speaks https.
      throw url.getScheme().equals("http") && speaksTls(settings, url)
          ? new IOException(PLAIN_TO_TLS, e)
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
    String scheme = settings.conf.getBoolean(BucketSettings.TLS, true) ? "https://" : "http://";
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
      throw new IOException(
          "it answers with status "
              + status
              + redirection(connection)
              + ", and not as S3 does: "
              + words(body));
    }
    long date = connection.getDate();
    return date == 0
        ? Optional.empty()
        : Optional.of(Duration.between(Instant.ofEpochMilli(date), here));
  }

  /** To https, or to a page, such as one for a login. */
  private static String redirection(HttpURLConnection connection) {
    String to = connection.getHeaderField("Location");
    String same = "(?i)https://[^/]*" + Pattern.quote(connection.getURL().getPath());
    return to == null ? "" : (to.matches(same) ? " to " : " to the page ") + to;
  }

  /** The first words of a page. */
  static String words(String page) {
    String text =
        page.replaceAll("(?is)<(script|style)\\b.*?</\\1>|<[^>]*>", " ")
            .replaceAll("\\s+", " ")
            .trim();
    return "\"" + (text.length() > MOST_WORDS ? text.substring(0, MOST_WORDS) : text) + "\"";
  }

  /** What is wrong with the certificate that a gateway shows, told by itself: nobody is trusted. */
  private static String certificate(BucketSettings settings, URI url) {
    List<X509Certificate> shown = new ArrayList<>();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Watcher(shown)}, null);
      HttpsURLConnection connection = (HttpsURLConnection) connection(settings, url);
      connection.setSSLSocketFactory(context.getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
      connection.connect();
      connection.disconnect();
      for (X509Certificate each : shown) {
        each.checkValidity();
      }
    } catch (CertificateExpiredException e) {
      return "the certificate expired, " + e.getMessage();
    } catch (CertificateNotYetValidException e) {
      return "the certificate is not valid yet, " + e.getMessage();
    } catch (IOException | GeneralSecurityException e) {
      return "no certificate is shown";
    }
    return shown.isEmpty() ? "no certificate is shown" : "the certificate is valid by its dates";
  }

  /** Notes what is shown, and trusts everybody: nothing is said to them. */
  private static final class Watcher implements X509TrustManager {
    private final List<X509Certificate> shown;

    Watcher(List<X509Certificate> shown) {
      this.shown = shown;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      shown.addAll(Immutable.listOf(chain));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static void expires(StoreSession session, X509Certificate certificate, String gateway) {
    if (Instant.now().plus(EXPIRES).isAfter(certificate.getNotAfter().toInstant())) {
      String whose = certificate.getSubjectX500Principal() + ", at " + gateway;
      session.saw("certificate.ends", whose + ", until " + certificate.getNotAfter().toInstant());
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

  /** Whether a server of http shows a certificate when it is asked by https. */
  private static boolean speaksTls(BucketSettings settings, URI server) throws IOException {
    URI https = URI.create(server.toString().replaceFirst("^http:", "https:"));
    HttpURLConnection connection = connection(settings, https);
    try {
      // Nothing is said to it.
      connection.connect();
      return true;
    } catch (IOException e) {
      return e.getCause() instanceof CertificateException;
    } finally {
      connection.disconnect();
    }
  }
}
