// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.fixtures.SelfSigned;
import io.temptier.fixtures.Trees;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Keys of a server and a client that trust each other, with Hadoop's configuration file for the
 * server. One set serves the JVM.
 */
final class TestKeys {
  private static final String SERVER_FILE = "ssl-server-of-tests.xml";

  private static final class Holder {
    static final TestKeys KEYS = new TestKeys();
  }

  private final Path folder;
  private final SelfSigned server;
  private final SelfSigned client;

  private TestKeys() {
    try {
      folder = Files.createTempDirectory("shuffle-keys");
      server = SelfSigned.make(Files.createDirectory(folder.resolve("server")));
      client = SelfSigned.make(Files.createDirectory(folder.resolve("client")));
      Configuration conf = new Configuration(false);
      set(conf, "server.keystore", server.keyStore(), "PKCS12");
      set(conf, "server.truststore", client.trustStore(), "JKS");
      try (OutputStream out = Files.newOutputStream(folder.resolve(SERVER_FILE))) {
        conf.writeXml(out);
      }
      Trees.below(folder).forEach(file -> file.toFile().deleteOnExit());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot make the keys of the tests", e);
    }
  }

  private static void set(Configuration conf, String store, Path file, String type) {
    String key = "ssl." + store + ".";
    conf.set(key + "location", file.toString());
    conf.set(key + "password", SelfSigned.PASSWORD);
    conf.set(key + "keypassword", SelfSigned.PASSWORD);
    conf.set(key + "type", type);
  }

  static TestKeys shared() {
    return Holder.KEYS;
  }

  /** What switches TLS on in a NodeManager. */
  Map<String, String> settings(boolean clientCertificate) {
    return Map.of(
        MRConfig.SHUFFLE_SSL_ENABLED_KEY,
        "true",
        SSLFactory.SSL_REQUIRE_CLIENT_CERT_KEY,
        Boolean.toString(clientCertificate),
        SSLFactory.SSL_SERVER_CONF_KEY,
        SERVER_FILE);
  }

  /** Hadoop finds the configuration files on the class path only. */
  <T> T onClassPath(Callable<T> action) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader with = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(with);
      return action.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Sockets of a client that trusts the server, as fetchers have them. */
  SSLSocketFactory sockets(boolean clientCertificate) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setBoolean(SSLFactory.SSL_REQUIRE_CLIENT_CERT_KEY, clientCertificate);
    set(conf, "client.keystore", client.keyStore(), "PKCS12");
    set(conf, "client.truststore", server.trustStore(), "JKS");
    SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
    try {
      factory.init();
      return factory.createSSLSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    } finally {
      factory.destroy();
    }
  }
}
