// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.SelfSigned;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;

/** What jobs meet and a doctor could pass over, and what it could blame on somebody else. */
@NeedsCeph
class StoreDoctorReadyIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  private static final String PAGE = "<html><title>Blocked</title><p>Ask your network team</html>";

  private static String page(String status) {
    return Balancer.answer(status, "text/html", PAGE);
  }

  /** A setting of a job, and what is said of it. */
  @ParameterizedTest
  @CsvSource({
    "mapreduce.outputcommitter.factory.scheme.s3a, org.example.None, no such factory",
    "mapreduce.outputcommitter.factory.class, org.example.None, no such factory",
    "fs.s3a.connection.maximum, 1, the gateway is not at fault",
  })
  void aSettingThatEveryJobStumblesOverIsAnError(String key, String value, String says)
      throws IOException {
    SOUND
        .doctor(SOUND.with(), SoundSetUp.BUCKET, "-D" + key + "=" + value)
        .failed("ERROR " + key + " = " + value, says)
        .lacks("ERROR fs.s3a.endpoint");
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

  @Test
  void thePrefetchStreamIsBlamedOnThePropertyThatChoosesIt() throws IOException {
    SOUND
        .doctor(SOUND.with("fs.s3a.prefetch.enabled", "true"))
        .says("WARNING fs.s3a.prefetch.enabled = true")
        .lacks("fs.s3a.input.stream.type = classic");
  }

  /** Options of keytool, and what is said of a certificate that was made by them. */
  @ParameterizedTest
  @CsvSource({
    "-startdate -9d -validity 3, certificate has expired, NotAfter",
    "-startdate +9d, certificate is not valid yet, NotBefore",
  })
  void aCertificateWithWrongDatesIsCalledThat(
      String options, String says, String date, @TempDir Path dir) throws Exception {
    SelfSigned wrong = SelfSigned.make(dir, options.split(" ", -1));
    SOUND.doctor(SOUND.at(SOUND.startTls(wrong.pem()))).failed(says, date).lacks("its CA");
  }

  @Test
  void aCertificateForAnotherNameIsCalledThat(@TempDir Path dir) throws Exception {
    SelfSigned other = SelfSigned.make(dir, "-startdate", "-1d", "-ext", "SAN=dns:rgw.example.com");
    SOUND
        .smallDoctor(
            SOUND.at(SOUND.startTls(other.pem())),
            "-Djavax.net.ssl.trustStore=" + other.trustStore())
        .failed("certificate is for another name than the endpoint's")
        .lacks("its CA");
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

  @Test
  void aPathThatIsAFileOrBelowOneIsNoFolderForJobs() throws IOException {
    SOUND.makeBucket("flat");
    SOUND.store(
        "flat",
        client -> client.putObject(it -> it.bucket("flat").key("a"), RequestBody.fromString("a")));
    for (String path : List.of("flat/a", "flat/a/b")) {
      SOUND.doctor(SOUND.with(), path).failed("ERROR path", "is a file: jobs cannot make");
    }
  }

  /** Nobody listens on a port of the system; the doctor's first request asks past it. */
  @Test
  void aProxyThatTheSdkTakesFromTheJvmIsBlamed() throws Exception {
    SOUND
        .smallDoctor(SOUND.with(), "-Dhttp.proxyHost=127.0.0.1", "-Dhttp.proxyPort=1")
        .failed("WARNING proxy", "ERROR proxy = 127.0.0.1", "NO_PROXY")
        .lacks("Nothing listens there");
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
