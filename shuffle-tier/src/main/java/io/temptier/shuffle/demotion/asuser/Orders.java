// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a helper reads of the file of its orders, to which the NodeManager adds lines; the executor
 * closes a helper's standard input. A move is ordered once the one before it is over. For one
 * thread.
 */
public final class Orders implements AutoCloseable {
  /** To end, once what it is at is taken back. */
  static final String QUIT = "quit";

  /** The same, since the application is over: nothing is left of it. */
  static final String ENDED = "ended";

  private static final long LOOK_MILLIS = 20;

  /** To move an output. */
  @AutoValue
  public abstract static class Move {
    /** Counts up. */
    public abstract long number();

    public abstract String attempt();

    /** Where it lies, an index into the dirs of the node, fastest first. */
    public abstract int from();

    /** Where it goes, the same. */
    public abstract int to();

    public abstract long bytes();

    public static Move of(long number, String attempt, int from, int to, long bytes) {
      return new AutoValue_Orders_Move(number, attempt, from, to, bytes);
    }
  }

  private final RandomAccessFile file;
  private @Nullable Move move;
  private long stopped;
  private boolean quit;
  private boolean ended;

  /** Opens a file of orders. */
  public Orders(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "r");
  }

  /** Reads the lines that were added; one that is not whole yet, another time. */
  private void refresh() throws IOException {
    long at = file.getFilePointer();
    for (String line = file.readLine(); line != null; line = file.readLine()) {
      if (file.getFilePointer() == at + line.length()) {
        file.seek(at);
        return;
      }
      at = file.getFilePointer();
      obey(line.split(" "));
    }
  }

  private void obey(String[] words) throws IOException {
    switch (words[0]) {
      case "move":
        move =
            Move.of(
                Long.parseLong(words[1]),
                words[2],
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                Long.parseLong(words[5]));
        break;
      case "stop":
        stopped = Long.parseLong(words[1]);
        break;
      case QUIT:
        quit = true;
        break;
      case ENDED:
        ended = true;
        break;
      default:
        throw new IOException("no order: " + words[0]);
    }
  }

  /** Waits for the next move; empty when none comes for so long, or none is to come. */
  public Optional<Move> next(Duration patience) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      refresh();
      if (quit || ended) {
        return Optional.empty();
      }
      Move next = move;
      move = null;
      if (next != null || System.nanoTime() - deadline > 0) {
        return Optional.ofNullable(next);
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Whether a move is to be taken back. */
  public boolean stopped(long number) throws IOException {
    refresh();
    return ended || quit || stopped >= number;
  }

  /** Whether the application is over, as far as was told. */
  public boolean ended() {
    return ended;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
