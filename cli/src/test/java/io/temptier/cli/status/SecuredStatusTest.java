// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.temptier.cli.Run;
import io.temptier.fixtures.SelfSigned;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    SelfSigned certificate = SelfSigned.make(temp);
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
    http = serve(conf, "http", certificate);
    https = serve(conf, "https", certificate);
  }

  private static String serve(Configuration conf, String scheme, SelfSigned certificate)
      throws IOException {
    HttpServer2 server =
        new HttpServer2.Builder()
            .setName("node")
            .setConf(conf)
            .addEndpoint(URI.create(scheme + "://localhost:0"))
            .keyStore(certificate.keyStore().toString(), SelfSigned.PASSWORD, "PKCS12")
            .keyPassword(SelfSigned.PASSWORD)
            .setFindPort(true)
            .build();
    SERVERS.add(server);
    server.start();
    int port = Objects.requireNonNull(server.getConnectorAddress(0)).getPort();
    return scheme + "://localhost:" + port;
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
    status("--jmx", http).failed("--negotiate").oneLine();
  }

  @Test
  void aKerberosUserIsTold() throws IOException {
    status(asAnn("--jmx", http)).fine("ACTIVE");
  }

  @Test
  void soIsOneOfAWholeClusterOverTls() throws IOException {
    Files.writeString(file("hosts"), http + "\n" + https + "\n");
    String hosts = file("hosts").toString();
    String pem = file("ca.pem").toString();
    status(asAnn("--hosts", hosts, "--truststore", pem)).fine("2 nodes: 2 fine");
    status("--hosts", hosts).says("2 nodes: 2 unknown", "HTTP 401", "https: ");
  }

  @Test
  void aCertificateThatIsNotTrustedIsToldAsSuch() throws IOException {
    status(asAnn("--jmx", https)).failed("--truststore").oneLine();
  }

  @Test
  void aTruststoreThatIsNoPemIsToldAsSuch() throws IOException {
    String empty = Files.createFile(file("empty.pem")).toString();
    for (String store : List.of(file("made.p12").toString(), empty, "/none")) {
      status("--jmx", https, "--truststore", store).failed("--truststore " + store).oneLine();
    }
  }

  @Test
  void withoutATicketKinitIsNamed() {
    status("--jmx", http, "--negotiate").failed("kinit").oneLine();
  }
}
