// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Gateways that take requests and fall silent. */
class SilentGatewayTest extends TwoGateways {
  /** More than sockets hold, so that an upload stops in the middle. */
  private static final int LARGE = 24 << 20;

  private static final Duration SHORTEST = Duration.ofNanos(1);

  SilentGatewayTest() {
    conf.set(EndpointKey.READ_TIMEOUT.key(), "6s");
    conf.set(EndpointKey.WRITE_TIMEOUT.key(), "9s");
    conf.set(EndpointKey.PROBE_TIMEOUT.key(), "6s");
  }

  @Test
  void readsGoElsewhereAtTheFirstTimeoutUntilItAnswersAgain() throws Exception {
    zone.gateway(0).silentAfter = 0;
    try (S3Client client = client()) {
      for (int i = 0; i < 10; i++) {
        assertArrayEquals(bytes, client.getObject(OBJECT).readAllBytes());
        client.headObject(b -> b.bucket(FakeZone.BUCKET).key("object"));
      }
      assertEquals(1, zone.counts(0).value(GatewayCounter.FAILURES));
      assertEquals(1, zone.counts(0).value(GatewayCounter.TAKEN_OUT));
      assertEquals(0, zone.counts(0).value(GatewayCounter.TAKEN_BACK));
      assertFalse(Thread.currentThread().isInterrupted());
      zone.gateway(0).silentAfter = -1;
      comesBack(0);
    }
  }

  @Test
  void anUploadThatIsNotTakenIsSentElsewhereAsAWhole() throws IOException {
    byte[] large = bytes(LARGE);
    zone.gateway(0).silentAfter = 0;
    try (S3Client client = client()) {
      for (int i = 0; i < 2; i++) {
        String key = "large-" + i;
        client.putObject(
            PutObjectRequest.builder()
                .bucket(FakeZone.BUCKET)
                .key(key)
                // As S3A sets for what it uploads.
                .overrideConfiguration(
                    o ->
                        o.apiCallTimeout(Duration.ofMinutes(15))
                            .apiCallAttemptTimeout(Duration.ofMinutes(15)))
                .build(),
            RequestBody.fromBytes(large));
        assertArrayEquals(large, zone.objects().get(key));
      }
      assertEquals(1, zone.counts(0).value(GatewayCounter.TAKEN_OUT));
    }
  }

  @Test
  void aStreamThatEndsInTheMiddleFailsSuchThatS3aReadsOn() throws IOException {
    zone.gateway(0).silentAfter = 1_000;
    zone.gateway(1).silentAfter = 1_000;
    try (S3Client client = client()) {
      ResponseInputStream<GetObjectResponse> stream = client.getObject(OBJECT);
      new DataInputStream(stream).readFully(new byte[1_000]);
      Texts.thrown(
          SocketTimeoutException.class, stream::read, "sent nothing, or too little, for 6000 ms");
      assertEquals(1, sum(GatewayCounter.TAKEN_OUT));
    }
  }

  @Test
  void aByteNowAndThenIsTooLittleOfALargeAnswer() throws InterruptedException {
    Watch watch = new Watch(Duration.ofMillis(50));
    watch.atLeast(100);
    for (int i = 0; i < 5; i++) {
      watch.waiting();
      Thread.sleep(20);
      watch.came(1);
    }
    watch.waiting();
    assertTrue(watch.expire(), "5 bytes in 100 ms of waiting");
    Watch fast = new Watch(Duration.ofMinutes(5));
    fast.atLeast(100);
    for (int i = 0; i < 5; i++) {
      fast.waiting();
      fast.came(200);
    }
    fast.waiting();
    assertFalse(fast.expire(), "enough came");
  }

  @Test
  void afterOneHungTheNextReadIsWaitedForLessUnlessItIsTheLast() {
    Patience patience = new Patience(EndpointSettings.of(conf));
    assertEquals(6, seconds(patience, true, false, 0), "the setting");
    assertEquals(2, seconds(patience, true, true, 1), "another has just hung");
    assertEquals(12, seconds(patience, false, true, 1), "nobody else is left");
  }

  @Test
  void whereAllAreSlowARequestIsWaitedForAsLongAsByStock() {
    Patience patience = new Patience(EndpointSettings.of(conf));
    assertEquals(24, seconds(patience, false, true, 2));
    assertEquals(48, seconds(patience, false, true, 3));
    assertEquals(60, seconds(patience, false, true, 4), "as stock");
    patience.remember(OBJECT, TimeUnit.SECONDS.toNanos(4));
    assertEquals(6, seconds(patience, true, false, 0), "that was fast");
    patience.remember(OBJECT, TimeUnit.SECONDS.toNanos(20));
    assertEquals(20, seconds(patience, true, true, 0), "the next is as slow");
    patience.remember(OBJECT, TimeUnit.SECONDS.toNanos(48));
    assertEquals(48, seconds(patience, true, true, 0), "nor is less waited for than before");
  }

  private static long seconds(Patience patience, boolean better, boolean hurry, int silences) {
    return patience.of(OBJECT, better, hurry, silences, Duration.ofSeconds(60)).toSeconds();
  }

  @Test
  void stockWaitsForTheShorterOfItsTimeouts() {
    Attempts.Resending stock = new Attempts.Resending(conf);
    assertEquals(Duration.ofSeconds(60), stock.patience(OBJECT));
    conf.set("fs.s3a.connection.request.timeout", "0");
    assertEquals(Duration.ofSeconds(200), stock.patience(OBJECT));
    conf.set("fs.s3a.connection.timeout", "5s");
    assertEquals(Duration.ofSeconds(15), stock.patience(OBJECT), "S3A's least");
    GetObjectRequest request =
        OBJECT.toBuilder()
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(Duration.ofSeconds(9)))
            .build();
    assertEquals(Duration.ofSeconds(9), stock.patience(request));
  }

  @Test
  void onlyTimeInWhichTheGatewayHasTheWordCounts() throws IOException {
    try (GatewayGroup group = new GatewayGroup(EndpointSettings.of(conf))) {
      Watch watch = new Watch(SHORTEST);
      Lease lease = group.lease(Set.of());
      AtomicInteger aborted = new AtomicInteger();
      ResponseInputStream<String> stream =
          lease.over(
              new ResponseInputStream<>(
                  "response",
                  AbortableInputStream.create(asking(watch, true), aborted::incrementAndGet)),
              watch);
      assertFalse(watch.expire(), "the reader pauses before its first byte");
      // The source itself asks whether time is up, while it is read.
      assertThrows(SocketTimeoutException.class, stream::read);
      assertFalse(watch.expire(), "once");
    }
  }

  @Test
  void anUploadRestsWhileItsOwnBytesAreRead() throws IOException {
    Watch watch = new Watch(SHORTEST);
    RequestBody body = RequestBody.fromContentProvider(() -> asking(watch, false), 1, "text/plain");
    PutObjectRequest request = PutObjectRequest.builder().bucket("b").key("k").build();
    Object[] sent = watch.over(new Object[] {request, body});
    assertEquals(
        SHORTEST,
        ((PutObjectRequest) sent[0])
            .overrideConfiguration()
            .orElseThrow()
            .apiCallAttemptTimeout()
            .orElseThrow());
    RequestBody watched = (RequestBody) sent[1];
    assertEquals(
        List.of(1L, "text/plain"),
        List.of(watched.optionalContentLength().orElseThrow(), watched.contentType()));
    assertEquals(7, watched.contentStreamProvider().newStream().read());
    assertTrue(watch.expire(), "from then on the gateway has the word");
  }

  /** A stream of one byte that asks while it is read whether time is up. */
  private static FilterInputStream asking(Watch watch, boolean expected) {
    return new FilterInputStream(new ByteArrayInputStream(new byte[] {7})) {
      @Override
      public int read() throws IOException {
        throw new IOException("not asked for");
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        assertEquals(expected, watch.expire());
        if (expected) {
          throw new IOException("Socket closed");
        }
        return super.read(buffer, offset, length);
      }
    };
  }
}
