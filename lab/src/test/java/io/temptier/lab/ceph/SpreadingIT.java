// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.GatewayCounter;
import io.temptier.s3a.endpoint.GatewayCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S3A over real gateways, one of which is killed, slow, or answers for the store. */
@NeedsCeph
class SpreadingIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(2);

  private static final int WRITERS = 4;
  private static final int SMALL_FILES = 40;
  private static final int DELETIONS = 250;

  private final byte[] small = new byte[100_000];
  private final byte[] large = new byte[12 << 20];

  SpreadingIT() {
    new Random(1).nextBytes(small);
    new Random(2).nextBytes(large);
  }

  @Test
  void requestsAreSplitAndAGatewayMayGoAndComeBack() throws Exception {
    GatewayCounts first = GatewayCounts.of(CEPH.gatewayUri(0));
    try (FileSystem fs = open("tester", "bucket")) {
      List<Long> before = CEPH.answered(List.of(0L, 0L));
      long sentBefore = sent();
      work(fs, "both");
      long sent = sent() - sentBefore;
      Eventually.holds("the logs are written", () -> sum(CEPH.answered(before)) >= sent);
      List<Long> split = CEPH.answered(before);
      System.err.println("Answered by two gateways: " + split);
      CephFixture.assertShared(split);

      // In the middle of it, so that requests under way break.
      FutureTask<Void> going =
          new FutureTask<>(
              () -> {
                work(fs, "dying");
                return null;
              });
      new Thread(going, "going").start();
      long until = first.value(GatewayCounter.REQUESTS) + 10;
      Eventually.holds("it goes on", () -> first.value(GatewayCounter.REQUESTS) > until);
      CEPH.kill(0);
      going.get();
      work(fs, "one");
      assertEquals(1, first.value(GatewayCounter.TAKEN_OUT));
      assertEquals(0, first.value(GatewayCounter.TAKEN_BACK));

      CEPH.cluster().restartGateway(0);
      Eventually.holds("it is taken back", () -> first.value(GatewayCounter.TAKEN_BACK) == 1);
      List<Long> back = CEPH.answered(List.of(0L, 0L));
      work(fs, "again");
      Eventually.holds("it is used", () -> CEPH.answered(back).get(0) > SMALL_FILES / 4);
      assertEquals(0, first.value(GatewayCounter.OUTSTANDING));
    }
  }

  /** Made after a listing that finds none, which must not see what is being deleted. */
  @Test
  void aDirectoryStaysWhenAllBelowItIsDeleted() throws Exception {
    List<Integer> lost = new ArrayList<>();
    try (FileSystem fs = open("deleter", "bucket-of-dirs")) {
      for (int i = 0; i < DELETIONS; i++) {
        Path dir = new Path("/dir-" + i);
        Path below = new Path(dir, "below");
        fs.create(new Path(below, "file")).close();
        assertTrue(fs.delete(below, true));
        if (!fs.exists(dir)) {
          lost.add(i);
        }
      }
    }
    assertEquals(List.of(), lost);
  }

  private static FileSystem open(String user, String bucket) throws IOException {
    Map<String, String> conf = CEPH.properties(CEPH.owner(user, bucket));
    conf.put(EndpointKey.PROBE_INTERVAL.key(), "500ms");
    // Several parts to a file, and copies in parts.
    conf.put("fs.s3a.multipart.size", "5M");
    conf.put("fs.s3a.multipart.threshold", "5M");
    return CephFixture.open(bucket, conf);
  }

  /** Writes, renames, lists, reads; small files by several threads, one in parts. */
  private void work(FileSystem fs, String name) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writes = new ArrayList<>();
      for (int i = 0; i < SMALL_FILES; i++) {
        String file = name + "/new/small-" + i;
        writes.add(
            threads.submit(
                () -> {
                  write(fs, file, small);
                  return null;
                }));
      }
      for (Future<?> write : writes) {
        write.get();
      }
    } finally {
      threads.shutdown();
    }
    write(fs, name + "/new/large", large);
    assertTrue(fs.rename(path(name + "/new"), path(name + "/renamed")));
    assertEquals(SMALL_FILES + 1, fs.listStatus(path(name + "/renamed")).length);
    assertArrayEquals(large, read(fs, name + "/renamed/large"));
    assertArrayEquals(small, read(fs, name + "/renamed/small-7"));
  }

  private static void write(FileSystem fs, String name, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(path(name), true)) {
      out.write(bytes);
    }
  }

  private static byte[] read(FileSystem fs, String name) throws IOException {
    try (FSDataInputStream in = fs.open(path(name))) {
      return in.readAllBytes();
    }
  }

  /** Requests, without the parts that the SDK copies by itself. */
  private static long sent() {
    return CEPH.cluster().gateways().stream()
        .mapToLong(gateway -> GatewayCounts.of(gateway).value(GatewayCounter.REQUESTS))
        .sum();
  }

  private static long sum(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).sum();
  }

  private static Path path(String name) {
    return new Path("/" + name);
  }

  private static final String BUCKET = "slow";
  private static final Pattern LENGTH = Pattern.compile("(?im)^Content-Length: (\\d+)");
  private static final String PAGE = page("200 OK");

  /** Shorter than what a slow store takes here, which stock would wait for. */
  private static final String LIMIT = "2s";

  private static final long SLOW_MILLIS = 5_000;

  private static Map<String, String> conf = Map.of();

  @BeforeAll
  static void makeBucket() throws IOException {
    conf = CEPH.properties(CEPH.owner("slow", BUCKET));
  }

  private interface Work {
    void run(FileSystem fs) throws IOException;
  }

  /** Works by two ways, of which the first has the rules, or both. */
  private static void over(
      boolean both, UnaryOperator<String> rule, UnaryOperator<String> answers, Work work)
      throws IOException {
    UnaryOperator<String> none = UnaryOperator.identity();
    try (Balancer first = new Balancer(CEPH.gatewayUri(0), rule, answers);
        Balancer second =
            new Balancer(CEPH.gatewayUri(0), both ? rule : none, both ? answers : none);
        FileSystem fs = CephFixture.open(BUCKET, properties(first, second))) {
      work.run(fs);
    }
  }

  private static Map<String, String> properties(Balancer... ways) {
    List<String> gateways = List.of(ways[0].uri().toString(), ways[1].uri().toString());
    Map<String, String> properties = new HashMap<>(conf);
    properties.putAll(
        Map.of(
            "fs.s3a.endpoint",
            gateways.get(0),
            "fs.s3a.s3.client.factory.impl",
            "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
            EndpointKey.ENDPOINTS.key(),
            String.join(",", gateways),
            EndpointKey.READ_TIMEOUT.key(),
            LIMIT,
            EndpointKey.WRITE_TIMEOUT.key(),
            LIMIT,
            "fs.s3a.multipart.size",
            "5M",
            "fs.s3a.retry.limit",
            "2"));
    return properties;
  }

  private static String page(String status) {
    return Balancer.answer(status, "text/html", "<html><h1>Not for you</h1></html>");
  }

  private static String late(String text) {
    try {
      Thread.sleep(SLOW_MILLIS);
    } catch (InterruptedException e) {
      throw new UncheckedIOException(new IOException(e));
    }
    return text;
  }

  private static boolean completes(String head) {
    return head.startsWith("POST ") && head.contains("uploadId=");
  }

  @Test
  void aReadThatAllAreSlowAtIsWaitedFor() throws IOException {
    over(
        true,
        head -> head.startsWith("GET ") ? late(head) : head,
        UnaryOperator.identity(),
        fs -> {
          write(fs, "read", small);
          assertArrayEquals(small, read(fs, "read"));
        });
  }

  /** The balancer asks the gateway late, or tells its answer late. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfAnUploadThatAllAreSlowAtIsWaitedFor(boolean afterwards) throws IOException {
    ThreadLocal<Boolean> ending = ThreadLocal.withInitial(() -> false);
    over(
        true,
        head -> {
          ending.set(completes(head));
          return ending.get() && !afterwards ? late(head) : head;
        },
        answer -> ending.get() && afterwards ? late(answer) : answer,
        fs -> {
          write(fs, "ended-late", large);
          assertArrayEquals(large, read(fs, "ended-late"));
          assertEquals(
              List.of(), CephFixture.uploads(CephFixture.client(fs), BUCKET, "ended-late"));
        });
  }

  @Test
  void anUploadWhoseEndIsDoneAndNotAnsweredIsWritten() throws IOException {
    AtomicInteger ends = new AtomicInteger();
    ThreadLocal<Boolean> ending = ThreadLocal.withInitial(() -> false);
    over(
        true,
        head -> {
          ending.set(completes(head));
          return head;
        },
        answer -> {
          if (ending.get()) {
            ends.incrementAndGet();
            throw new UncheckedIOException(new IOException("broken off"));
          }
          return answer;
        },
        fs -> {
          write(fs, "unanswered", large);
          assertArrayEquals(large, read(fs, "unanswered"));
        });
    assertEquals(1, ends.get(), "it was asked for before it was sent again");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void halfOfAnAnswerIsNotTheFile(boolean both) throws IOException {
    over(
        both,
        UnaryOperator.identity(),
        SpreadingIT::half,
        fs -> {
          write(fs, "half", large);
          if (both) {
            IOException e = assertThrows(IOException.class, () -> read(fs, "half"));
            assertTrue(
                String.valueOf(e.getMessage()).contains("bytes for a range of"), e::toString);
          } else {
            assertArrayEquals(large, read(fs, "half"));
          }
        });
  }

  /** Content-Range tells the whole all the same. */
  private static String half(String answer) {
    Matcher length = LENGTH.matcher(answer);
    if (!answer.startsWith("HTTP/1.1 206") || !length.find()) {
      return answer;
    }
    int half = Integer.parseInt(length.group(1)) / 2;
    int body = answer.indexOf("\r\n\r\n") + 4;
    return LENGTH.matcher(answer.substring(0, body)).replaceFirst("Content-Length: " + half)
        + answer.substring(body, body + half);
  }

  @Test
  void aPageInPlaceOfTheStoreSendsRequestsToTheOther() throws IOException {
    over(
        false,
        head -> PAGE,
        UnaryOperator.identity(),
        fs -> {
          write(fs, "dir/page", large);
          assertArrayEquals(large, read(fs, "dir/page"));
          assertEquals(1, fs.listStatus(new Path("/dir")).length);
          assertTrue(fs.delete(new Path("/dir"), true));
          assertTrue(!fs.exists(new Path("/dir")));
        });
  }

  /** As a firewall, a login page, and a balancer do that lost the gateway, or will not have it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "403 Forbidden",
        "302 Found\r\nLocation: https://login.example.com/",
        "405 Method Not Allowed",
        "411 Length Required",
        "429 Too Many Requests",
        "503 Service Unavailable"
      })
  void whatOneOfThemAnswersForTheStoreDoesNotCount(String status) throws IOException {
    String page = page(status);
    over(
        false,
        head -> page,
        UnaryOperator.identity(),
        fs -> {
          write(fs, "refused", small);
          assertArrayEquals(small, read(fs, "refused"));
        });
  }
}
