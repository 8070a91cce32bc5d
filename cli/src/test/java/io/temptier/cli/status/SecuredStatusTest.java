// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against Hadoop's own web server, with SPNEGO and TLS, and a real KDC. */
class SecuredStatusTest {
  private static final String PASSWORD = "changeit";

  /** As much of the real one as {@code status} needs. */
  public interface InfoMXBean {
    String getMode();

    String getTiers();
  }

  /** A NodeManager's. */
  public static final class Info implements InfoMXBean {
    @Override
    public String getMode() {
      return "ACTIVE";
    }

    @Override
    public String getTiers() {
      return "[{\"medium\":\"NVME\",\"CapacityBytes\":100,\"FreeBytes\":50,\"Dirs\":1}]";
    }
  }

  @TempDir static Path temp;

  private static @Nullable MiniKdc kdc;
  private static @Nullable ObjectName bean;
  private static final List<HttpServer2> SERVERS = new ArrayList<>();
  private static String http = "";
  private static String https = "";

  private static Path file(String name) {
    return temp.resolve(name);
  }

  @BeforeAll
  static void aSecuredNode() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), Files.createDirectory(file("kdc")).toFile());
    kdc.start();
    kdc.createPrincipal(file("http.keytab").toFile(), "HTTP/localhost");
    kdc.createPrincipal(file("ann.keytab").toFile(), "ann");
    bean = MBeans.register("NodeManager", "TempTierInfo", new Info());
    assertNotNull(bean);
    makeCertificate();
    Configuration conf = new Configuration();
    conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    conf.set("hadoop.http.authentication.type", "kerberos");
    conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost");
    conf.set("hadoop.http.authentication.kerberos.keytab", file("http.keytab").toString());
    // As docs/monitoring.md says: Prometheus cannot log in.
    conf.set("hadoop.http.authentication.kerberos.endpoint.whitelist", "/prom");
    conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
    Files.writeString(file("secret"), "a secret to sign cookies by");
    conf.set("hadoop.http.authentication.signature.secret.file", file("secret").toString());
    http = serve(conf, "http");
    https = serve(conf, "https");
  }

  private static String serve(Configuration conf, String scheme) throws IOException {
    HttpServer2 server =
        new HttpServer2.Builder()
            .setName("node")
            .setConf(conf)
            .addEndpoint(URI.create(scheme + "://localhost:0"))
            .keyStore(file("server.p12").toString(), PASSWORD, "PKCS12")
            .keyPassword(PASSWORD)
            .setFindPort(true)
            .build();
    SERVERS.add(server);
    server.start();
    int port = Objects.requireNonNull(server.getConnectorAddress(0)).getPort();
    return scheme + "://localhost:" + port;
  }

  /** Java has no other way to sign one. */
  private static void makeCertificate() throws Exception {
    String options =
        "-genkeypair -alias server -keyalg EC -dname CN=localhost -ext SAN=dns:localhost"
            + " -storetype PKCS12 -storepass "
            + PASSWORD;
    List<String> command = new ArrayList<>(List.of(options.split(" ", -1)));
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-keystore", file("server.p12").toString()));
    Ran keytool = Ran.of(temp, Map.of(), command);
    assertEquals(0, keytool.code(), keytool.text());
    KeyStore keys = KeyStore.getInstance(file("server.p12").toFile(), PASSWORD.toCharArray());
    byte[] certificate = keys.getCertificate("server").getEncoded();
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(certificate);
    Files.writeString(
        file("ca.pem"), "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
  }

  @AfterAll
  static void stop() throws Exception {
    for (HttpServer2 server : SERVERS) {
      server.stop();
    }
    if (bean != null) {
      MBeans.unregister(bean);
    }
    if (kdc != null) {
      kdc.stop();
    }
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static Run status(String... args) {
    return Run.of(List.of("status"), args);
  }

  /** As after kinit: this JVM has no other ticket cache than what it is logged in with. */
  private static String[] asAnn(String... args) throws IOException {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.auth_to_local.mechanism", "mit");
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab("ann", file("ann.keytab").toString());
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--negotiate");
    return all.toArray(String[]::new);
  }

  @AfterEach
  void logOut() {
    UserGroupInformation.reset();
  }

  private static void assertOneLine(Run run, String what) {
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(what), run.err());
  }

  private static int code(String page) throws IOException {
    return ((HttpURLConnection) URI.create(http + page).toURL().openConnection()).getResponseCode();
  }

  @Test
  void onlyPrometheusIsLetInWithoutATicket() throws IOException {
    assertEquals(200, code("/prom"));
    assertEquals(401, code("/jmx"));
  }

  @Test
  void whoDoesNotSayWhoAsksIsToldHow() {
    assertOneLine(status("--jmx", http), "--negotiate");
  }

  @Test
  void aKerberosUserIsTold() throws IOException {
    Run run = status(asAnn("--jmx", http));
    assertEquals(ExitCodes.FINE, run.code(), run.err());
    assertTrue(run.out().contains("ACTIVE"), run.out());
  }

  @Test
  void soIsOneOfAWholeClusterOverTls() throws IOException {
    Files.writeString(file("hosts"), http + "\n" + https + "\n");
    String hosts = file("hosts").toString();
    String pem = file("ca.pem").toString();
    Run run = status(asAnn("--hosts", hosts, "--truststore", pem, "--timeout", "60s"));
    assertEquals(ExitCodes.FINE, run.code(), run.out() + run.err());
    assertTrue(run.out().contains("2 nodes: 2 fine"), run.out());
    Run nobody = status("--hosts", hosts, "--timeout", "60s");
    assertTrue(nobody.out().contains("2 nodes: 2 unknown"), nobody.out());
    assertTrue(nobody.out().contains("HTTP 401"), nobody.out());
    assertTrue(nobody.out().contains("https: "), nobody.out());
  }

  @Test
  void aCertificateThatIsNotTrustedIsToldAsSuch() throws IOException {
    assertOneLine(status(asAnn("--jmx", https)), "--truststore");
  }

  @Test
  void aTruststoreThatIsNoPemIsToldAsSuch() throws IOException {
    String empty = Files.createFile(file("empty.pem")).toString();
    for (String store : List.of(file("server.p12").toString(), empty, "/none")) {
      assertOneLine(status("--jmx", https, "--truststore", store), "--truststore " + store);
    }
  }

  @Test
  void withoutATicketKinitIsNamed() {
    assertOneLine(status("--jmx", http, "--negotiate"), "kinit");
  }
}
