// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.os.Io;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
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
   * Asks a gateway, by its URL or without a scheme as S3A takes it, for its root. {@link
   * StoreTroubles} knows the texts of what is thrown when no store answers.
   */
  static void send(StoreSession session, String gateway) throws IOException {
    BucketSettings settings = session.settings;
    URI url = url(settings, gateway);
    HttpURLConnection connection = connection(settings, url);
    try {
      long date = answer(settings, connection);
      if (date != 0) {
        GatewayChecks.clocks(session, Duration.between(Instant.ofEpochMilli(date), Instant.now()));
      }
      if (connection instanceof HttpsURLConnection) {
        Certificate[] shown = ((HttpsURLConnection) connection).getServerCertificates();
        expires(session, (X509Certificate) shown[0], gateway);
      }
    } catch (SSLException e) {
      // Java tells no dates of a certificate that nobody known has signed.
      checkDates(settings, url);
      throw e;
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
    Proxy proxy =
        settings.proxy().map(address -> new Proxy(Proxy.Type.HTTP, address)).orElse(Proxy.NO_PROXY);
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

  /** The store's time, in milliseconds; 0 when it does not tell. */
  private static long answer(BucketSettings settings, HttpURLConnection connection)
      throws IOException {
    int status = connection.getResponseCode();
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
    return connection.getDate();
  }

  /** Describes a redirection: to https, or to a page, such as one for a login. */
  private static String redirection(HttpURLConnection connection) {
    String to = connection.getHeaderField("Location");
    String same = "(?i)https://[^/]*" + Pattern.quote(connection.getURL().getPath());
    return to == null ? "" : (to.matches(same) ? " to " : " to the page ") + to;
  }

  static String words(String page) {
    String text =
        page.replaceAll("(?is)<(script|style)\\b.*?</\\1>|<[^>]*>", " ")
            .replaceAll("\\s+", " ")
            .trim();
    return "\"" + (text.length() > MOST_WORDS ? text.substring(0, MOST_WORDS) : text) + "\"";
  }

  /** Connects, whoever signed the certificate and for whom, and throws when its dates are wrong. */
  private static void checkDates(BucketSettings settings, URI url) throws IOException {
    HttpsURLConnection connection = (HttpsURLConnection) connection(settings, url);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new OnlyDates()}, null);
      connection.setSSLSocketFactory(context.getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
      // Nothing is said to it.
      connection.connect();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    } finally {
      connection.disconnect();
    }
  }

  private static final class OnlyDates implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      for (X509Certificate each : chain) {
        each.checkValidity();
      }
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

  /** True if a server of http shows a certificate when it is asked by https. */
  private static boolean speaksTls(BucketSettings settings, URI http) {
    try {
      checkDates(settings, URI.create(http.toString().replaceFirst("^http:", "https:")));
      return true;
    } catch (IOException e) {
      return e.getCause() instanceof CertificateException;
    }
  }
}
