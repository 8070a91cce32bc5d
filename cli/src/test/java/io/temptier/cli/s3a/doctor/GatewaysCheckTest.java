// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.temptier.cli.doctor.RolloutReader;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.KernelClassifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewaysCheckTest {
  private static final String FACTORY = "fs.s3a.s3.client.factory.impl";
  private static final String OURS = "io.temptier.s3a.endpoint.SpreadingS3ClientFactory";
  private static final String ENDPOINTS = "temptier.s3a.endpoints";

  @TempDir private Path folder;

  private final HttpServer server =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

  private int status = 403;

  GatewaysCheckTest() throws IOException {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String up() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static String down() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }
  }

  private List<Finding> check(String... keysAndValues) throws IOException {
    Map<String, String> conf = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    StringBuilder xml = new StringBuilder("<configuration>\n");
    conf.forEach(
        (key, value) ->
            xml.append(
                "<property><name>" + key + "</name><value>" + value + "</value></property>\n"));
    Files.writeString(folder.resolve("core-site.xml"), xml.append("</configuration>\n"));
    return new GatewaysCheck().check(subject());
  }

  private Subject subject() throws IOException {
    return Subject.of(
        "data", new RolloutReader(folder, new KernelClassifier()).read().orElseThrow());
  }

  private static Finding only(List<Finding> findings) {
    assertEquals(1, findings.size(), findings::toString);
    return findings.get(0);
  }

  @Test
  void withoutSpreadingThereIsNothingToSay() throws IOException {
    assertEquals(List.of(), check("fs.s3a.endpoint", up()));
  }

  @Test
  void gatewaysThatAnswerWhateverTheySayAreFine() throws IOException {
    assertEquals(
        List.of(),
        check(FACTORY, OURS, ENDPOINTS, up() + "," + up().replace("127.0.0.1", "localhost")));
  }

  @Test
  void aGatewayThatIsDownIsAWarningAndAllOfThemAnError() throws IOException {
    String down = down();
    Finding one = only(check(FACTORY, OURS, ENDPOINTS, up() + "," + down));
    assertEquals(Severity.WARNING, one.severity());
    assertEquals(down, one.value());
    assertTrue(one.consequence().contains("requests go to the others"), one.toString());
    List<Finding> both = check(FACTORY, OURS, ENDPOINTS, down + "," + down());
    assertEquals(2, both.size(), both::toString);
    assertTrue(both.stream().allMatch(f -> f.severity() == Severity.ERROR), both::toString);
    status = 503;
    List<Finding> broken = check(FACTORY, OURS, ENDPOINTS, up() + "," + down);
    assertTrue(broken.toString().contains("status 503"), broken::toString);
  }

  @Test
  void aListThatNobodyReadsIsSaidWithTheFactory() throws IOException {
    Finding finding = only(check(ENDPOINTS, up()));
    assertEquals(Severity.WARNING, finding.severity());
    assertTrue(finding.remedy().contains(OURS), finding.toString());
  }

  @Test
  void oneGatewayIsARemark() throws IOException {
    assertEquals(Severity.INFO, only(check(FACTORY, OURS, ENDPOINTS, up())).severity());
    assertEquals(Severity.INFO, only(check(FACTORY, OURS)).severity());
  }

  @Test
  void whatCannotBeUsedIsAnErrorOfItsKey() throws IOException {
    Finding finding =
        only(check(FACTORY, OURS, ENDPOINTS, up(), "temptier.s3a.endpoint.probe.interval", "soon"));
    assertEquals(Severity.ERROR, finding.severity());
    assertEquals("temptier.s3a.endpoint.probe.interval", finding.key());
    assertTrue(finding.consequence().contains("is not a duration"), finding.toString());
    Finding unknown = check("temptier.s3a.endpoint.polcy", "rendezvous").get(0);
    assertTrue(unknown.remedy().contains("temptier.s3a.endpoint.policy?"), unknown.toString());
    Finding secret =
        check(FACTORY, OURS, ENDPOINTS, "http://me:hunter2@rgw1:8080,http://rgw2:8080").get(0);
    assertFalse(secret.toString().contains("hunter2"), "repeats a password");
  }

  @Test
  void encryptionByTheClientGoesAroundIt() throws IOException {
    List<Finding> findings =
        check(
            FACTORY,
            OURS,
            ENDPOINTS,
            up() + "," + down(),
            "fs.s3a.encryption.algorithm",
            "CSE-KMS");
    assertTrue(findings.toString().contains("S3A makes its clients itself"), findings::toString);
  }

  @Test
  void aStoreIsReachableWhileOneOfItsGatewaysIs() throws IOException {
    List<Finding> unused = check(FACTORY, OURS, ENDPOINTS, down() + "," + up());
    assertEquals(List.of(), GatewayCheck.firstAnswer(subject()));
    unused = check(FACTORY, OURS, ENDPOINTS, down() + "," + down());
    assertThrows(IOException.class, () -> GatewayCheck.firstAnswer(subject()));
  }

  @Test
  void oneGatewayInTheListIsTheStoreWhateverTheEndpointSays() throws IOException {
    List<Finding> unused = check(FACTORY, OURS, ENDPOINTS, up(), "fs.s3a.endpoint", down());
    assertEquals(List.of(up()), subject().endpoints());
    assertEquals(List.of(), GatewayCheck.firstAnswer(subject()));
  }

  @Test
  void gatewaysOfOnesOwnAreNotAmazons() throws IOException {
    List<Finding> unused = check(FACTORY, OURS, ENDPOINTS, up() + "," + down());
    assertFalse(subject().isAmazon());
    String said = new EndpointCheck().check(subject()).toString();
    assertFalse(said.contains("Requests go to AWS"), said);
    unused = check("fs.s3a.path.style.access", "true");
    assertTrue(new EndpointCheck().check(subject()).toString().contains("Requests go to AWS"));
  }
}
