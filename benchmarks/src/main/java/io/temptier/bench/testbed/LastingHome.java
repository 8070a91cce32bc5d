// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A folder that outlives the command that made it, with the daemons that work in it, once the
 * command has said so. Until then it goes with all of them, by whatever cause the command ends.
 */
public final class LastingHome implements AutoCloseable {
  private final Path path;
  private final FileChannel lock;
  private final Janitor janitor;
  private boolean kept;

  private LastingHome(Path path, FileChannel lock, Janitor janitor) {
    this.path = path;
    this.lock = lock;
    this.janitor = janitor;
  }

  /** A path, absolute; links in it resolved where they can be. */
  public static Path absolute(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    return Files.exists(absolute) ? absolute.toRealPath() : absolute;
  }

  /**
   * Makes it, and the folders above it.
   *
   * @throws java.nio.file.FileAlreadyExistsException when it is there already
   * @throws IOException when it cannot be made
   */
  public static LastingHome create(Path path) throws IOException {
    Path parent = path.toAbsolutePath().normalize().getParent();
    Path root = Files.createDirectories(parent == null ? path : parent).toRealPath();
    Path home = Files.createDirectory(root.resolve(String.valueOf(path.getFileName())));
    boolean guarded = false;
    try {
      FileChannel lock =
          FileChannel.open(
              home.resolve(TestbedHome.LOCK),
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE);
      lock.lock();
      LastingHome lasting = new LastingHome(home, lock, Janitor.start(home));
      guarded = true;
      return lasting;
    } finally {
      if (!guarded) {
        Remains.remove(home);
      }
    }
  }

  /**
   * Ends what works in a folder, and deletes it. Harmless when it is not there.
   *
   * @throws IOException when something refuses to go
   */
  public static void remove(Path home) throws IOException {
    Remains.remove(home);
  }

  /** The folder, absolute, without links. */
  public Path path() {
    return path;
  }

  /** From now on it stays. */
  public void keep() throws IOException {
    janitor.dismiss();
    kept = true;
    lock.close();
  }

  /** Removes everything, unless it is kept. */
  @Override
  public void close() throws IOException {
    if (!kept) {
      try {
        Remains.remove(path);
      } finally {
        lock.close();
        janitor.close();
      }
    }
  }
}
