// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.fixtures.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What Hadoop's daemons and reducers want of TLS. */
public final class TlsFiles {
  private TlsFiles() {}

  /**
   * Writes it into a folder on the class path of daemons, clients or tasks.
   *
   * @return the file with the password of the key
   */
  public static Path write(Path conf, SelfSigned certificates) throws IOException {
    Files.createDirectories(conf);
    Path server = conf.resolve("ssl-server.xml");
    SiteFile.write(
        server,
        Map.of(
            "ssl.server.keystore.location",
            certificates.keyStore().toString(),
            "ssl.server.keystore.type",
            "pkcs12",
            "ssl.server.keystore.password",
            SelfSigned.PASSWORD,
            "ssl.server.keystore.keypassword",
            SelfSigned.PASSWORD));
    SiteFile.write(
        conf.resolve("ssl-client.xml"),
        Map.of(
            "ssl.client.truststore.location",
            certificates.trustStore().toString(),
            "ssl.client.truststore.type",
            "jks",
            "ssl.client.truststore.password",
            SelfSigned.PASSWORD));
    return server;
  }
}
