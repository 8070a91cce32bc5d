// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.tier.os.DirectIo;
import io.temptier.tier.os.Pid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * Measures a dir's disk by a file that it writes there and deletes again: it asks for 4 kB anywhere
 * in it, one request at a time, 70 of 100 of them reads, past the page cache where the file system
 * can do that. One request at a time is what a reducer that waits for its segment does; for all
 * else there is fio.
 */
final class DeviceProbe {
  private static final int SMALL_BYTES = 4096;
  private static final int LARGE_BYTES = 1 << 20;
  private static final int READS_OF_100 = 70;
  private static final int MOST_REQUESTS = 1 << 20;

  private final long fileBytes;
  private final Duration time;

  /** Writes a file of so many bytes for so long at most, and asks for so long. */
  DeviceProbe(long fileBytes, Duration time) {
    this.fileBytes = fileBytes;
    this.time = time;
  }

  /**
   * How fast a disk answers.
   *
   * @param direct whether the page cache was passed by; if not, this says little of the disk
   * @param p99Micros 99 of 100 requests take at most this long
   */
  record Profile(boolean direct, double requestsPerSecond, double meanMicros, double p99Micros) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "4 kB anywhere, one at a time, 70 %% reads: mean %.0f us, p99 %.0f us, %.0f a second%s",
          meanMicros,
          p99Micros,
          requestsPerSecond,
          direct ? "" : " (cached)");
    }
  }

  /** Measures the disk of a dir that can be written to. */
  Profile run(Path dir) throws IOException {
    try {
      return run(dir, true);
    } catch (UnsupportedOperationException | IOException e) {
      // Memory, FUSE and network file systems may know no direct I/O, and say so at the first
      // request only. A disk that is broken fails again.
      return run(dir, false);
    }
  }

  private Profile run(Path dir, boolean direct) throws IOException {
    Path file = dir.resolve(".temptier-probe-" + Pid.self());
    // Java takes the name away at once, so that no probe that is killed leaves the file.
    Set<OpenOption> options =
        new HashSet<>(
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE));
    if (direct) {
      options.add(DirectIo.option());
    }
    try (FileChannel channel = FileChannel.open(file, options)) {
      int align = direct ? (int) Math.max(SMALL_BYTES, DirectIo.blockSize(dir)) : 0;
      long written = fill(channel, noise(LARGE_BYTES, align));
      channel.force(false);
      return ask(channel, noise(SMALL_BYTES, align), written / SMALL_BYTES, direct);
    }
  }

  /** Writes the file as far as there is time, at least one piece. */
  private long fill(FileChannel channel, ByteBuffer buffer) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    long at = 0;
    while (at + LARGE_BYTES <= fileBytes && (at == 0 || System.nanoTime() < end)) {
      request(channel, buffer, at, true);
      at += LARGE_BYTES;
    }
    return at;
  }

  private Profile ask(FileChannel channel, ByteBuffer buffer, long pieces, boolean direct)
      throws IOException {
    long[] nanos = new long[MOST_REQUESTS];
    int count = 0;
    Random order = new Random(fileBytes);
    long start = System.nanoTime();
    long now = start;
    while (count == 0 || (count < MOST_REQUESTS && now - start < time.toNanos())) {
      boolean write = order.nextInt(100) >= READS_OF_100;
      long at = ((long) (order.nextDouble() * pieces)) * SMALL_BYTES;
      long before = System.nanoTime();
      request(channel, buffer, at, write);
      now = System.nanoTime();
      nanos[count++] = now - before;
    }
    Arrays.sort(nanos, 0, count);
    return new Profile(
        direct,
        count * 1e9 / (now - start),
        Arrays.stream(nanos, 0, count).average().orElse(0) / 1e3,
        nanos[(int) Math.ceil(count * 0.99) - 1] / 1e3);
  }

  private static void request(FileChannel channel, ByteBuffer buffer, long at, boolean write)
      throws IOException {
    buffer.clear();
    int done = write ? channel.write(buffer, at) : channel.read(buffer, at);
    if (done != buffer.capacity()) {
      throw new IOException(
          done + " of " + buffer.capacity() + " bytes were " + (write ? "written" : "read"));
    }
  }

  /** Not zeros: a disk may not store those. */
  private static ByteBuffer noise(int bytes, int align) throws IOException {
    ByteBuffer buffer =
        align > 0 ? DirectIo.aligned(bytes, align) : ByteBuffer.allocateDirect(bytes);
    byte[] noise = new byte[bytes];
    new Random(bytes).nextBytes(noise);
    buffer.clear();
    buffer.put(noise);
    return buffer;
  }
}
