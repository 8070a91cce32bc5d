// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one run, which goes with all that was mounted in it: when it is closed; when this
 * JVM ends by whatever cause, by its {@link Janitor}; and should that be killed too, at the start
 * of the next run, which knows a run that lives by a lock that the kernel holds for it.
 */
public record TestbedHome(Path path, FileChannel lock, Janitor janitor) implements Closeable {
  public static final String PREFIX = "temptier-run-";

  /** The file that the run's JVM holds a lock on. */
  static final String LOCK = "lock";

  private static final Duration STALE = Duration.ofMinutes(2);

  /**
   * Homes of this process: to open and close one's own lock file a second time would give the lock
   * up.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  /** Removes what runs before left in {@code parent}, and makes a folder there. */
  public static TestbedHome create(Path parent) throws IOException {
    Path root = Files.createDirectories(parent).toRealPath();
    sweep(root);
    // Under another name until it is locked: without a lock it would be taken for a leftover.
    Path path = Files.createTempDirectory(root, "new-" + PREFIX);
    return hold(path, root.resolve(path.getFileName().toString().substring("new-".length())));
  }

  private static TestbedHome hold(Path made, Path home) throws IOException {
    return Opened.make(
        opened -> {
          opened.push(() -> remove(made));
          FileChannel lock =
              opened.push(
                  FileChannel.open(
                      made.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
          lock.lock();
          OWN.add(home);
          Janitor janitor = Janitor.start(home);
          Files.move(made, home);
          return new TestbedHome(home, lock, janitor);
        });
  }

  /**
   * Ends Ceph's daemons and the run's own group of processes, lifts the limits, unmounts, gives the
   * loop devices back, and deletes the folder. Harmless when somebody else does the same, or
   * nothing is left.
   *
   * @throws IOException when something refuses to go; the rest may be there too then
   */
  public static void remove(Path home) throws IOException {
    CephProcess.endAll(home);
    new ControlGroup(ControlGroup.CGROUPS, home, ControlGroup.MEMORY).close();
    MergedMount.unmountAll(home);
    Optional<Throttle> throttle = Throttle.find(ControlGroup.CGROUPS, home);
    for (LoopDevice device : LoopDevice.at(home)) {
      if (throttle.isPresent()) {
        throttle.get().lift(device.numbers());
      }
      device.release();
    }
    PageCache.restore(PageCache.VM, home);
    Folders.delete(home);
  }

  @Override
  public void close() throws IOException {
    try {
      remove(path);
    } finally {
      lock.close();
      OWN.remove(path);
      janitor.close();
    }
  }

  /** Removes the folders of dead runs; what refuses to go is left for the next time. */
  public static void sweep(Path parent) throws IOException {
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(parent, TestbedHome::mayBeOfARun)) {
      for (Path home : homes) {
        try {
          removeIfDead(home);
        } catch (IOException e) {
          System.err.println("Could not remove " + home + " of a killed run: " + e.getMessage());
        }
      }
    }
  }

  /** Named as {@link #create} names them: whatever else lies beside them is not ours to remove. */
  private static boolean mayBeOfARun(Path path) {
    String name = path.getFileName().toString();
    return name.matches(PREFIX + "\\d+") && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Removes the folder of a run that has ended, unless somebody else is about it.
   *
   * @return whether it is gone
   */
  static boolean removeIfDead(Path home) throws IOException {
    if (OWN.contains(home)) {
      return false;
    }
    if (!Files.exists(home.resolve(LOCK))) {
      // Somebody is just removing it, or was killed over that some time ago.
      if (Files.exists(home)
          && Files.getLastModifiedTime(home).toInstant().isBefore(Instant.now().minus(STALE))) {
        remove(home);
      }
      return !Files.exists(home);
    }
    try (FileChannel channel = FileChannel.open(home.resolve(LOCK), StandardOpenOption.WRITE);
        @Nullable FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false;
      }
      remove(home);
      return true;
    } catch (OverlappingFileLockException | NoSuchFileException e) {
      return !Files.exists(home);
    }
  }
}
