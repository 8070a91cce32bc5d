// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.fixtures.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
    Map<String, String> keys = store("ssl.server.keystore.", certificates.keyStore(), "pkcs12");
    keys.put("ssl.server.keystore.keypassword", SelfSigned.PASSWORD);
    SiteFile.write(server, keys);
    SiteFile.write(
        conf.resolve("ssl-client.xml"),
        store("ssl.client.truststore.", certificates.trustStore(), "jks"));
    return server;
  }

  private static Map<String, String> store(String prefix, Path file, String type) {
    return new HashMap<>(
        Map.of(
            prefix + "location",
            file.toString(),
            prefix + "type",
            type,
            prefix + "password",
            SelfSigned.PASSWORD));
  }
}
