// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import io.temptier.cli.FakeNodes;
import io.temptier.cli.SiteFiles;
import io.temptier.cli.doctor.Rollout;
import io.temptier.cli.s3a.doctor.StoreTroubles.Failure;
import io.temptier.fixtures.Texts;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayChecksTest {
  private static final String FACTORY = "fs.s3a.s3.client.factory.impl";
  private static final String OURS = "io.temptier.s3a.endpoint.SpreadingS3ClientFactory";
  private static final String ENDPOINTS = "temptier.s3a.endpoints";

  @TempDir private Path folder;

  /** Nobody listens on a port of the system. */
  private static final String DOWN = "http://127.0.0.1:1";

  @RegisterExtension private final FakeNodes servers = new FakeNodes();
  private final String up;
  private int status = 403;
  private boolean isS3 = true;

  GatewayChecksTest() throws IOException {
    up =
        serve(
            exchange -> {
              if (isS3) {
                exchange.getResponseHeaders().set("x-amz-request-id", "tx1");
              }
              FakeNodes.answer(exchange, status, "");
            });
  }

  private String serve(HttpHandler handler) throws IOException {
    return "http://" + servers.serve(handler);
  }

  private List<Finding> check(String... keysAndValues) throws IOException {
    SiteFiles.write(folder.resolve("core-site.xml"), keysAndValues);
    List<Finding> all = new ArrayList<>();
    GatewayChecks.spreading(settings(), all::add);
    StoreTroubles.ofSettings("settings", settings()).stream()
        .filter(found -> found.key().startsWith("temptier.") || found.key().contains("encryption"))
        .forEach(all::add);
    return all;
  }

  private BucketSettings settings() throws IOException {
    return new BucketSettings("data", "/", Rollout.read(folder), Map.of());
  }

  private static Finding only(List<Finding> findings) {
    assertEquals(1, findings.size(), findings::toString);
    return findings.get(0);
  }

  private StoreSession session(String... keysAndValues) throws IOException {
    SiteFiles.write(folder.resolve("core-site.xml"), keysAndValues);
    return new StoreSession(settings(), Duration.ofMinutes(2));
  }

  private StoreSession spread(String endpoints) throws IOException {
    return session(FACTORY, OURS, ENDPOINTS, endpoints, "fs.s3a.connection.ssl.enabled", "false");
  }

  private StoreSession proxied(String endpoint, String proxy) throws IOException {
    String port = proxy.replaceFirst(".*:", "");
    return session(
        "fs.s3a.endpoint", endpoint, "fs.s3a.proxy.host", "127.0.0.1", "fs.s3a.proxy.port", port);
  }

  private static List<Finding> answers(StoreSession session) throws Exception {
    List<Finding> found = new ArrayList<>();
    session.tell(found::add);
    GatewayChecks.answers(session);
    return found;
  }

  private String said(StoreSession session) {
    Exception none = assertThrows(IOException.class, () -> GatewayChecks.answers(session));
    return StoreTroubles.explain("answer", new Failure(none), session.settings, List.of("ask"))
        .toString();
  }

  @Test
  void gatewaysThatAnswerWhateverTheySayAreFine() throws Exception {
    assertEquals(List.of(), answers(spread(up + "," + up.replace("127.0.0.1", "localhost"))));
    String capitals = up.replace("http:", "HTTP:");
    assertEquals(List.of(), answers(session("fs.s3a.endpoint", capitals)));
    assertEquals(List.of(), answers(spread(capitals + "," + up)));
  }

  @Test
  void aGatewayThatIsDownIsAWarningAndTheOthersAreAsked() throws Exception {
    StoreSession session = spread(DOWN + "," + up);
    Finding one = only(answers(session));
    assertEquals(Severity.WARNING, one.severity());
    assertEquals(DOWN, one.value());
    assertTrue(one.consequence().contains("requests go to the others"), one.toString());
    assertEquals(List.of(up), session.gateways());
  }

  @Test
  void whenNoneAnswersTheListIsBlamed() throws IOException {
    Texts.has(
        said(spread(DOWN + "," + DOWN.replace("127.0.0.1", "localhost"))),
        "ERROR " + ENDPOINTS,
        "Nothing listens there");
    status = 503;
    assertTrue(said(spread(up + "," + DOWN)).contains("status 503"));
  }

  @Test
  void whatIsNoStoreIsNoGatewayHoweverItAnswers() throws Exception {
    isS3 = false;
    status = 404;
    Texts.has(said(session("fs.s3a.endpoint", up)), "What answers there is no S3 gateway");
    String refusal = "<Error><Code>AccessDenied</Code></Error>";
    String gateway = serve(exchange -> FakeNodes.answer(exchange, 403, refusal));
    Finding foreign = only(answers(spread(gateway + "," + up)));
    assertEquals(Severity.ERROR, foreign.severity());
    assertEquals(up, foreign.value());
    Texts.has(foreign.consequence(), "what it says counts");
  }

  @Test
  void aProxyThatIsDownIsBlamedAndOneThatWorksIsUsed() throws Exception {
    Texts.has(said(proxied(up, DOWN)), "ERROR fs.s3a.proxy.host");
    assertEquals(List.of(), answers(proxied("http://rgw.invalid:8080", up)));
  }

  /** Settings with a blank between, and the finding of it, with " & " between what it says. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fs.s3a.endpoint=UP |
          temptier.s3a.endpoints=UP | WARNING & io.temptier.s3a.endpoint.SpreadingS3ClientFactory
          OURS temptier.s3a.endpoints=UP | INFO temptier.s3a.endpoints
          OURS | INFO temptier.s3a.endpoints
          OURS temptier.s3a.endpoints=UP temptier.s3a.endpoint.probe.interval=soon | ERROR temptier.s3a.endpoint.probe.interval & is not a duration
          temptier.s3a.endpoint.failure=1 | WARNING & temptier.s3a.endpoint.failures?
          OURS temptier.s3a.endpoints=UP,DOWN fs.s3a.encryption.algorithm=CSE-KMS | WARNING & S3A makes its clients itself
          """)
  void howSpreadingIsSetUpIsSaid(String settings, @Nullable String says) throws IOException {
    String given = settings.replace("OURS", FACTORY + "=" + OURS).replace("UP", up);
    List<Finding> found = check(given.replace("DOWN", DOWN).split("[ =]", -1));
    assertEquals(says == null ? 0 : 1, found.size(), found::toString);
    for (String each : says == null ? new String[0] : says.split(" & ", -1)) {
      assertTrue(found.toString().contains(each), found::toString);
    }
  }

  @Test
  void aPasswordInTheListIsNotRepeated() throws IOException {
    String list = "http://me:hunter2@rgw1:8080,http://rgw2:8080";
    Finding secret = check(FACTORY, OURS, ENDPOINTS, list).get(0);
    assertFalse(secret.toString().contains("hunter2"), "repeats a password");
  }

  @Test
  void oneGatewayInTheListIsTheStoreWhateverTheEndpointSays() throws Exception {
    StoreSession session = session(FACTORY, OURS, ENDPOINTS, up, "fs.s3a.endpoint", DOWN);
    assertEquals(List.of(up), settings().endpoints());
    assertEquals(List.of(), answers(session));
  }

  @Test
  void gatewaysOfOnesOwnAreNotAmazons() throws IOException {
    List<Finding> unused = check(FACTORY, OURS, ENDPOINTS, up + "," + DOWN);
    assertFalse(settings().isAmazon());
    String said = StoreTroubles.ofSettings("settings", settings()).toString();
    assertFalse(said.contains("Requests go to AWS"), said);
    unused = check("fs.s3a.path.style.access", "true");
    assertTrue(
        StoreTroubles.ofSettings("settings", settings()).toString().contains("Requests go to AWS"));
  }
}
