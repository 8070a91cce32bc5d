// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.CommandFailure;
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
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads the certificates to trust. */
final class Truststore {
  private static final String PEM = "-----BEGIN ";

  private Truststore() {}

  /**
   * Sockets that trust what is in a file. Ends the command when that holds no certificate that can
   * be read, with the password in the other file if there is one.
   */
  static SSLSocketFactory read(Path file, @Nullable Path passwordFile) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      boolean pem = new String(bytes, StandardCharsets.ISO_8859_1).contains(PEM);
      KeyStore store =
          pem ? ofPem(bytes) : KeyStore.getInstance(file.toFile(), password(passwordFile));
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
          ("--truststore %s cannot be read (%s): it must be PEM, PKCS12 or JKS, and the"
                  + " password in --truststore-password-file its own.")
              .formatted(file, e),
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
}
