// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads and writes all the time, and notes the longest that one call took. */
final class FaultClient {
  private static final int READ_BYTES = 32 << 20;
  private static final int WRITTEN_BYTES = 20 << 20;
  private static final int CHUNK = 64 << 10;
  private static final long PAUSE_MILLIS = 1_000;

  private final Map<String, String> properties;
  private final String bucket;
  private final Path folder;
  private final byte[] bytes = new byte[READ_BYTES];
  private volatile boolean stopping;

  static final class Side {
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicInteger done = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private volatile long sinceNanos;
    private volatile boolean waiting;

    /** Files that were read or written as a whole. */
    int done() {
      return done.get();
    }

    /** Why S3A gave files up. */
    List<String> failures() {
      return failures;
    }

    boolean isWaiting() {
      return waiting;
    }

    /** The longest call, in seconds; of one under way what it has taken so far. */
    double longest() {
      long now = waiting ? System.nanoTime() - sinceNanos : 0;
      return Math.max(now, longestNanos.get()) / 1e9;
    }

    private <T> T timed(Call<T> call) throws IOException {
      long begin = System.nanoTime();
      sinceNanos = begin;
      waiting = true;
      try {
        return call.call();
      } finally {
        waiting = false;
        longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
      }
    }
  }

  private interface Call<T> {
    T call() throws IOException;
  }

  private interface Work {
    void run(FileSystem fs, int number) throws IOException;
  }

  private final Side reads = new Side();
  private final Side writes = new Side();

  /**
   * A client.
   *
   * @param bucket which is there
   * @param folder its own, in the bucket
   */
  FaultClient(Map<String, String> properties, String bucket, String folder) {
    this.properties = new HashMap<>(properties);
    this.properties.put("fs.s3a.multipart.size", "10M");
    this.bucket = bucket;
    this.folder = new Path("/" + folder);
    new Random(3).nextBytes(bytes);
  }

  /** Writes the file that is read; to be called while all is well. */
  void prepare() throws IOException {
    try (FileSystem fs = open()) {
      write(fs, new Side(), "read", READ_BYTES);
    }
  }

  private FileSystem open() throws IOException {
    return CephFixture.open(bucket, properties);
  }

  Side reads() {
    return reads;
  }

  Side writes() {
    return writes;
  }

  /** Begins; the future ends, after {@link #stop}, with what is under way then. */
  CompletableFuture<Void> start() {
    return CompletableFuture.allOf(
        loop(reads, (fs, number) -> read(fs)),
        loop(writes, (fs, number) -> write(fs, writes, "written-" + number, WRITTEN_BYTES)));
  }

  private CompletableFuture<Void> loop(Side side, Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try (FileSystem fs = open()) {
            for (int i = 0; !stopping; i++) {
              once(fs, side, work, i);
              Thread.sleep(PAUSE_MILLIS);
            }
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        Balancer::start);
  }

  private static void once(FileSystem fs, Side side, Work work, int number) {
    try {
      work.run(fs, number);
      side.done.incrementAndGet();
    } catch (IOException e) {
      side.failures.add(e.toString());
    }
  }

  private Path path(String name) {
    return new Path(folder, name);
  }

  private void write(FileSystem fs, Side side, String name, int length) throws IOException {
    FSDataOutputStream out = side.timed(() -> fs.create(path(name), true));
    for (int at = 0; at < length; at += CHUNK) {
      int from = at;
      side.timed(
          () -> {
            out.write(bytes, from, CHUNK);
            return 0;
          });
    }
    side.timed(
        () -> {
          out.close();
          return 0;
        });
  }

  private void read(FileSystem fs) throws IOException {
    byte[] chunk = new byte[CHUNK];
    try (FSDataInputStream in = reads.timed(() -> fs.open(path("read")))) {
      for (int at = 0; at < READ_BYTES; at += CHUNK) {
        reads.timed(
            () -> {
              in.readFully(chunk);
              return 0;
            });
        if (!Arrays.equals(chunk, 0, CHUNK, bytes, at, at + CHUNK)) {
          throw new AssertionError("wrong bytes at " + at);
        }
      }
    }
  }

  /** How many files are there, each with the right bytes. */
  int right() throws IOException {
    int right = 0;
    try (FileSystem fs = open()) {
      for (FileStatus file : fs.globStatus(path("written-*"))) {
        try (FSDataInputStream in = fs.open(file.getPath())) {
          assertArrayEquals(Arrays.copyOf(bytes, WRITTEN_BYTES), in.readAllBytes());
        }
        right++;
      }
    }
    return right;
  }

  /** Lets it end what it is at, and no more. */
  void stop() {
    stopping = true;
  }
}
