// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with how to reach web pages that want to know who asks, or that speak https. */
public final class WebOptions {
  @Option(
      names = "--negotiate",
      description = "Ask as the Kerberos user of the ticket cache that kinit fills (SPNEGO).")
  private boolean negotiate;

  @Option(
      names = "--truststore",
      paramLabel = "FILE",
      description = "For https, the certificates to trust in place of Java's own, as PEM.")
  private @Nullable Path truststore;

  /**
   * The client that they describe, logged in. Ends the command when a file cannot be read, or there
   * is no ticket.
   */
  public WebClient client() {
    return new WebClient(
        Optional.ofNullable(truststore).map(WebOptions::trusting),
        negotiate ? Optional.of(ofTicketCache()) : Optional.empty());
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

  private static void switchOnKerberos() {
    Configuration conf = new Configuration();
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    // A user of another realm than this host's needs no local name here.
    conf.set("hadoop.security.auth_to_local.mechanism", "mit");
    try {
      UserGroupInformation.setConfiguration(conf);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          String.format(
              "--negotiate: Kerberos cannot be used on this host (%s). Is there an /etc/krb5.conf"
                  + " with a default realm?",
              e.getMessage()),
          e);
    }
  }

  /** Whoever kinit was run for. */
  private static UserGroupInformation ofTicketCache() {
    switchOnKerberos();
    try {
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      if (user.hasKerberosCredentials()) {
        return user;
      }
    } catch (IOException e) {
      throw noTicket(": " + oneLine(e), e);
    }
    throw noTicket("", null);
  }

  /** Java's own say why on lines of their own. */
  private static String oneLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).trim().replaceAll("\\s+", " ");
  }

  private static CommandFailure noTicket(String why, @Nullable Throwable cause) {
    return new CommandFailure(
        String.format(
            "--negotiate: there is no Kerberos ticket%s. Run kinit, which klist then shows; with a"
                + " keytab, kinit -kt FILE PRINCIPAL.",
            why),
        cause);
  }
}
