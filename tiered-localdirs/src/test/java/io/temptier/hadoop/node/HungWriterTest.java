// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.tier.os.PeriodicDaemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What writes to a disk that hangs is ended by who cannot wait for the disk. */
class HungWriterTest {
  @TempDir Path temp;

  private final AtomicLong writes = new AtomicLong();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Writes until it is interrupted. */
  private void write(FileChannel channel) {
    try {
      while (true) {
        channel.write(ByteBuffer.allocate(1), 0);
        writes.incrementAndGet();
      }
    } catch (IOException e) {
      ended.countDown();
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @NeedsBindfs
  void aDaemon() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung");
        FileChannel channel =
            FileChannel.open(
                disk.path().resolve("file"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
      PeriodicDaemon daemon =
          new PeriodicDaemon("test", () -> Duration.ofDays(1), () -> write(channel));
      daemon.start();
      try {
        Eventually.holds("it writes", () -> writes.get() > 0);
        disk.hang();
        Eventually.holds(
            "it hangs",
            () -> {
              long before = writes.get();
              Thread.sleep(200);
              return writes.get() == before;
            });
        CompletableFuture<Void> closed = CompletableFuture.runAsync(daemon::close);
        Eventually.holds("its end does not wait for the disk", closed::isDone);
        assertTrue(ended.getCount() > 0, "it was to hang");
      } finally {
        disk.recover();
      }
      Eventually.holds("it was interrupted", () -> ended.getCount() == 0);
    }
  }
}
