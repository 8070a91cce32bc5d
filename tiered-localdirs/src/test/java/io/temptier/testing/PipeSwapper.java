// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.fixtures.Programs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A user who puts a pipe in a file's place and the file back, again and again, so that whoever
 * looks at the file and then opens it may open the pipe and wait. From its making until {@link
 * #stop}.
 */
public final class PipeSwapper implements AutoCloseable {
  private final Path pipe;
  private final AtomicBoolean done = new AtomicBoolean();
  private final Thread thread;

  /**
   * Begins.
   *
   * @param folder of its own things; on the file system of {@code file}
   * @param content of the file when it is one
   */
  public PipeSwapper(Path folder, Path file, String content) throws Exception {
    pipe = Programs.pipe(folder.resolve("pipe"));
    Path next = folder.resolve("next");
    thread = new Thread(() -> swap(file, next, content));
    thread.start();
  }

  private void swap(Path file, Path next, String content) {
    try {
      for (int i = 0; !done.get(); i++) {
        if (i % 2 == 0) {
          Files.createLink(next, pipe);
        } else {
          Files.writeString(next, content);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Swaps no more; whoever waits for the pipe waits on. */
  public void stop() {
    done.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops, and lets whoever waits for the pipe go on: it has a writer for a moment. */
  @Override
  public void close() throws IOException {
    stop();
    FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
  }
}
