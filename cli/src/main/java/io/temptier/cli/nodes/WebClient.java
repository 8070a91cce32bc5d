// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.google.auto.value.AutoValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;

/**
 * Gets pages of Hadoop's daemons, over TLS and as a Kerberos user where wanted. Not by
 * java.net.http, which refuses names with an underscore. Safe for use by many threads.
 */
public final class WebClient {
  private static final int BUFFER_BYTES = 64 << 10;

  /** A page. */
  @AutoValue
  @SuppressWarnings("ArrayRecordComponent")
  abstract static class Page {
    /** Of HTTP. */
    abstract int code();

    /** With code 200; at most one byte more than was wanted. */
    @SuppressWarnings("mutable")
    abstract byte[] body();

    static Page of(int code, byte[] body) {
      return new AutoValue_WebClient_Page(code, body);
    }
  }

  private final Optional<SSLSocketFactory> sockets;
  private final Optional<UserGroupInformation> user;

  /** What a daemon gave a user that it knows now, by host and port. */
  private final Map<String, AuthenticatedURL.Token> tokens = new ConcurrentHashMap<>();

  /**
   * For https Java's own sockets where none are given; nobody in particular asks where no user is.
   */
  WebClient(Optional<SSLSocketFactory> sockets, Optional<UserGroupInformation> user) {
    this.sockets = sockets;
    this.user = user;
  }

  /**
   * Gets a page, and so much of its body at most. Each of its steps takes at most {@code patience};
   * a name server may take longer, so it is for threads that nobody waits for.
   */
  Page get(URI uri, int mostBytes, Duration patience) throws IOException, AuthenticationException {
    Page page = once(uri, mostBytes, patience);
    if (page.code() == HttpURLConnection.HTTP_UNAUTHORIZED
        && tokens.remove(uri.getRawAuthority()) != null) {
      // What the daemon gave has expired, or the daemon was restarted.
      return once(uri, mostBytes, patience);
    }
    return page;
  }

  private Page once(URI uri, int mostBytes, Duration patience)
      throws IOException, AuthenticationException {
    long deadline = System.nanoTime() + patience.toNanos();
    HttpURLConnection connection = open(uri, patience);
    try {
      int code = connection.getResponseCode();
      if (code != HttpURLConnection.HTTP_OK) {
        return Page.of(code, new byte[0]);
      }
      try (InputStream in = connection.getInputStream()) {
        return Page.of(code, read(in, mostBytes + 1, deadline));
      }
    } finally {
      connection.disconnect();
    }
  }

  /** A server that sends a byte now and then keeps within every timeout of a socket. */
  private static byte[] read(InputStream in, int most, long deadline) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream(BUFFER_BYTES);
    byte[] buffer = new byte[BUFFER_BYTES];
    while (body.size() < most) {
      int read = in.read(buffer, 0, Math.min(buffer.length, most - body.size()));
      if (read < 0) {
        break;
      }
      body.write(buffer, 0, read);
      if (System.nanoTime() > deadline) {
        throw new SocketTimeoutException("its answer does not end");
      }
    }
    return body.toByteArray();
  }

  private HttpURLConnection open(URI uri, Duration patience)
      throws IOException, AuthenticationException {
    URL url = uri.toURL();
    if (!user.isPresent()) {
      return configured((HttpURLConnection) url.openConnection(), patience);
    }
    AuthenticatedURL.Token token =
        tokens.computeIfAbsent(uri.getRawAuthority(), any -> new AuthenticatedURL.Token());
    AuthenticatedURL opener =
        new AuthenticatedURL(
            new KerberosAuthenticator(), connection -> configured(connection, patience));
    try {
      return user.get()
          .doAs(
              (PrivilegedExceptionAction<HttpURLConnection>)
                  () -> {
                    try {
                      return opener.openConnection(url, token);
                    } catch (AuthenticationException e) {
                      // doAs would hide it in an unchecked one.
                      throw new IOException(e);
                    }
                  });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException e) {
      if (e.getCause() instanceof AuthenticationException) {
        throw (AuthenticationException) e.getCause();
      }
      throw e;
    }
  }

  private HttpURLConnection configured(HttpURLConnection connection, Duration patience) {
    connection.setConnectTimeout((int) patience.toMillis());
    connection.setReadTimeout((int) patience.toMillis());
    if (connection instanceof HttpsURLConnection) {
      sockets.ifPresent(((HttpsURLConnection) connection)::setSSLSocketFactory);
    }
    return connection;
  }
}
