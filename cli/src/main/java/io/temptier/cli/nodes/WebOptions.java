// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collections;
import java.util.List;
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
  private static final String PEM = "-----BEGIN ";

  @Option(
      names = "--negotiate",
      description =
          "Ask as a Kerberos user (SPNEGO): of the ticket cache that kinit fills, or of --keytab.")
  private boolean negotiate;

  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description = "With --negotiate, the user whose key --keytab holds.")
  private @Nullable String principal;

  @Option(
      names = "--keytab",
      paramLabel = "FILE",
      description = "With --negotiate and --principal, a keytab in place of the ticket cache.")
  private @Nullable Path keytab;

  @Option(
      names = "--truststore",
      paramLabel = "FILE",
      description =
          "For https, the certificates to trust in place of Java's own: PEM, PKCS12 or JKS.")
  private @Nullable Path truststore;

  @Option(
      names = "--truststore-password-file",
      paramLabel = "FILE",
      description = "Holds the password of a PKCS12 or JKS truststore in its first line.")
  private @Nullable Path passwordFile;

  /**
   * The client that they describe, logged in. Ends the command when a file cannot be read, or there
   * is no ticket.
   */
  public WebClient client(Terminal terminal) {
    if (!negotiate && (principal != null || keytab != null)) {
      throw terminal.wrongUse("--principal and --keytab go with --negotiate.");
    }
    if ((principal == null) != (keytab == null)) {
      throw terminal.wrongUse("--principal and --keytab go together.");
    }
    if (truststore == null && passwordFile != null) {
      throw terminal.wrongUse("--truststore-password-file goes with --truststore.");
    }
    return new WebClient(
        Optional.ofNullable(truststore).map(file -> trusting(file, passwordFile)),
        negotiate
            ? Optional.of(
                principal == null || keytab == null ? ofTicketCache() : ofKeytab(principal, keytab))
            : Optional.empty());
  }

  /**
   * Sockets that trust what is in a file. Ends the command when that holds no certificate that can
   * be read, with the password in the other file if there is one.
   */
  private static SSLSocketFactory trusting(Path file, @Nullable Path passwordFile) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      boolean pem = new String(bytes, StandardCharsets.ISO_8859_1).contains(PEM);
      KeyStore store = pem ? ofPem(bytes) : ofJava(bytes, password(passwordFile));
      if (!holdsCertificate(store)) {
        throw new CommandFailure(
            "--truststore "
                + file
                + " holds no certificate that can be read"
                + (passwordFile == null ? ": give --truststore-password-file." : "."));
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new CommandFailure(
          String.format(
              "--truststore %s cannot be read (%s): it must be PEM, PKCS12 or JKS, and the"
                  + " password in --truststore-password-file its own.",
              file, e),
          e);
    }
  }

  /** Without the password entries may be there, but what they hold is not. */
  private static boolean holdsCertificate(KeyStore store) throws KeyStoreException {
    for (String alias : Collections.list(store.aliases())) {
      if (store.getCertificate(alias) != null) {
        return true;
      }
    }
    return false;
  }

  /** Java's default type reads both of its formats, JKS and PKCS 12. */
  private static KeyStore ofJava(byte[] bytes, char @Nullable [] password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(new ByteArrayInputStream(bytes), password);
    return store;
  }

  private static KeyStore ofPem(byte[] bytes) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(bytes))) {
      store.setCertificateEntry(Integer.toString(number++), certificate);
    }
    return store;
  }

  private static char @Nullable [] password(@Nullable Path file) throws IOException {
    if (file == null) {
      return null;
    }
    List<String> lines = Files.readAllLines(file);
    return lines.isEmpty() ? new char[0] : lines.get(0).toCharArray();
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
            "--negotiate: there is no Kerberos ticket%s. Run kinit, which klist then shows, or give"
                + " --principal and --keytab.",
            why),
        cause);
  }

  /** The user whose key a keytab holds. */
  private static UserGroupInformation ofKeytab(String principal, Path keytab) {
    if (!Files.isReadable(keytab)) {
      throw new CommandFailure(
          String.format(
              "--keytab %s is no file that user %s may read.",
              keytab, System.getProperty("user.name")));
    }
    switchOnKerberos();
    try {
      return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, keytab.toString());
    } catch (IOException e) {
      throw new CommandFailure(
          String.format(
              "--principal %s cannot log in with --keytab %s (%s). klist -kt shows whose keys a"
                  + " keytab holds.",
              principal, keytab, oneLine(e)),
          e);
    }
  }
}
