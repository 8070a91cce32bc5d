// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Needs.NeedsCeph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** What a load balancer does to the requests of jobs, and what the doctor says of it. */
@NeedsCeph
class StoreDoctorBalancerIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  private static final Pattern LENGTH = Pattern.compile("(?im)^Content-Length: (\\d+)");

  @Test
  void anHonestBalancerIsNoTrouble() throws IOException {
    SOUND.behind(head -> head).passed("Ready: what was asked was answered");
  }

  /** As nginx does with client_max_body_size 8m: the job's parts have 16M. */
  @Test
  void aBalancerThatTakesSmallRequestsOnlyIsNamed() throws IOException {
    String html = page("413 Request Entity Too Large");
    SOUND
        .behind(head -> length(head) > 8 << 20 ? html : head, UnaryOperator.identity(), "16M")
        .failed(
            "ERROR fs.s3a.multipart.size = 16M",
            "what stands before the store: status 413",
            "client_max_body_size")
        .lacks("refuses conditional requests");
  }

  private static long length(String head) {
    Matcher length = LENGTH.matcher(head);
    return length.find() ? Long.parseLong(length.group(1)) : 0;
  }

  @Test
  void aBalancerThatRewritesUrlsIsNamedAndNotTheSecretKey() throws IOException {
    SOUND
        .behind(head -> head.replaceFirst("%2520", "%20"))
        .failed(
            "ERROR fs.s3a.endpoint",
            "so the keys are right",
            "Have the balancer or proxy leave URL")
        .lacks("the secret key is wrong");
  }

  @Test
  void whoAsksForFewerRequestsIsHeard() throws IOException {
    SOUND.behind(head -> Balancer.SLOW_DOWN).failed("ERROR fs.s3a.endpoint", "(SlowDown)");
    SOUND
        .behind(head -> head.contains("Authorization: ") ? Balancer.SLOW_DOWN : head)
        .failed("ERROR rate limit", "503 SlowDown", "radosgw-admin ratelimit get");
  }

  private static String page(String status) {
    return Balancer.answer(
        status, "text/html", "<html><title>Blocked</title><p>Ask your network team</html>");
  }

  private static String without(String header, String head) {
    return head.replaceFirst("(?im)^" + header + ": [^\r\n]*\r\n", "");
  }

  @Test
  void aRedirectionToHttpsIsNamed() throws IOException {
    String moved = "301 Moved Permanently\r\nLocation: https://rgw.example.com/";
    SOUND
        .behind(head -> page(moved))
        .failed(
            "ERROR fs.s3a.endpoint", "from http on to https", "Write the endpoint with https://");
  }

  /** As firewalls for the web do. */
  @ParameterizedTest
  @CsvSource({
    "HEAD, 405 Method Not Allowed",
    "PUT, 405 Method Not Allowed",
    "PUT, 411 Length Required",
    "POST, 403 Forbidden",
  })
  void whatAnswersInTheGatewaysPlaceIsNamedOnce(String method, String status) throws IOException {
    String text =
        SOUND
            .behind(head -> head.startsWith(method) ? page(status) : head)
            .failed(
                "ERROR fs.s3a.endpoint",
                "A middle box answers this request",
                "without a request id")
            .lacks("Give the user")
            .text();
    assertEquals(2, text.split(" ERROR ", -1).length, text);
  }

  @Test
  void whatDoesNotTakeExpectationsIsNamed() throws IOException {
    SOUND
        .behind(head -> head.contains("100-continue") ? page("417 Expectation Failed") : head)
        .failed("ERROR fs.s3a.connection.expect.continue", "<value>false</value>");
  }

  @Test
  void aHeaderWithTheKeysThatDoesNotArriveIsNamed() throws IOException {
    SOUND
        .behind(head -> without("Authorization", head))
        .failed("ERROR fs.s3a.endpoint", "takes out the header Authorization");
  }

  @Test
  void aPageWithStatus200IsNamed() throws IOException {
    String page = Balancer.answer("200 OK", "text/html", "<h1>Not for you</h1>");
    SOUND
        .behind(head -> head.contains("Authorization: ") ? page : head)
        .failed("ERROR fs.s3a.endpoint", "answers with a page of its own");
  }

  @Test
  void aProxyThatForbidsTheGatewayIsNamed() throws IOException {
    try (Balancer proxy =
        new Balancer(SOUND.gatewayUri(0), head -> page("403 No"), UnaryOperator.identity())) {
      String port = Integer.toString(proxy.uri().getPort());
      SOUND
          .doctor(SOUND.with("fs.s3a.proxy.host", "127.0.0.1", "fs.s3a.proxy.port", port))
          .failed("ERROR fs.s3a.proxy.host", "the proxy does not let requests through");
    }
  }

  @Test
  void etagsThatGoMissingAreNamedOnce() throws IOException {
    String text =
        SOUND
            .behind(head -> head, answer -> without("ETag", answer))
            .failed("ERROR etag", "takes it out")
            .text();
    assertEquals(2, text.split(" (?:ERROR|WARNING) ", -1).length, text);
  }

  /** As nginx with gzip on. */
  @Test
  void etagsThatBecomeWeakAreNamed() throws IOException {
    SOUND
        .behind(head -> head, answer -> answer.replaceFirst("(?im)^ETag: ", "ETag: W/"))
        .failed(
            "ERROR etag",
            "gzip makes them weak",
            "The same happened to: upload a file in parts of 5M");
  }

  @Test
  void aCacheThatKeepsWhatWasOverwrittenIsNamed() throws IOException {
    Map<String, String> kept = new ConcurrentHashMap<>();
    ThreadLocal<String> asked = ThreadLocal.withInitial(() -> "");
    SOUND
        .behind(
            head -> {
              asked.set(
                  head.replaceAll(
                      "(?is)^(GET [^?\r]*)\r.*?(\r\nRange: [^\r]*|\r\n\r\n).*", "$1$2"));
              return kept.getOrDefault(asked.get(), head);
            },
            answer -> {
              if (asked.get().startsWith("GET ") && answer.startsWith("HTTP/1.1 20")) {
                kept.put(asked.get(), answer);
              }
              return answer;
            })
        .failed("ERROR data", "Look for caches and proxies");
  }

  /** Nothing is changed on the way there, so that the signature fits. */
  @Test
  void aCacheThatHeedsNoRangeIsNamed() throws IOException {
    SOUND
        .behind(head -> head.matches("(?is)GET [^?\r]*\r.*\r\nRange: .*") ? whole(head) : head)
        .failed("ERROR data", "Look for caches and proxies");
  }

  private static String whole(String head) {
    String[] path = head.split(" ", 3)[1].substring(1).split("/", 2);
    StringBuilder answer = new StringBuilder();
    try {
      SOUND.store(
          path[0],
          client -> {
            String key = URLDecoder.decode(path[1].replace("+", "%2B"), StandardCharsets.UTF_8);
            ResponseBytes<GetObjectResponse> all =
                client.getObjectAsBytes(it -> it.bucket(path[0]).key(key));
            String type = "text/plain\r\nETag: " + all.response().eTag();
            answer.append(
                Balancer.answer("200 OK", type, all.asString(StandardCharsets.ISO_8859_1)));
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer.toString();
  }

  /** What a firewall lets pass until a job meets it. */
  @ParameterizedTest
  @CsvSource({
    "x-amz-copy-source-range, upload a file in parts",
    "partNumber=3, upload a file in parts",
    "_COPYING_, upload a file in parts",
  })
  void whatOnlyLargeFilesDoIsTried(String part, String asked) throws IOException {
    SOUND
        .behind(head -> head.contains(part) ? page("403 Forbidden") : head)
        .failed("A middle box answers", asked)
        .lacks("Give the user");
  }

  @ParameterizedTest
  @CsvSource({
    "403 Forbidden, A middle box answers",
    "405 Method Not Allowed, A middle box answers",
    "411 Length Required, A middle box answers",
    "302 Found, sends requests on to a page",
  })
  void aMiddleBoxIsNamedWithTheFirstWordsOfItsPage(String status, String says) throws IOException {
    String login = "\r\nLocation: https://login.example.com/sso?to=1";
    SOUND
        .behind(head -> page(status.startsWith("302") ? status + login : status))
        .failed("ERROR fs.s3a.endpoint", says, "Ask your network team")
        .lacks("Give the user");
  }

  /** More often than S3A itself tries within the doctor's patience. */
  @ParameterizedTest
  @CsvSource({"429 Too Many Requests", "503 Slow Down"})
  void whatAsksForFewerRequestsAndTakesThemLaterIsReady(String status) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    String slow = Balancer.SLOW_DOWN.replaceFirst("503 Slow Down", status);
    SOUND
        .behind(head -> head.startsWith("PUT ") && asked.incrementAndGet() <= 6 ? slow : head)
        .passed("Ready", "WARNING rate limit", "took them after a pause");
  }

  /** As through a cache, or another gateway: the first list lacks the last file. */
  @Test
  void aListThatComesLateIsNamed() throws IOException {
    Pattern last = Pattern.compile("<Contents><Key>[^<]*/list/file-6</Key>.*?</Contents>");
    AtomicBoolean late = new AtomicBoolean();
    SOUND
        .behind(
            UnaryOperator.identity(),
            answer -> {
              Matcher shown = last.matcher(answer);
              return shown.find() && late.compareAndSet(false, true)
                  ? shown.replaceFirst(" ".repeat(shown.end() - shown.start()))
                  : answer;
            })
        .passed("WARNING list = ", "A listing was late");
  }

  /** From the first upload on the gateway says nothing. */
  @Test
  void whatTimeDoesNotAllowIsListed() throws IOException {
    CountDownLatch ended = new CountDownLatch(1);
    try (Balancer silent =
        new Balancer(
            SOUND.gatewayUri(0),
            head -> head.startsWith("PUT ") ? afterwards(ended, head) : head,
            UnaryOperator.identity())) {
      SOUND
          .doctor(SOUND.at(silent.uri()), SoundSetUp.BUCKET, "--seconds=5")
          .ends(3, "Not answered, since time was over")
          .says("to replace a file while it is read");
    } finally {
      ended.countDown();
    }
  }

  private static String afterwards(CountDownLatch event, String head) {
    try {
      event.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return head;
  }
}
