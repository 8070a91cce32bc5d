// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.DirectIo;
import io.temptier.tier.os.Pid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures a dir's disk by a file that it makes there and deletes again: first it is written and
 * read from one end to the other, then 4 kB anywhere in it, one request at a time, 70 of 100 of
 * them reads. The page cache is passed by where the file system can do that.
 *
 * <p>One request at a time is what a reducer that waits for its segment does. Deep queues, as on
 * data sheets, show what a disk can do for many and hide how long each of them waits.
 */
public final class DeviceProbe {
  private static final int SMALL_BYTES = 4096;
  private static final int LARGE_BYTES = 1 << 20;
  private static final int READS_OF_100 = 70;
  private static final int DIGITS = 3;
  private static final double MB = 1e6;
  private static final double NANOS = 1e3;

  private final long fileBytes;
  private final Duration random;
  private final Duration sequential;
  private final long seed;

  /**
   * A probe.
   *
   * @param fileBytes the file's size; it is smaller where the disk is too slow to write it in time
   * @param random how long to ask for small pieces
   * @param sequential how long to write, and to read, at most
   * @param seed of the order of the small requests
   */
  public DeviceProbe(long fileBytes, Duration random, Duration sequential, long seed) {
    this.fileBytes = fileBytes;
    this.random = random;
    this.sequential = sequential;
    this.seed = seed;
  }

  /** Measures the disk of a dir that can be written to. */
  public DeviceProfile run(Path dir) throws IOException {
    Path file = dir.resolve(".temptier-probe-" + Pid.self());
    try {
      try {
        return run(file, true);
      } catch (UnsupportedOperationException | IOException e) {
        // Memory, FUSE and network file systems may know no direct I/O, and say so at the first
        // request only. A disk that is broken fails again.
        return run(file, false);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private DeviceProfile run(Path file, boolean direct) throws IOException {
    Set<OpenOption> options =
        new HashSet<>(
            Immutable.setOf(
                StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    if (direct) {
      options.add(DirectIo.option());
    }
    try (FileChannel channel = FileChannel.open(file, options)) {
      long align = direct ? Math.max(SMALL_BYTES, DirectIo.blockSize(file)) : 0;
      ByteBuffer large = aligned(LARGE_BYTES, align);
      fill(large);
      long start = System.nanoTime();
      long written = sweep(channel, large, fileBytes, true);
      channel.force(false);
      double writeMbps = written / MB / seconds(start);
      start = System.nanoTime();
      long read = sweep(channel, large, written, false);
      double readMbps = read / MB / seconds(start);
      return random(channel, aligned(SMALL_BYTES, align), written, direct, writeMbps, readMbps);
    }
  }

  /** From one end towards the other, as far as there is time; at least one piece. */
  private long sweep(FileChannel channel, ByteBuffer buffer, long end, boolean write)
      throws IOException {
    long start = System.nanoTime();
    long at = 0;
    while (at + LARGE_BYTES <= end
        && (at == 0 || System.nanoTime() - start < sequential.toNanos())) {
      request(channel, buffer, at, write);
      at += LARGE_BYTES;
    }
    return at;
  }

  private DeviceProfile random(
      FileChannel channel,
      ByteBuffer buffer,
      long bytes,
      boolean direct,
      double writeMbps,
      double readMbps)
      throws IOException {
    Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
    Random order = new Random(seed);
    long pieces = bytes / SMALL_BYTES;
    fill(buffer);
    long start = System.nanoTime();
    long now = start;
    while (now - start < random.toNanos() || nanos.getTotalCount() == 0) {
      boolean write = order.nextInt(100) >= READS_OF_100;
      long at = ((long) (order.nextDouble() * pieces)) * SMALL_BYTES;
      long before = System.nanoTime();
      request(channel, buffer, at, write);
      now = System.nanoTime();
      nanos.recordValue(Math.min(now - before, TimeUnit.MINUTES.toNanos(1)));
    }
    return DeviceProfile.of(
        direct,
        writeMbps,
        readMbps,
        nanos.getTotalCount() / seconds(start),
        nanos.getMean() / NANOS,
        nanos.getValueAtPercentile(99) / NANOS);
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
  private void fill(ByteBuffer buffer) {
    byte[] noise = new byte[buffer.capacity()];
    new Random(seed).nextBytes(noise);
    buffer.clear();
    buffer.put(noise);
  }

  private static ByteBuffer aligned(int bytes, long align) throws IOException {
    return align > 0 ? DirectIo.aligned(bytes, (int) align) : ByteBuffer.allocateDirect(bytes);
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
