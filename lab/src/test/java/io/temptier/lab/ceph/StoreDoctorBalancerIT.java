// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.NeedsCeph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a load balancer does to the requests of jobs, and what the doctor says of it. */
@NeedsCeph
class StoreDoctorBalancerIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(1);

  private static final Pattern LENGTH = Pattern.compile("(?im)^Content-Length: (\\d+)");
  private static final String SLOW_DOWN =
      Balancer.answer(
          "503 Slow Down",
          "application/xml",
          "<Error><Code>SlowDown</Code><Message>Reduce your rate</Message></Error>");

  private static SoundSetUp sound;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws IOException {
    sound = SoundSetUp.on(CEPH.cluster());
  }

  private String behind(UnaryOperator<String> rule, int code, String... says) throws IOException {
    try (Balancer balancer = new Balancer(sound.ceph().gateways().get(0), rule)) {
      return sound.examined(dir, code, sound.at(balancer.uri()), SoundSetUp.BUCKET, says).text();
    }
  }

  @Test
  void anHonestBalancerIsNoTrouble() throws IOException {
    behind(head -> head, ExitCodes.FINE, "Ready: what was asked was answered");
  }

  /** As nginx does with client_max_body_size 32m: the job's parts have 64M. */
  @Test
  void aBalancerThatTakesSmallRequestsOnlyIsNamed() throws IOException {
    String html = Balancer.answer("413 Request Entity Too Large", "text/html", "<h1>413</h1>");
    String text =
        behind(
            head -> length(head) > 32 << 20 ? html : head,
            ExitCodes.FAILED,
            "ERROR fs.s3a.multipart.size = 64M",
            "what stands before the store: status 413",
            "client_max_body_size");
    assertFalse(text.contains("refuses conditional requests"), text);
  }

  private static long length(String head) {
    Matcher length = LENGTH.matcher(head);
    return length.find() ? Long.parseLong(length.group(1)) : 0;
  }

  @Test
  void aBalancerThatRewritesUrlsIsNamedAndNotTheSecretKey() throws IOException {
    String text =
        behind(
            head -> head.replaceFirst("%2520", "%20"),
            ExitCodes.FAILED,
            "ERROR fs.s3a.endpoint",
            "so the keys are right",
            "Have the balancer or proxy leave URL");
    assertFalse(text.contains("the secret key is wrong"), text);
  }

  @Test
  void whoAsksForFewerRequestsIsHeard() throws IOException {
    behind(head -> SLOW_DOWN, ExitCodes.FAILED, "ERROR fs.s3a.endpoint", "(SlowDown)");
    behind(
        head -> head.contains("Authorization: ") ? SLOW_DOWN : head,
        ExitCodes.FAILED,
        "ERROR rate limit",
        "503 SlowDown",
        "radosgw-admin ratelimit get");
  }
}
