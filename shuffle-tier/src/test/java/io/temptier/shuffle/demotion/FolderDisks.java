// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.os.Capacity;
import io.temptier.tier.room.DirectoryUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Folders that look like disks of a given size, used by what lies below them and by others. */
final class FolderDisks implements Capacity.Probe {
  private final Map<Path, Long> sizes = new ConcurrentHashMap<>();
  private final Map<Path, Long> others = new ConcurrentHashMap<>();

  /** Gives a folder a size. */
  FolderDisks with(Path dir, long totalBytes) {
    sizes.put(dir, totalBytes);
    return this;
  }

  /** Lets other users of the disk take some of it. */
  void othersUse(Path dir, long bytes) {
    others.put(dir, bytes);
  }

  /** Takes the disk away. */
  void fail(Path dir) {
    sizes.remove(dir);
  }

  @Override
  public Capacity probe(Path dir) throws IOException {
    Long size = sizes.get(dir);
    if (size == null) {
      throw new IOException("Input/output error");
    }
    long used = DirectoryUsage.measure(dir, System::currentTimeMillis).bytes();
    long free = size - used - others.getOrDefault(dir, 0L);
    return Capacity.of(size, Math.max(0, free), 0, 0);
  }
}
