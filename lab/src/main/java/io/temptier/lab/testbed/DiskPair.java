// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.tier.Sizes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fast and a slow disk, with a folder of the run's on each: emulated ones, or the user's. Closing
 * removes all that the run made on them.
 */
public final class DiskPair implements Closeable {
  private static final String FOLDER = "local";

  private final Opened opened = new Opened();
  private Path home = Path.of("");
  private Path fast = Path.of("");
  private @Nullable Path slow;
  private @Nullable EmulatedDisk emulated;
  private String fastDescription = "";
  private String slowDescription = "";

  private DiskPair() {}

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
    return Opened.ready(new DiskPair(), pair -> pair.make(work, fastDir, slowDir, bytes));
  }

  private void make(Path work, String fastDir, String slowDir, long bytes) throws IOException {
    String hindrance = "only --fast-dir was given";
    if (fastDir.isEmpty() && slowDir.isEmpty()) {
      hindrance = EmulatedDisk.hindrance().orElse("");
      if (hindrance.isEmpty()) {
        try {
          emulate(work, bytes);
          return;
        } catch (IOException e) {
          opened.close();
          hindrance = "no disk could be emulated: " + e.getMessage();
        }
      }
    }
    home = homeIn(work);
    fast = folder(fastDir.isEmpty() ? home : homeIn(Path.of(fastDir)));
    fastDescription = store(fast);
    if (slowDir.isEmpty()) {
      slowDescription = "none: " + hindrance;
    } else {
      Path dir = folder(homeIn(Path.of(slowDir)));
      slow = dir;
      slowDescription = store(dir);
    }
  }

  private void emulate(Path work, long bytes) throws IOException {
    TestbedHome testbed =
        opened.push(TestbedHome.create(MemoryFolder.ifRoomFor(2 * bytes, 2 * bytes, work)));
    EmulatedDisk fastDisk = opened.push(EmulatedDisk.create(testbed.path(), "fast", bytes));
    EmulatedDisk slowDisk = opened.push(EmulatedDisk.create(testbed.path(), "slow", bytes));
    home = testbed.path();
    fast = folder(fastDisk.mount());
    fastDescription = "not slowed down: " + fastDisk.description();
    slow = folder(slowDisk.mount());
    slowDescription = "emulated: " + slowDisk.description();
    emulated = slowDisk;
  }

  /** The run's folder for other files. */
  public Path home() {
    return home;
  }

  public Path fast() {
    return fast;
  }

  /** Its folder on the slow disk, or null when there is none. */
  public @Nullable Path slow() {
    return slow;
  }

  public Optional<EmulatedDisk> emulated() {
    return Optional.ofNullable(emulated);
  }

  public String fastDescription() {
    return fastDescription;
  }

  /** What the slow disk is, or why there is none, for people. */
  public String slowDescription() {
    return slowDescription;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  private Path homeIn(Path parent) throws IOException {
    return opened.push(TestbedHome.create(parent)).path();
  }

  private static Path folder(Path parent) throws IOException {
    return Files.createDirectories(parent.resolve(FOLDER));
  }

  private static String store(Path dir) throws IOException {
    return dir
        + " on "
        + Files.getFileStore(dir).type()
        + " of "
        + Sizes.format(Files.getFileStore(dir).getTotalSpace());
  }
}
