// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.fixtures.LoopDisk;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An allocator over a fast dir and a slow one, one of which may lie on a real, small disk. */
@ExtendWith(LeakCheck.class)
abstract class AllocatorBed {
  static final long MB = 1L << 20;
  private static final AtomicInteger KEYS = new AtomicInteger();

  @TempDir Path temp;
  final String key = "allocator.test.dirs." + KEYS.incrementAndGet();
  final Configuration conf = new Configuration(false);
  TieredLocalDirAllocator allocator = new TieredLocalDirAllocator(key);
  Path fast;
  Path slow;
  private @Nullable LoopDisk disk;

  @BeforeEach
  void makeDirs() throws IOException {
    over(temp.resolve("fast"), temp.resolve("slow"));
  }

  final void over(Path fastRoot, Path slowRoot) throws IOException {
    fast = Files.createDirectories(fastRoot);
    slow = Files.createDirectories(slowRoot);
    conf.set(key, fast + "," + slow);
  }

  /** A disk of 64 MB, which is closed after the test. */
  final LoopDisk mount(Path folder, String... mkfs) throws IOException {
    LoopDisk made =
        mkfs.length == 0
            ? LoopDisk.create(folder, 64 * MB)
            : LoopDisk.create(folder, "disk", 64 * MB, mkfs);
    disk = made;
    return made;
  }

  /** Sets both dirs up as the NodeManager does. */
  final NodeTiers publish(long reserveBytes, TierSettings settings) throws IOException {
    return Layouts.publish(fast, slow, Reserve.ofBytes(reserveBytes), settings);
  }

  @AfterEach
  void close() throws IOException {
    TieredLocalDirs.closeAll();
    if (disk != null) {
      disk.close();
    }
  }

  /** Where a file may be written. */
  final Path place(String path, long bytes) throws IOException {
    return Path.of(allocator.getLocalPathForWrite(path, bytes, conf).toUri().getPath());
  }

  final Path rootOf(Path file) {
    return file.startsWith(fast) ? fast : slow;
  }

  /** Bytes claimed in a dir, as others see them. */
  static long claimed(Path root) {
    return Arrays.stream(ledgers(root)).mapToLong(File::length).sum();
  }

  static File[] ledgers(Path root) {
    File[] ledgers = NodeMarker.claims(root).toFile().listFiles();
    return ledgers == null ? new File[0] : ledgers;
  }

  /** Writes a file, to the disk itself or to memory as well, or throws. */
  static void write(Path file, long bytes, boolean toDisk) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      for (long left = bytes; left > 0; left -= MB) {
        out.write(new byte[(int) Math.min(left, MB)]);
      }
      if (toDisk) {
        out.getFD().sync();
      }
    }
  }
}
