// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.MountTable;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes written to a btrfs that its free bytes, as {@code statfs} tells them, do not count yet.
 * They do once the bytes are on the disk and a transaction has ended, a minute after the write or
 * later. Until then the kernel has them in sysfs, for every process to read: reserved for delayed
 * allocation ({@code bytes_may_use}), or allocated in the open transaction ({@code
 * bytes_reserved}).
 *
 * <p>ext4, XFS and f2fs take a byte off the free ones when it is written to the page cache.
 */
final class DirtyBytes {
  private static final Path SYS = Paths.get("/sys/fs/btrfs");

  /** Data has block groups of its own, or shares them with metadata. */
  private static final List<String> COUNTERS =
      Immutable.listOf(
          "data/bytes_may_use",
          "data/bytes_reserved",
          "mixed/bytes_may_use",
          "mixed/bytes_reserved");

  private final List<Path> counters;

  private DirtyBytes(List<Path> counters) {
    this.counters = counters;
  }

  /** Finds the counters of the file system of {@code dir}, which is waited for. */
  static DirtyBytes of(Path dir) throws IOException {
    List<Path> all = new ArrayList<>();
    // None where a policy forbids that: then no dir is the worse for it.
    String[] names = SYS.toFile().list();
    if (names != null) {
      for (String name : names) {
        all.add(SYS.resolve(name));
      }
    }
    MountTable mounts = all.isEmpty() ? null : MountTable.ofSelf().orElse(null);
    MountTable.Mount mount = mounts == null ? null : mounts.below(dir.toRealPath()).orElse(null);
    List<Path> counters = new ArrayList<>();
    if (mount != null && mount.fsType().equals("btrfs")) {
      Path name = kernelName(mount.source());
      List<Path> matching = new ArrayList<>(all);
      matching.removeIf(each -> !Files.exists(each.resolve("devices").resolve(name)));
      // A container may lack the device's name. All of them are too many, for a while.
      for (Path folder : matching.isEmpty() ? all : matching) {
        for (String counter : COUNTERS) {
          counters.add(folder.resolve("allocation").resolve(counter));
        }
      }
      counters.removeIf(counter -> !Files.isReadable(counter));
    }
    return new DirtyBytes(counters);
  }

  /** {@code /dev/mapper/vg-lv} is a link to {@code /dev/dm-0}. */
  private static Path kernelName(String source) {
    Path device = Paths.get(source);
    try {
      return device.toRealPath().getFileName();
    } catch (IOException e) {
      return device.getFileName();
    }
  }

  /** Returns the present number. To be asked before the free bytes: then none is missed. */
  long get() throws IOException {
    long bytes = 0;
    for (Path counter : counters) {
      // No channel: it fails in a thread that is interrupted.
      try (InputStream in = new FileInputStream(counter.toFile())) {
        String text = new String(Io.readAllBytes(in), StandardCharsets.US_ASCII);
        bytes += Long.parseLong(text.trim());
      } catch (FileNotFoundException e) {
        if (counter.toFile().exists()) {
          throw e;
        }
        // Another file system is mounted here, or none any more.
      } catch (NumberFormatException e) {
        throw new IOException(counter + " has no number", e);
      }
    }
    return bytes;
  }
}
