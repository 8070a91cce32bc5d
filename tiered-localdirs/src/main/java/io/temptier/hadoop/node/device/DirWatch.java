// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.temptier.tier.LocalDir;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.MountGuard;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.DirectIo;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.room.PublishedDevices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one local dir whether it answers, on a thread of its own that may hang with it: every {@link
 * #PERIOD} it writes one block over itself, past the page cache where the file system lets it, so
 * that a disk, a journal and a frozen file system all have their say. Only the file's time changes
 * with it: at 10 ms a write this takes half a percent of a rotating disk's time.
 *
 * <p>On the same thread it finds out what the dir lies on and writes down what the monitor has to
 * tell, since both wait for the dir as well. What it found is safe to read from many threads.
 */
final class DirWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirWatch.class);

  /** Fifteen I/Os in a window of {@link SlowDisks}. */
  static final Duration PERIOD = Duration.ofSeconds(2);

  /** Period of looking what the dir lies on: another mount, or a volume with other disks. */
  private static final long LOOK_NANOS = Duration.ofSeconds(30).toNanos();

  /** Network file systems have blocks of a megabyte, which are too much to write for this. */
  private static final long LARGEST_BLOCK = 64 << 10;

  private final LocalDir dir;
  private final KernelClassifier kernel;
  private final MountGuard mount;
  private final PeriodicDaemon daemon;
  private final AtomicReference<@Nullable PublishedDevices> toPublish = new AtomicReference<>();
  private volatile Set<String> disks = Immutable.setOf();
  private volatile Set<String> devices = Immutable.setOf();

  /** True if the dir's {@code .temptier} is TempTier's own. */
  private volatile boolean marked;

  private volatile boolean takesNews = true;
  private volatile long answers;
  private long lookedNanos;

  /** Buffer written past the page cache; null where it cannot be. */
  private @Nullable ByteBuffer direct;

  // Used by the monitor's thread alone.
  private long answersSeen = -1;
  private int ticksLate;

  DirWatch(LocalDir dir, KernelClassifier kernel) {
    this.dir = dir;
    this.kernel = kernel;
    this.mount = new MountGuard(dir);
    this.daemon =
        PeriodicDaemon.withoutRest("TempTier watch of " + dir.path(), () -> PERIOD, this::round);
  }

  LocalDir dir() {
    return dir;
  }

  void start() {
    daemon.start();
  }

  /** Counts a tick of the monitor's. */
  void tick() {
    long now = answers;
    ticksLate = now == answersSeen ? ticksLate + 1 : 0;
    answersSeen = now;
  }

  /** Ticks since a round last came to an end: while the dir hangs none does. */
  int ticksLate() {
    return ticksLate;
  }

  /** Physical disks at the bottom. */
  Set<String> disks() {
    return disks;
  }

  /** Block devices whose counters tell the dir's traffic. */
  Set<String> devices() {
    return devices;
  }

  /** True if {@link #publish} would write anything down, as far as is known. */
  boolean takesNews() {
    return takesNews && marked;
  }

  /** Writes news down soon, on the watch's thread. Never blocks. */
  void publish(PublishedDevices news) {
    toPublish.set(news);
    daemon.wake();
  }

  /** Asks once. May hang with the dir. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  void round() {
    long now = System.nanoTime();
    Path folder = dir.path().resolve(NodeMarker.DIR);
    try {
      if (lookedNanos == 0 || now - lookedNanos >= LOOK_NANOS) {
        look();
        lookedNanos = now;
      }
      if (marked) {
        write(folder.resolve(NodeMarker.WATCH));
      } else if (!Files.exists(dir.path())) {
        LOG.debug("{} does not exist", dir.path());
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot write to {}", dir.path(), e);
    }
    PublishedDevices news = toPublish.getAndSet(null);
    if (news != null && marked) {
      try {
        news.write(folder.resolve(NodeMarker.DEVICES));
      } catch (IOException e) {
        // Full or read-only; tried again after the next look.
        takesNews = false;
        LOG.debug("Cannot publish in {}", dir.path(), e);
      }
    }
    answers++;
  }

  private void look() throws IOException {
    // Only a folder of our own is written to, which a marker that is trusted shows.
    marked = !mount.lost() && NodeMarker.read(dir.path()).isPresent();
    KernelClassifier.Classification found = kernel.classify(dir.path());
    disks = found.disks();
    devices = kernel.devices(found);
    takesNews = true;
    if (direct == null) {
      long block = DirectIo.isKnown() ? DirectIo.blockSize(dir.path()) : Long.MAX_VALUE;
      direct = block <= LARGEST_BLOCK ? DirectIo.aligned((int) block, (int) block) : null;
    }
  }

  private void write(Path file) throws IOException {
    ByteBuffer block = direct;
    if (block != null) {
      try {
        write(file, block, CREATE, WRITE, NOFOLLOW_LINKS, DirectIo.option());
        return;
      } catch (UnsupportedOperationException | IOException e) {
        // Memory, FUSE and network file systems may know no direct I/O; a broken disk fails again.
        LOG.debug("No direct I/O in {}", dir.path(), e);
      }
    }
    write(file, ByteBuffer.allocate(1), CREATE, WRITE, NOFOLLOW_LINKS);
    direct = null;
  }

  private static void write(Path file, ByteBuffer block, OpenOption... options) throws IOException {
    try (FileChannel channel = FileChannel.open(file, options)) {
      block.rewind();
      channel.write(block, 0);
    }
  }

  @Override
  public void close() {
    daemon.close();
  }
}
