// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.SelfSigned;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jobs meet and a doctor could pass over, and what it could blame on somebody else. */
@NeedsCeph
class StoreDoctorReadyIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  private static final String PAGE = "<html><title>Blocked</title><p>Ask your network team</html>";

  private static Diagnosis behind(UnaryOperator<String> rule) throws IOException {
    UnaryOperator<String> answers = UnaryOperator.identity();
    try (Balancer balancer = new Balancer(SOUND.gatewayUri(0), rule, answers)) {
      return SOUND.doctor(SOUND.at(balancer.uri()));
    }
  }

  private static String page(String status) {
    return Balancer.answer(status, "text/html", PAGE);
  }

  /** A setting of a job, and what is said of it. */
  @ParameterizedTest
  @CsvSource({
    "mapreduce.outputcommitter.factory.scheme.s3a, org.example.None, no such factory",
    "mapreduce.outputcommitter.factory.class, org.example.None, no such factory",
    "mapreduce.map.java.opts, -Xmx900m -XX:MaxDirectMemorySize=64m, OutOfMemoryError",
    "fs.s3a.connection.maximum, 1, the gateway is not at fault",
  })
  void aSettingThatEveryJobStumblesOverIsAnError(String key, String value, String says)
      throws IOException {
    Map<String, String> conf = SOUND.with("fs.s3a.fast.upload.buffer", "bytebuffer");
    SOUND
        .doctor(conf, SoundSetUp.BUCKET, "-D" + key + "=" + value)
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
    behind(head -> head.contains(part) ? page("403 Forbidden") : head)
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
    behind(head -> page(status.startsWith("302") ? status + login : status))
        .failed("ERROR fs.s3a.endpoint", says, "Ask your network team")
        .lacks("Give the user");
  }

  @Test
  void lengthsThatAMiddleBoxAsksForAreNoMatterOfRights() throws IOException {
    behind(head -> head.startsWith("PUT ") ? page("411 Length Required") : head)
        .failed("ERROR fs.s3a.endpoint", "A middle box answers")
        .lacks("Give the user");
  }

  /** More often than S3A itself tries within the doctor's patience. */
  @ParameterizedTest
  @CsvSource({"429 Too Many Requests", "503 Slow Down"})
  void whatAsksForFewerRequestsAndTakesThemLaterIsReady(String status) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    String slow = Balancer.SLOW_DOWN.replaceFirst("503 Slow Down", status);
    behind(head -> head.startsWith("PUT ") && asked.incrementAndGet() <= 6 ? slow : head)
        .passed("Ready", "WARNING rate limit", "took them after a pause");
  }

  @Test
  void thePrefetchStreamIsBlamedOnThePropertyThatChoosesIt() throws IOException {
    SOUND
        .doctor(SOUND.with("fs.s3a.prefetch.enabled", "true"))
        .says("WARNING fs.s3a.prefetch.enabled = true")
        .lacks("fs.s3a.input.stream.type = classic");
  }

  @Test
  void aCertificateThatExpiredIsCalledThat(@TempDir Path dir) throws Exception {
    SelfSigned old = SelfSigned.make(dir, "-startdate", "-9d", "-validity", "3");
    URI tls = SOUND.startTls(old.pem());
    SOUND.doctor(SOUND.at(tls)).failed("certificate has expired", "NotAfter").lacks("its CA");
  }

  @Test
  void whatTimeDoesNotAllowIsListed() throws IOException {
    Diagnosis diagnosis = SOUND.doctor(SOUND.with(), SoundSetUp.BUCKET, "--seconds=1");
    if (diagnosis.code() != 0) {
      assertEquals(3, diagnosis.code(), diagnosis.text());
      diagnosis.says("since time was over");
    }
  }
}
