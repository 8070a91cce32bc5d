// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/**
 * A certificate for 127.0.0.1 and localhost that nobody has signed.
 *
 * @param keyStore it and its key, for a server in Java, of type PKCS12
 * @param pem the same, for others
 * @param trustStore it alone, for a Java that is to trust it
 */
public record SelfSigned(Path keyStore, Path pem, Path trustStore) {
  /** Of its stores. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "gateway";

  /**
   * Makes one by the JDK's keytool.
   *
   * @param dir an existing folder for its files
   */
  public static SelfSigned make(Path dir) throws IOException, GeneralSecurityException {
    Path made = dir.resolve("made.p12");
    Shell.run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        ALIAS,
        "-keyalg",
        "RSA",
        "-dname",
        "CN=gateway",
        "-ext",
        "SAN=ip:127.0.0.1,dns:localhost",
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD,
        "-keystore",
        made.toString());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(made)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Certificate certificate = keys.getCertificate(ALIAS);
    Path pem = dir.resolve("gateway.pem");
    Files.writeString(
        pem,
        block("CERTIFICATE", certificate.getEncoded())
            + block("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    // Unlike PKCS12, read without a password.
    KeyStore trusted = KeyStore.getInstance("JKS");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, certificate);
    Path trustStore = dir.resolve("trusted.jks");
    try (OutputStream out = Files.newOutputStream(trustStore)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
    return new SelfSigned(made, pem, trustStore);
  }

  private static String block(String what, byte[] bytes) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes)
        + "\n-----END "
        + what
        + "-----\n";
  }
}
