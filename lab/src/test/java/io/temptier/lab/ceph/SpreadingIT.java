// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.GatewayCounter;
import io.temptier.s3a.endpoint.GatewayCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S3A over two real gateways, one of which is killed and started again. */
@NeedsCeph
class SpreadingIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(2);

  private static final int WRITERS = 4;
  private static final int SMALL_FILES = 40;
  private static final int DELETIONS = 250;

  private final byte[] small = new byte[10_000];
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
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int i = 0; i < SMALL_FILES; i++) {
        String file = name + "/new/small-" + i;
        writes.add(CompletableFuture.runAsync(() -> write(fs, file, small), threads));
      }
      writes.forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }
    write(fs, name + "/new/large", large);
    assertTrue(fs.rename(path(name + "/new"), path(name + "/renamed")));
    assertEquals(SMALL_FILES + 1, fs.listStatus(path(name + "/renamed")).length);
    assertArrayEquals(large, read(fs, name + "/renamed/large"));
    assertArrayEquals(small, read(fs, name + "/renamed/small-7"));
  }

  private static void write(FileSystem fs, String name, byte[] bytes) {
    try (FSDataOutputStream out = fs.create(path(name), false)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
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
    return new Path("s3a://bucket/" + name);
  }
}
