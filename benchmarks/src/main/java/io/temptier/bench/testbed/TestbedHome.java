// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one run, which goes with all that was mounted in it: when it is closed; when this
 * JVM ends by whatever cause, by its {@link Janitor}; and should that be killed too, at the start
 * of the next run, which knows a run that lives by a lock that the kernel holds for it.
 */
public final class TestbedHome implements Closeable {
  /** What the folders' names begin with. */
  public static final String PREFIX = "temptier-bench-";

  /** The file that the run's JVM holds a lock on. */
  static final String LOCK = "lock";

  private static final Duration STALE = Duration.ofMinutes(2);

  /** To open and close one's own lock file a second time would give the lock up. */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;
  private final Janitor janitor;

  private TestbedHome(Path path, FileChannel lock, Janitor janitor) {
    this.path = path;
    this.lock = lock;
    this.janitor = janitor;
  }

  /**
   * Removes what runs before left in {@code parent}, and makes a folder there.
   *
   * @param parent made if it is missing
   * @throws IOException when the folder cannot be made
   */
  public static TestbedHome create(Path parent) throws IOException {
    Path root = Files.createDirectories(parent).toRealPath();
    sweep(root);
    // Under another name until it is locked: without a lock it would be taken for a leftover.
    Path path = Files.createTempDirectory(root, "new-" + PREFIX);
    FileChannel lock =
        FileChannel.open(
            path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    boolean made = false;
    try {
      lock.lock();
      Path home = root.resolve(path.getFileName().toString().substring("new-".length()));
      OWN.add(home);
      Janitor janitor = Janitor.start(home);
      Files.move(path, home);
      made = true;
      return new TestbedHome(home, lock, janitor);
    } finally {
      if (!made) {
        lock.close();
        Remains.remove(path);
      }
    }
  }

  /** The folder, absolute, without links. */
  public Path path() {
    return path;
  }

  /**
   * Removes everything.
   *
   * @throws IOException when something refuses to go
   */
  @Override
  public void close() throws IOException {
    try {
      Remains.remove(path);
    } finally {
      lock.close();
      OWN.remove(path);
      janitor.close();
    }
  }

  /** Removes the folders of dead runs; what refuses to go is left for the next time. */
  public static void sweep(Path parent) throws IOException {
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path home : homes) {
        try {
          removeIfDead(home);
        } catch (IOException e) {
          System.err.println("Could not remove " + home + " of a killed run: " + e.getMessage());
        }
      }
    }
  }

  /**
   * Removes the folder of a run that has ended, unless somebody else is about it.
   *
   * @return whether it is gone
   * @throws IOException when something refuses to go
   */
  static boolean removeIfDead(Path home) throws IOException {
    if (OWN.contains(home)) {
      return false;
    }
    if (!Files.exists(home.resolve(LOCK))) {
      // Somebody is just removing it, or was killed over that some time ago.
      if (Files.exists(home)
          && Files.getLastModifiedTime(home).toInstant().isBefore(Instant.now().minus(STALE))) {
        Remains.remove(home);
      }
      return !Files.exists(home);
    }
    try (FileChannel channel = FileChannel.open(home.resolve(LOCK), StandardOpenOption.WRITE);
        @Nullable FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false;
      }
      Remains.remove(home);
      return true;
    } catch (OverlappingFileLockException | NoSuchFileException e) {
      return !Files.exists(home);
    }
  }
}
