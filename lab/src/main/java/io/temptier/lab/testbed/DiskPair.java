// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.tier.Sizes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fast and a slow disk, with a folder of the run's on each: emulated ones, or the user's. Closing
 * removes all that the run made on them.
 *
 * @param home the run's folder for other files
 * @param slow its folder on the slow disk, or null when there is none
 * @param slowDescription what the slow disk is, or why there is none
 */
public record DiskPair(
    Opened opened,
    Path home,
    Path fast,
    @Nullable Path slow,
    @Nullable EmulatedDisk slowDisk,
    String fastDescription,
    String slowDescription)
    implements Closeable {
  private static final String FOLDER = "local";

  /**
   * Opens them. Where no disk can be emulated and none is named there is no slow one.
   *
   * @param work where to make folders if nothing else is said
   * @param fastDir a folder on a fast disk, or empty
   * @param slowDir a folder on a slow disk, or empty; if both are empty the disks are emulated
   *     where that is possible, the slow one as fast as the other at first
   * @throws IOException when they cannot be made; nothing is left then
   */
  public static DiskPair open(Path work, String fastDir, String slowDir, long bytes)
      throws IOException {
    String hindrance = "only --fast-dir was given";
    if (fastDir.isEmpty() && slowDir.isEmpty()) {
      hindrance = EmulatedDisk.hindrance().orElse("");
      if (hindrance.isEmpty()) {
        try {
          return emulated(work, bytes);
        } catch (IOException e) {
          hindrance = "no disk could be emulated: " + e.getMessage();
        }
      }
    }
    Opened opened = new Opened();
    boolean made = false;
    try {
      Path home = homeIn(work, opened);
      Path fast = folder(fastDir.isEmpty() ? home : homeIn(Path.of(fastDir), opened));
      Path slow = slowDir.isEmpty() ? null : folder(homeIn(Path.of(slowDir), opened));
      String slowDescription = slow == null ? "none: " + hindrance : store(slow);
      made = true;
      return new DiskPair(opened, home, fast, slow, null, store(fast), slowDescription);
    } finally {
      if (!made) {
        opened.close();
      }
    }
  }

  private static DiskPair emulated(Path work, long bytes) throws IOException {
    Opened opened = new Opened();
    boolean made = false;
    try {
      Path home = homeIn(MemoryFolder.ifRoomFor(2 * bytes, 2 * bytes, work), opened);
      EmulatedDisk fast = opened.push(EmulatedDisk.create(home, "fast", bytes));
      EmulatedDisk slow = opened.push(EmulatedDisk.create(home, "slow", bytes));
      DiskPair pair =
          new DiskPair(
              opened,
              home,
              folder(fast.mount()),
              folder(slow.mount()),
              slow,
              "not slowed down: " + fast.description(),
              "emulated: " + slow.description());
      made = true;
      return pair;
    } finally {
      if (!made) {
        opened.close();
      }
    }
  }

  public Optional<EmulatedDisk> emulated() {
    return Optional.ofNullable(slowDisk);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  private static Path homeIn(Path parent, Opened opened) throws IOException {
    return opened.push(TestbedHome.create(parent)).path();
  }

  private static Path folder(Path parent) throws IOException {
    return Files.createDirectories(parent.resolve(FOLDER));
  }

  private static String store(Path dir) throws IOException {
    FileStore store = Files.getFileStore(dir);
    return dir + " on " + store.type() + " of " + Sizes.format(store.getTotalSpace());
  }
}
