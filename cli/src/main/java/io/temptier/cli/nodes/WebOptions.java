// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivilegedExceptionAction;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Mixin with how to reach web pages of Hadoop's daemons that want to know who asks, or that speak
 * https. Not by java.net.http, which refuses names with an underscore.
 */
final class WebOptions {
  @Option(
      names = "--negotiate",
      description = "Ask as the Kerberos user of the ticket cache that kinit fills (SPNEGO).")
  private boolean negotiate;

  @Option(
      names = "--truststore",
      paramLabel = "FILE",
      description = "For https, the certificates to trust in place of Java's own, as PEM.")
  private @Nullable Path truststore;

  private @Nullable SSLSocketFactory sockets;
  private @Nullable UserGroupInformation user;

  /**
   * Logs in and reads what was named, before pages are opened. Ends the command when a file cannot
   * be read, or there is no ticket.
   */
  void prepare() {
    sockets = truststore == null ? null : trusting(truststore);
    user = negotiate ? ofTicketCache() : null;
  }

  /**
   * Opens a page. Each of its steps takes at most {@code patience}; a name server may take longer,
   * as may a daemon that sends a byte now and then, so this is for threads that nobody waits for.
   *
   * @throws IOException with an {@link AuthenticationException} as its cause when Kerberos fails
   */
  HttpURLConnection open(URI uri, Duration patience) throws IOException {
    URL url = uri.toURL();
    UserGroupInformation asked = user;
    if (asked == null) {
      return configured((HttpURLConnection) url.openConnection(), patience);
    }
    AuthenticatedURL opener =
        new AuthenticatedURL(
            new KerberosAuthenticator(), connection -> configured(connection, patience));
    try {
      return asked.doAs(
          (PrivilegedExceptionAction<HttpURLConnection>)
              () -> {
                try {
                  return opener.openConnection(url, new AuthenticatedURL.Token());
                } catch (AuthenticationException e) {
                  // doAs would hide it in an unchecked one.
                  throw new IOException(e);
                }
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private HttpURLConnection configured(HttpURLConnection connection, Duration patience) {
    connection.setConnectTimeout((int) patience.toMillis());
    connection.setReadTimeout((int) patience.toMillis());
    if (connection instanceof HttpsURLConnection && sockets != null) {
      ((HttpsURLConnection) connection).setSSLSocketFactory(sockets);
    }
    return connection;
  }

  private static SSLSocketFactory trusting(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry(Integer.toString(store.size()), one);
      }
      if (store.size() == 0) {
        throw new CertificateException("no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException | GeneralSecurityException e) {
      throw new CommandFailure(
          String.format(
              "--truststore %s cannot be read as PEM (%s). keytool -exportcert -rfc makes PEM of a"
                  + " keystore's certificate.",
              pem, e),
          e);
    }
  }

  private static UserGroupInformation ofTicketCache() {
    Configuration conf = new Configuration();
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    // A user of another realm than this host's needs no local name here.
    conf.set("hadoop.security.auth_to_local.mechanism", "mit");
    String why = "";
    try {
      UserGroupInformation.setConfiguration(conf);
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      if (user.hasKerberosCredentials()) {
        return user;
      }
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          String.format(
              "--negotiate: Kerberos cannot be used on this host (%s). Is there an /etc/krb5.conf"
                  + " with a default realm?",
              e.getMessage()),
          e);
    } catch (IOException e) {
      // Java's own say why on lines of their own.
      why = ": " + String.valueOf(e.getMessage()).trim().replaceAll("\\s+", " ");
    }
    throw new CommandFailure(
        String.format(
            "--negotiate: there is no Kerberos ticket%s. Run kinit, which klist then shows; with a"
                + " keytab, kinit -kt FILE PRINCIPAL.",
            why));
  }
}
