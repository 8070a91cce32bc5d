// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.SelfSigned;
import io.temptier.lab.ceph.SoundSetUp.Diagnosis;
import io.temptier.lab.cluster.LoopbackPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkGlobalTime;

/**
 * What goes wrong between jobs and gateways (one that hangs, that is another's, clocks, proxies,
 * TLS), and what {@code temptier s3a doctor} says of it.
 */
@NeedsCeph
class StoreDoctorGatewaysIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(2);

  /** Another store, of which one test makes two zonegroups. */
  @RegisterExtension static final SoundSetUp OTHER = new SoundSetUp(1);

  private static final String[] WEST = {
    "--rgw-realm=all", "--rgw-zonegroup=west", "--rgw-zone=west"
  };
  private static final String ENDPOINT = "fs.s3a.endpoint";
  private static final String LIST = "temptier.s3a.endpoints";

  @TempDir private static Path shared;

  private static SelfSigned certificate;
  private static URI tls;

  @BeforeAll
  static void start() throws Exception {
    certificate = SelfSigned.make(shared);
    tls = SOUND.startTls(certificate.pem());
  }

  @Test
  void aGatewayThatHangsIsNamedAndTheOthersAreFine() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String silent = "http://127.0.0.1:" + hangs.getLocalPort();
      SOUND
          .doctor(SOUND.through(SOUND.gateway(0), silent, SOUND.gateway(1)))
          .passed("WARNING " + LIST + " = " + silent, "This gateway does not answer", "Bucket: ok");
    }
  }

  /** Its users are others. */
  @Test
  void aGatewayOfAnotherStoreIsNamed() throws IOException {
    String foreign = OTHER.gateway(0);
    SOUND
        .doctor(SOUND.through(SOUND.gateway(0), foreign))
        .failed("ERROR " + LIST + " = " + foreign, "status 403 InvalidAccessKeyId", "Reads: ok");
  }

  @Test
  void aClockThatIsOffIsNamedWithHowFar() throws IOException {
    try (Balancer late = withClock(Duration.ofMinutes(-5))) {
      SOUND
          .doctor(SOUND.at(late.uri()))
          .passed("WARNING clock = 30", "s ahead of the store", "by NTP");
    }
    try (Balancer early = withClock(Duration.ofMinutes(20))) {
      SOUND
          .doctor(SOUND.at(early.uri()))
          .passed(
              "WARNING clock = 1",
              "s behind the store",
              "(RequestTimeTooSkewed): S3A's clients then sign again by the store's",
              "Bucket: ok");
    }
  }

  /** A gateway whose clock is ahead as far as its answers tell. */
  private static Balancer withClock(Duration ahead) throws IOException {
    return new Balancer(
        SOUND.gatewayUri(0),
        head -> head,
        answer ->
            answer.replaceFirst(
                "(?im)^Date: [^\r\n]*",
                "Date: "
                    + RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plus(ahead))));
  }

  /** What that finding says of S3A: signed 20 minutes ago, and refused. */
  @Test
  void s3aGoesByTheClockOfTheStoreOnceItIsRefused() throws IOException {
    int offset = SdkGlobalTime.getGlobalTimeOffset();
    try {
      SdkGlobalTime.setGlobalTimeOffset(20 * 60);
      SOUND.doctor(SOUND.with()).passed("Bucket: ok", "Ready");
      assertTrue(Math.abs(SdkGlobalTime.getGlobalTimeOffset()) < 60, "it was never refused");
    } finally {
      SdkGlobalTime.setGlobalTimeOffset(offset);
    }
  }

  @Test
  void httpToAGatewayOfHttpsIsNamedAndTheReverse() throws IOException {
    SOUND
        .doctor(SOUND.at(URI.create(tls.toString().replace("https:", "http:"))))
        .failed(
            "ERROR " + ENDPOINT,
            "The gateway speaks https on this port, and the endpoint is http",
            "Write the endpoint with https://");
    SOUND
        .doctor(SOUND.at(URI.create(SOUND.gateway(0).replace("http:", "https:"))))
        .failed("The gateway speaks http on this port", "Write the endpoint with http://");
  }

  @Test
  void aCertificateThatNobodyTrustsIsNamed() throws IOException {
    SOUND
        .doctor(SOUND.at(tls))
        .failed(
            "ERROR " + ENDPOINT,
            "The CA of the gateway's certificate is not trusted here",
            "openssl s_client -connect",
            "keytool -importcert");
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

  @Test
  void overTlsAllIsWellOnceTheCertificateIsTrusted() throws Exception {
    SOUND
        .smallDoctor(SOUND.at(tls), "-Djavax.net.ssl.trustStore=" + certificate.trustStore())
        .passed("Connection: ok", "Ready: what was asked was answered");
  }

  @Test
  void aGatewayThatGoesDownInTheMiddleIsNamedAndWhatItKeeps() throws Exception {
    // Of its own: what a killed gateway was about to write can show up in lists for a while.
    SOUND.makeBucket("torn");
    FutureTask<Diagnosis> asked = new FutureTask<>(() -> SOUND.doctor(SOUND.with(), "torn"));
    new Thread(asked, "doctor").start();
    try {
      Eventually.holds(
          "the other gateway shows that it has begun to write",
          () -> {
            assertFalse(asked.isDone(), "it wrote nothing");
            return !SOUND.names(1, "torn").isEmpty();
          });
      SOUND.kill(0);
      asked
          .get(10, TimeUnit.MINUTES)
          .failed(
              "ERROR fs.s3a.endpoint",
              "It could not be removed",
              "hadoop fs -rm -r -skipTrash s3a://torn/temptier-doctor-");
    } finally {
      SOUND.kill(0);
      SOUND.cluster().restartGateway(0);
    }
  }

  private static String administer(String command, String... options) throws IOException {
    return OTHER
        .cluster()
        .administer(
            Stream.concat(Stream.of(command.split(" ")), Stream.of(options))
                .toArray(String[]::new));
  }

  /** The other zonegroup has users and buckets by their metadata, as a sync gives it. */
  private void copy(String key) throws IOException {
    String read = administer("metadata get " + key);
    Path file =
        Files.writeString(OTHER.dir().resolve("metadata"), read.substring(read.indexOf('{')));
    String put = "metadata put " + key + " --yes-i-really-mean-it --infile=" + file;
    administer(put, WEST);
  }

  private static String instance() throws IOException {
    String listed = administer("metadata list bucket.instance");
    JsonNode all = new ObjectMapper().readTree(listed.substring(listed.indexOf('[')));
    for (JsonNode one : all) {
      if (one.asText().startsWith(SoundSetUp.BUCKET + ":")) {
        return one.asText();
      }
    }
    throw new IOException("no instance of the bucket: " + listed);
  }

  /** A real gateway of a real second zonegroup sends on to the first. */
  @Test
  void aBucketOfAnotherZonegroupIsNamed() throws IOException {
    int port = new LoopbackPorts().next();
    String west = "http://127.0.0.1:" + port;
    String first = "--endpoints=" + OTHER.gateway(0);
    String second = "--endpoints=" + west;
    administer("realm create --rgw-realm=all --default");
    administer(
        "zonegroup modify --rgw-zonegroup=default --rgw-realm=all --master --default", first);
    administer(
        "zone modify --rgw-zonegroup=default --rgw-zone=default --rgw-realm=all --master --default",
        first);
    administer("zonegroup create --rgw-zonegroup=west --rgw-realm=all", second);
    administer("zone create --rgw-zonegroup=west --rgw-zone=west --rgw-realm=all", second);
    administer("period update --commit --rgw-realm=all");
    for (String key :
        List.of("user:owner", "bucket:" + SoundSetUp.BUCKET, "bucket.instance:" + instance())) {
      copy(key);
    }
    OTHER
        .doctor(OTHER.at(OTHER.startAt(port, WEST)))
        .failed(
            "ERROR fs.s3a.endpoint = " + west,
            "The bucket is in another zonegroup than this gateway's",
            "the store: status 301",
            "radosgw-admin bucket stats --bucket=bucket");
  }
}
