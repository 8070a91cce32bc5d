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
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The table of troubles, and gateways that answer; what a real one says is tried in the lab. */
class StoreTroublesTest {
  private static final String FACTORY = "fs.s3a.s3.client.factory.impl";
  private static final String OURS = "io.temptier.s3a.endpoint.SpreadingS3ClientFactory";
  private static final String ENDPOINTS = "temptier.s3a.endpoints";

  /** Nobody listens on a port of the system. */
  private static final String DOWN = "http://127.0.0.1:1";

  @TempDir private Path folder;
  @RegisterExtension private final FakeNodes servers = new FakeNodes();
  private String up = "";
  private int status = 403;
  private boolean isS3 = true;

  @BeforeEach
  void write() throws IOException {
    SiteFiles.write(folder.resolve("core-site.xml"), "fs.s3a.paging.maximum", "0");
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

  private BucketSettings settings(Map<String, String> given) throws IOException {
    return new BucketSettings("data", "/", Rollout.read(folder), given);
  }

  @Test
  void everyRowHasANameOfItsOwnAndCanBeRead() throws IOException {
    Set<String> names = new HashSet<>();
    for (StoreTroubles.Trouble row : StoreTroubles.ALL) {
      assertTrue(names.add(row.name), row.name);
      // Throws where a condition cannot be read.
      boolean unused = row.holds(settings(Map.of()));
    }
    assertTrue(names.size() > 80, () -> names.size() + " rows");
  }

  /** What the store says, by its status and code. */
  @ParameterizedTest
  @CsvSource({
    "signer, write, 400, XAmzContentSHA256Mismatch",
    "signer.copy, local, 400, XAmzContentSHA256Mismatch",
    "key.unknown, list, 403, InvalidAccessKeyId",
    "user.suspended, list, 403, UserSuspended",
    "secret.wrong, list, 403, SignatureDoesNotMatch",
    "balancer.rewrites, write, 403, SignatureDoesNotMatch",
    "clock, list, 403, RequestTimeTooSkewed",
    "quota, write, 403, QuotaExceeded",
    "right.list, list, 403, AccessDenied",
    "right.write, write, 403, AccessDenied",
    "right.delete, rename, 403, AccessDenied",
    "right.delete.many, delete, 403, AccessDenied",
    "right.read, read, 403, AccessDenied",
    "put.large, parts, 413, ''",
    "put.large, replace, 413, ''",
    "put.large, parts, 400, EntityTooLarge",
    "put.small, parts, 400, EntityTooSmall",
    "throttled, list, 503, SlowDown",
    "broken, list, 502, ''",
    "balancer.expect, empty, 417, ''",
    "etag.changed, write, 412, PreconditionFailed",
    "etag.changed.parts, condition, 400, InvalidPart",
  })
  void theStoresAnswerIsExplainedByWhatWasAsked(String row, String asked, int status, String code)
      throws IOException {
    assertEquals(
        row,
        StoreTroubles.of(
                asked,
                new Failure(new AccessDeniedException("/").initCause(answer(status, code))),
                settings(Map.of("fs.s3a.path.style.access", "true")))
            .map(trouble -> trouble.name)
            .orElse("none"));
  }

  private static S3Exception answer(int status, String code) {
    AwsErrorDetails details = AwsErrorDetails.builder().errorCode(code).build();
    return (S3Exception)
        S3Exception.builder()
            .message("a".repeat(400))
            .statusCode(status)
            .requestId("tx1")
            .awsErrorDetails(details)
            .build();
  }

  /** Such as 407 of a proxy, in the midst of a request's id. */
  @Test
  void whatAStoreAnsweredIsNeverNobodysAnswer() throws IOException {
    S3Exception refused =
        (S3Exception)
            S3Exception.builder()
                .message("Precondition failed (Request ID: tx0000040710timed out)")
                .statusCode(412)
                .requestId("tx0000040710")
                .build();
    assertEquals(
        Optional.empty(),
        StoreTroubles.of(
            "replace", new Failure(new IOException("407", refused)), settings(Map.of())));
  }

  /** A store that is not AWS sends on to another of its zonegroups. */
  @Test
  void aRedirectionIsAnotherZonegroupWhereTheStoreIsCeph() throws IOException {
    Failure moved = new Failure(answer(301, "PermanentRedirect"));
    BucketSettings ceph = settings(Map.of("fs.s3a.endpoint", "http://rgw:8080"));
    assertEquals("zonegroup", StoreTroubles.of("list", moved, ceph).orElseThrow().name);
    assertEquals(
        "region.other", StoreTroubles.of("list", moved, settings(Map.of())).orElseThrow().name);
  }

  /** What no store answered. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "net.proxy | Unable to tunnel: Proxy Authentication Required",
        "not.s3 | it answers with status 404, and not as S3 does",
        "not.s3.page | SdkClientException: Could not parse XML response.",
        "redirect.tls | it answers with status 301 to https://rgw/, and not as S3 does",
        "etag.none | Change detection policy requires ETag",
        "keys.store | Cannot find password option fs.s3a.access.key",
        "net.throttled | it answers with status 503",
        "net.broken | it answers with status 502",
        "net.refused | Connect to 127.0.0.1:1 failed: Connection refused",
        "net.tls | SSLException: Unsupported or unrecognized SSL message",
        "net.tls.version | SSLHandshakeException: Remote host terminated the handshake",
        "net.tls.client | SSLHandshakeException: Received fatal alert: bad_certificate",
        "net.certificate | PKIX path building failed: unable to find valid certification path",
        "net.dns | UnknownHostException: bucket.rgw",
        "net.gone | The target server failed to respond",
        "net.slow | Read timed out",
        "jar.old | NoClassDefFoundError: com/amazonaws/auth/AWSCredentialsProvider",
      })
  void noAnswerIsToldByWhatStandsInTheCauses(String row, String text) throws IOException {
    Failure failure = new Failure(new IOException("s3a", new IOException(text)));
    BucketSettings plain = settings(Map.of("fs.s3a.path.style.access", "true"));
    assertEquals(row, StoreTroubles.of("answer", failure, plain).orElseThrow().name);
    assertTrue(failure.said.startsWith("this side: "), failure.said);
  }

  @Test
  void whatIsNotInTheTableIsQuotedOnceWithWhoSaidIt() throws IOException {
    Failure store = new Failure(new IOException("a", answer(418, "Teapot")));
    String told =
        StoreTroubles.explain("list", store, settings(Map.of()), List.of("list it")).toString();
    assertTrue(told.contains("the store: status 418 Teapot, request tx1"), told);
    assertEquals(told.indexOf("Teapot"), told.lastIndexOf("Teapot"), told);
    Failure before = new Failure(S3Exception.builder().message("x").statusCode(418).build());
    assertTrue(before.said.startsWith("what stands before the store: status 418"), before.said);
  }

  @Test
  void aPropertyThatTheErrorNamesOrQuotesIsBlamed() throws IOException {
    Failure named = new Failure(new IOException("Value of fs.s3a.paging.maximum: 0 is below"));
    Finding finding = StoreTroubles.explain("open", named, settings(Map.of()), List.of("open it"));
    assertEquals("fs.s3a.paging.maximum", finding.key());
    assertTrue(finding.origin().contains("line 2"), finding.origin());
    assertTrue(finding.remedy().contains("5000"), finding.remedy());
    Failure quoted = new Failure(new NumberFormatException("For input string: \"many\""));
    Finding other =
        StoreTroubles.explain(
            "open", quoted, settings(Map.of("fs.s3a.threads.max", "many")), List.of("open it"));
    assertEquals("fs.s3a.threads.max", other.key());
    assertEquals("-D", other.origin());
  }

  /** At the bounds, and with what is no size, which S3A itself says when it opens. */
  @ParameterizedTest
  @CsvSource({
    "classic, 64K, normal, ''",
    "classic, 65535, sequential, --workload NAME",
    "classic, 1M, random, ''",
    "classic, 1048577, random, --workload NAME",
    "classic, 8M, sequential, ''",
    "classic, 8M, normal, --workload NAME",
    "classic, much, normal, ''",
    "analytics, 8M, normal, under which this has no effect",
  })
  void sizesOfReadsAreComparedWithTheProfiles(
      String stream, String range, String policy, String said) throws IOException {
    Map<String, String> given =
        Map.of(
            "fs.s3a.input.stream.type", stream,
            "fs.s3a.readahead.range", range,
            "fs.s3a.experimental.input.fadvise", policy);
    List<Finding> found = new ArrayList<>(StoreTroubles.ofSettings("settings", settings(given)));
    SettingsChecks.numbers(settings(given), found::add);
    found.removeIf(finding -> !finding.key().endsWith("readahead.range"));
    assertEquals(said.isEmpty() ? 0 : 1, found.size(), found::toString);
    assertTrue(said.isEmpty() || found.toString().contains(said), found::toString);
  }

  /** Only a refusal by the store makes an error of it. */
  @ParameterizedTest
  @CsvSource({"0, 0", "59, 0", "-59, 0", "61, 1", "-899, 1", "100000, 1"})
  void clocksMayDifferALittle(long secondsAhead, int findings) throws IOException {
    StoreSession session = new StoreSession(settings(Map.of()), Duration.ZERO);
    List<Finding> found = new ArrayList<>();
    session.tell(found::add);
    GatewayChecks.clocks(session, Duration.ofSeconds(secondsAhead));
    assertEquals(findings, found.size(), found::toString);
    for (Finding finding : found) {
      assertEquals(Severity.WARNING, finding.severity());
      assertTrue(finding.value().contains(secondsAhead > 0 ? "ahead" : "behind"), finding.value());
    }
  }

  private StoreSession session(Map<String, String> given) throws IOException {
    return new StoreSession(settings(given), Duration.ofMinutes(2));
  }

  private StoreSession spread(String endpoints) throws IOException {
    return session(
        Map.of(FACTORY, OURS, ENDPOINTS, endpoints, "fs.s3a.connection.ssl.enabled", "false"));
  }

  private StoreSession proxied(String endpoint, String proxy) throws IOException {
    Map<String, String> given = new HashMap<>(Map.of("fs.s3a.endpoint", endpoint));
    given.put("fs.s3a.proxy.host", "127.0.0.1");
    given.put("fs.s3a.proxy.port", proxy.replaceFirst(".*:", ""));
    return session(given);
  }

  private static List<Finding> answers(StoreSession session) throws Exception {
    List<Finding> found = new ArrayList<>();
    session.tell(found::add);
    GatewayChecks.answers(session);
    return found;
  }

  private static Finding only(List<Finding> findings) {
    assertEquals(1, findings.size(), findings::toString);
    return findings.get(0);
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
    assertEquals(List.of(), answers(session(Map.of("fs.s3a.endpoint", capitals))));
    assertEquals(List.of(), answers(spread(capitals + "," + up)));
  }

  @Test
  void aGatewayThatIsDownIsAWarningAndTheOthersAreAsked() throws Exception {
    StoreSession session = spread(DOWN + "," + up);
    Finding one = only(answers(session));
    assertEquals(Severity.WARNING, one.severity());
    assertEquals(DOWN, one.value());
    assertTrue(one.consequence().contains("requests go to the others"), one.toString());
    assertEquals(List.of(up), session.gateways);
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
    Texts.has(said(session(Map.of("fs.s3a.endpoint", up))), "What answers there is no S3 gateway");
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

  @Test
  void oneGatewayInTheListIsTheStoreWhateverTheEndpointSays() throws Exception {
    StoreSession session = session(Map.of(FACTORY, OURS, ENDPOINTS, up, "fs.s3a.endpoint", DOWN));
    assertEquals(List.of(up), session.settings.endpoints());
    assertEquals(List.of(), answers(session));
  }

  @Test
  void gatewaysOfOnesOwnAreNotAmazons() throws IOException {
    BucketSettings own = settings(Map.of(FACTORY, OURS, ENDPOINTS, up + "," + DOWN));
    assertFalse(own.isAmazon());
    String aws = "Requests go to AWS";
    Texts.lacks(StoreTroubles.ofSettings("settings", own).toString(), aws);
    BucketSettings none = settings(Map.of("fs.s3a.path.style.access", "true"));
    Texts.has(StoreTroubles.ofSettings("settings", none).toString(), aws);
  }
}
