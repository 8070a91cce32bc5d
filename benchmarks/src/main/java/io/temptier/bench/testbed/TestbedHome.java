/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one run, which goes with all that was mounted in it: when it is closed; when this
 * JVM ends by whatever cause, by its {@link Janitor}; and should that be killed too, at the start
 * of the next run, which knows a run that lives by a lock that the kernel holds for it.
 */
public final class TestbedHome implements AutoCloseable {
  /** What the folders' names begin with. */
  public static final String PREFIX = "temptier-bench-";

  private static final String LOCK = "lock";

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
  static void sweep(Path parent) throws IOException {
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path home : homes) {
        if (Files.isDirectory(home) && !OWN.contains(home) && isDead(home)) {
          try {
            Remains.remove(home);
          } catch (IOException e) {
            System.err.println("Could not remove what a killed run left: " + e.getMessage());
          }
        }
      }
    }
  }

  private static boolean isDead(Path home) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                home.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      // Somebody else's, or just being removed.
      return false;
    }
  }
}
