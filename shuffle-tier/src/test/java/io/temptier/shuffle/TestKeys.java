// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.fixtures.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Keys of a server and a client that trust each other, made by the JDK's keytool, with Hadoop's
 * configuration file for the server. One set serves the JVM.
 */
final class TestKeys {
  private static final String PASSWORD = "changeit";
  private static final String SERVER_FILE = "ssl-server-of-tests.xml";

  private static final class Holder {
    static final TestKeys KEYS = new TestKeys();
  }

  private final Path folder;

  private TestKeys() {
    try {
      folder = Files.createTempDirectory("shuffle-keys");
      folder.toFile().deleteOnExit();
      makeKey("server");
      makeKey("client");
      makeTrust();
      writeConfiguration();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot make the keys of the tests", e);
    }
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

  /** Sockets of a client that trusts the server. */
  SSLSocketFactory sockets(boolean clientCertificate) throws IOException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(load("trust"));
      KeyManager[] keys = {};
      if (clientCertificate) {
        KeyManagerFactory own =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(load("client"), PASSWORD.toCharArray());
        keys = own.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private void makeKey(String name) throws IOException {
    String command =
        "%s/bin/keytool -genkeypair -alias %s -keyalg EC -dname CN=localhost -ext san=dns:localhost"
            + " -validity 2 -storetype PKCS12 -keystore %s -storepass %s";
    String[] words =
        command.formatted(System.getProperty("java.home"), name, file(name), PASSWORD).split(" ");
    Programs.run(words);
  }

  private void makeTrust() throws IOException, GeneralSecurityException {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    for (String name : List.of("server", "client")) {
      trust.setCertificateEntry(name, load(name).getCertificate(name));
    }
    try (OutputStream out = Files.newOutputStream(file("trust"))) {
      trust.store(out, PASSWORD.toCharArray());
    }
  }

  private KeyStore load(String name) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file(name))) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private Path file(String name) {
    Path file = folder.resolve(name + ".p12");
    file.toFile().deleteOnExit();
    return file;
  }

  private void writeConfiguration() throws IOException {
    Configuration conf = new Configuration(false);
    for (String store : List.of("keystore", "truststore")) {
      String key = "ssl.server." + store + ".";
      conf.set(key + "location", file(store.equals("keystore") ? "server" : "trust").toString());
      conf.set(key + "password", PASSWORD);
      conf.set(key + "keypassword", PASSWORD);
      conf.set(key + "type", "PKCS12");
    }
    Path file = folder.resolve(SERVER_FILE);
    file.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
  }
}
