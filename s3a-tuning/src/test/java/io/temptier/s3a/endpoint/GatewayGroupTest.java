// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Request;

/** What gateways are set to, and what a group of them makes of failures. */
class GatewayGroupTest {
  private static final AtomicInteger NAMES = new AtomicInteger();

  @AutoClose private final GatewayGroup group = group();
  private final Gateway first = group.gateways.get(0);
  private final Gateway second = group.gateways.get(1);

  /** Of gateways nobody counted before. */
  private static GatewayGroup group() {
    String name = "http://group-test-" + NAMES.incrementAndGet();
    Configuration conf = new Configuration(false);
    conf.set(EndpointKey.ENDPOINTS.key(), name + "a," + name + "b");
    conf.set(EndpointKey.PROBE_INTERVAL.key(), "10ms");
    return new GatewayGroup(EndpointSettings.of(conf));
  }

  private static Lease leaseOn(GatewayGroup group, Gateway wanted) {
    Gateway other = group.gateways.get(1 - wanted.index);
    Lease lease = group.lease(Set.of(other));
    assertSame(wanted, lease.gateway);
    return lease;
  }

  private void fail(Gateway gateway, Exception failure) {
    leaseOn(group, gateway).failed(failure);
  }

  private void reset(int times) {
    for (int i = 0; i < times; i++) {
      fail(first, new IOException("reset"));
    }
  }

  private void bothAreBusy(int times) {
    for (int i = 0; i < times; i++) {
      fail(first, busy());
      fail(second, busy());
    }
  }

  @Test
  void whatDeletesAndListsGoesOneWay() {
    Gateway home = group.leaseHome(Set.of()).gateway;
    Gateway other = group.gateways.get(1 - home.index);
    for (int i = 0; i < 4; i++) {
      assertSame(home, group.leaseHome(Set.of()).gateway, "busy or not");
    }
    assertSame(other, group.leaseHome(Set.of(home)).gateway);
    Attempts.Resending once = new Attempts.Resending(new Configuration(false)).times(0);
    for (S3Request request :
        List.of(
            DeleteObjectRequest.builder().bucket("b").key("k").build(),
            DeleteObjectsRequest.builder().bucket("b").build(),
            ListObjectsV2Request.builder().bucket("b").prefix("p").build())) {
      assertSame(home, new Attempts(group, once, request).next().gateway, request.toString());
    }
    HeadObjectRequest head = HeadObjectRequest.builder().bucket("b").key("k").build();
    assertSame(other, new Attempts(group, once, head).next().gateway, "fewer are under way there");
  }

  @Test
  void oneThatFailsThriceInARowIsTakenOut() {
    reset(2);
    Lease well = leaseOn(group, first);
    well.answered();
    well.end();
    reset(2);
    assertFalse(first.isOut(), "not in a row");
    reset(1);
    assertTrue(first.isOut());
    assertEquals(5, first.counts.value(GatewayCounter.FAILURES));
    assertEquals(1, first.counts.value(GatewayCounter.TAKEN_OUT));
    assertEquals(0, first.outstanding());
    for (int i = 0; i < 4; i++) {
      assertSame(second, group.lease(Set.of()).gateway);
    }
  }

  @Test
  void oneThatIsBusyIsTakenOutOnlyWhileAnotherAnswers() {
    bothAreBusy(5);
    assertFalse(first.isOut() || second.isOut(), "the whole store is throttled");
    assertEquals(5, group.throttlesInARow());
    leaseOn(group, second).answered();
    assertEquals(0, group.throttlesInARow());
    fail(first, busy());
    assertTrue(first.isOut());
    for (int i = 0; i < 5; i++) {
      fail(second, busy());
    }
    assertFalse(second.isOut(), "the last one");
  }

  @Test
  void afterAThrottledAnswerARequestWaitsAsS3aDoes() {
    Configuration conf = new Configuration(false);
    conf.setInt("fs.s3a.attempts.maximum", 20);
    Attempts.Resending resending = new Attempts.Resending(conf);
    Attempts fresh = new Attempts(group, resending, HeadObjectRequest.builder().build());
    long soon = waits(fresh);
    assertTrue(soon >= 500 && soon <= 1500, () -> soon + " ms");
    long then = waits(fresh);
    assertTrue(then >= 1000 && then <= 3000, () -> then + " ms");
    // Each has been throttled four times now: one that hears it for the first time knows, too.
    bothAreBusy(4);
    Attempts late = new Attempts(group, resending, HeadObjectRequest.builder().build());
    assertTrue(waits(late) >= 4000);
    assertTrue(resending.throttleMillis(1000) <= 30_000);
  }

  private long waits(Attempts attempts) {
    return attempts.failed(group.lease(Set.of()), busy()).orElseThrow();
  }

  private static S3Exception busy() {
    return (S3Exception) S3Exception.builder().statusCode(503).build();
  }

  @Test
  void whenAllAreOutRequestsAreSentAllTheSameAndAnAnswerTakesBack() {
    fail(first, new ConnectException("refused"));
    Lease slow = leaseOn(group, second);
    fail(second, new ConnectException("refused"));
    assertTrue(first.isOut() && second.isOut());
    slow.answered();
    assertTrue(second.isOut(), "what it answered before says nothing");
    Lease tried = group.lease(Set.of(first));
    tried.answered();
    assertFalse(tried.gateway.isOut());
    assertEquals(1, tried.gateway.counts.value(GatewayCounter.TAKEN_BACK));
  }

  @Test
  void afterTheEndNothingIsProbedOrTakenOut() throws Exception {
    AtomicInteger probes = new AtomicInteger();
    group.probeBy(
        index -> {
          probes.incrementAndGet();
          return false;
        });
    fail(first, new ConnectException("refused"));
    Eventually.holds("it was probed", () -> probes.get() > 0);
    group.close();
    assertEquals(0, first.counts.value(GatewayCounter.OUT));
    fail(second, new ConnectException("refused"));
    assertEquals(0, second.counts.value(GatewayCounter.TAKEN_OUT));
  }

  /** As the HTTP clients name theirs, in whatever package. */
  private static final class ConnectTimeoutException extends InterruptedIOException {}

  private static final class ConnectionPoolTimeoutException extends InterruptedIOException {}

  /** As Netty names its own. */
  private static final class ReadTimeoutException extends RuntimeException {}

  static Stream<Arguments> causes() {
    return Stream.of(
        Arguments.of(new ConnectException("Connection refused"), Outcome.UNREACHABLE),
        Arguments.of(new UnknownHostException("rgw"), Outcome.UNREACHABLE),
        Arguments.of(new ConnectTimeoutException(), Outcome.UNREACHABLE),
        Arguments.of(new IOException(new ConnectException("wrapped")), Outcome.UNREACHABLE),
        Arguments.of(new ConnectionPoolTimeoutException(), Outcome.PASSING),
        Arguments.of(new SocketException("Connection reset"), Outcome.TROUBLE),
        Arguments.of(new SocketTimeoutException("Read timed out"), Outcome.SILENT),
        Arguments.of(new IOException("Read timed out", new ReadTimeoutException()), Outcome.SILENT),
        Arguments.of(new InterruptedIOException(), Outcome.UNKNOWN),
        Arguments.of(new InterruptedException(), Outcome.UNKNOWN),
        Arguments.of(new IllegalStateException("not open"), Outcome.UNKNOWN));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void whatIsBelowTheSdksExceptionDecides(Throwable cause, Outcome expected) {
    assertEquals(expected, Outcome.of(SdkClientException.create("unable to execute", cause)));
    assertEquals(expected, Outcome.of(cause), "also alone");
  }

  @ParameterizedTest
  @CsvSource({
    "200, '', ANSWERED",
    "400, InvalidRequest, ANSWERED",
    "400, RequestTimeout, PASSING",
    "403, AccessDenied, ANSWERED",
    "403, RequestTimeTooSkewed, PASSING",
    "404, NoSuchKey, ANSWERED",
    "412, PreconditionFailed, ANSWERED",
    "429, TooManyRequests, THROTTLED",
    "500, InternalError, TROUBLE",
    "501, NotImplemented, ANSWERED",
    "400, SlowDown, THROTTLED",
    "503, SlowDown, THROTTLED",
    "503, '', THROTTLED",
    "504, '', TROUBLE",
  })
  void anAnswerIsJudgedByStatusAndCode(int status, String code, Outcome expected) {
    assertEquals(
        expected,
        Outcome.of(
            S3Exception.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build()));
  }

  @Test
  void aCallerWhoGaveUpBlamesNobody() {
    assertEquals(
        Outcome.UNKNOWN, Outcome.of(AbortedException.create("", new InterruptedException())));
    assertEquals(Outcome.SILENT, Outcome.of(ApiCallAttemptTimeoutException.create(1)));
    assertEquals(Outcome.SILENT, Outcome.of(ApiCallTimeoutException.create(1)));
    assertTrue(Outcome.PASSING.retried && !Outcome.PASSING.blames());
    assertTrue(!Outcome.ANSWERED.retried && !Outcome.UNKNOWN.retried);
  }

  private static EndpointSettings settings(Map<String, String> values, InetAddress... addresses) {
    Configuration conf = new Configuration(false);
    values.forEach(conf::set);
    return EndpointSettings.of(
        conf,
        host -> {
          if (addresses.length == 0) {
            throw new UnknownHostException(host);
          }
          return addresses;
        });
  }

  private static List<Object> values(EndpointSettings settings) {
    return List.of(
        settings.endpoints(),
        settings.failures(),
        settings.readTimeout(),
        settings.leastRate(),
        settings.writeTimeout(),
        settings.probeInterval(),
        settings.probeTimeout());
  }

  @Test
  void namesStay() throws IOException {
    List<String> keys =
        Arrays.stream(EndpointKey.values())
            .map(key -> key.key() + ": default " + key.defaultValue())
            .toList();
    StableNames.check("properties in core-site.xml", keys, GatewayGroupTest.class);
  }

  @Test
  void withoutAnyKeyNothingIsSpread() {
    EndpointSettings settings = settings(Map.of());
    assertEquals(
        List.of(
            List.of(),
            3,
            Duration.ofSeconds(10),
            16L << 10,
            Duration.ofSeconds(25),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5)),
        values(settings));
    assertFalse(settings.spreads());
  }

  @Test
  void everyKeyIsRead() {
    EndpointSettings settings =
        settings(
            Map.of(
                "temptier.s3a.endpoints", " http://a:1/ , HTTP://[::1]:2,http://a:1",
                "temptier.s3a.endpoint.failures", "7",
                "temptier.s3a.endpoint.read.timeout", "3s",
                "temptier.s3a.endpoint.least.rate", "1m",
                "temptier.s3a.endpoint.write.timeout", "4s",
                "temptier.s3a.endpoint.probe.interval", "300ms",
                "temptier.s3a.endpoint.probe.timeout", "1m"));
    assertEquals(
        List.of(
            List.of(URI.create("http://a:1"), URI.create("http://[::1]:2")),
            7,
            Duration.ofSeconds(3),
            1L << 20,
            Duration.ofSeconds(4),
            Duration.ofMillis(300),
            Duration.ofMinutes(1)),
        values(settings));
    assertTrue(settings.spreads());
  }

  @Test
  void aNameStandsForAllOfItsAddressesOnceEach() throws UnknownHostException {
    Map<String, String> conf = Map.of("temptier.s3a.endpoints", "dns:http://rgw:8080,http://c:3");
    InetAddress six = InetAddress.getByAddress(new byte[16]);
    InetAddress one = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    InetAddress two = InetAddress.getByAddress(new byte[] {10, 0, 0, 2});
    assertEquals(
        List.of(
            URI.create("http://10.0.0.1:8080"),
            URI.create("http://10.0.0.2:8080"),
            URI.create("http://c:3")),
        settings(conf, two, six, one).endpoints());
    assertEquals(
        List.of(URI.create("http://[0:0:0:0:0:0:0:0]:8080"), URI.create("http://c:3")),
        settings(conf, six).endpoints());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoints | rgw1:8080 | is no endpoint",
        "endpoints | http://a,https://b | mix http and https",
        "endpoints | http://a/bucket | buckets are no part of an endpoint",
        "endpoints | dns:http://rgw | has no address here",
        "endpoints | dns:https://rgw | certificates hold names",
        "endpoint.failures | 0 | it is not from 1 to 1000",
        "endpoint.failures | few | For input string",
        "endpoint.probe.interval | 5 | is not a duration",
        "endpoint.read.timeout | 10 | is not a duration",
        "endpoint.write.timeout | 11m | is more than 10m. Write a time from 10ms to 10m",
        "endpoint.probe.timeout | 0s | is not more than nothing",
        "endpoint.probe.timeout | 999999999d | is more than the longest duration",
        "endpoint.probe.interval | 1d | is more than 10m. Write a time from 10ms to 10m",
      })
  void whatIsWrongIsSaidWithKeyValueAndRemedy(String key, String value, String text) {
    String message =
        Texts.thrown(
            IllegalArgumentException.class, () -> settings(Map.of("temptier.s3a." + key, value)));
    assertTrue(message.startsWith("temptier.s3a." + key + " = \"" + value + "\" "), message);
    Texts.has(message, text, ". Write ");
  }

  @Test
  void aPasswordIsNotRepeated() {
    Map<String, String> conf = Map.of("temptier.s3a.endpoints", "http://me:hunter2@rgw");
    Texts.lacks(Texts.thrown(IllegalArgumentException.class, () -> settings(conf)), "hunter2");
  }

  @Test
  void keysThatNobodyReadsAreNamed() {
    Configuration conf = new Configuration(false);
    conf.set("temptier.s3a.endpoint", "http://a");
    conf.set("temptier.s3a.endpoint.failure", "1");
    conf.set("temptier.s3a.endpoints", "http://a");
    conf.set("temptier.enabled", "true");
    assertEquals(
        Map.of(
            "temptier.s3a.endpoint", "Did you mean temptier.s3a.endpoints?",
            "temptier.s3a.endpoint.failure", "Did you mean temptier.s3a.endpoint.failures?"),
        EndpointSettings.unknownKeys(conf));
  }

  /** {@code docs/s3a.md} lists the keys with their defaults. */
  @Test
  void theKeysAreDocumented() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "s3a.md"));
    for (EndpointKey key : EndpointKey.values()) {
      String value = key.defaultValue().isEmpty() ? "" : " (default `" + key.defaultValue() + "`)";
      String line = "\n- `%s`%s: ".formatted(key.key(), value);
      assertTrue(docs.contains(line), () -> "docs/s3a.md lacks" + line);
    }
  }
}
