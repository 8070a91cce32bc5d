// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import com.google.auto.value.AutoValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * What a helper reads of the file of its orders, to which the NodeManager adds lines; the executor
 * closes a helper's standard input. For one thread.
 */
public final class Orders implements AutoCloseable {
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

  private final FileChannel file;
  private final Queue<Move> moves = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteBuffer buffer = ByteBuffer.allocate(8192);
  private long stopped;
  private boolean quit;
  private boolean ended;

  /** Opens a file of orders. */
  public Orders(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Reads the lines that were added. */
  private void refresh() throws IOException {
    buffer.clear();
    while (file.read(buffer) > 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          obey(new String(line.toByteArray(), StandardCharsets.UTF_8));
          line.reset();
        } else {
          line.write(next);
        }
      }
    }
  }

  private void obey(String text) throws IOException {
    String[] words = text.split(" ", 2);
    String rest = words.length < 2 ? "" : words[1];
    switch (words[0]) {
      case "move":
        String[] of = rest.split(" ", 5);
        moves.add(
            Move.of(
                Long.parseLong(of[0]),
                of[1],
                Integer.parseInt(of[2]),
                Integer.parseInt(of[3]),
                Long.parseLong(of[4])));
        break;
      case "stop":
        stopped = Long.parseLong(rest);
        break;
      case "quit":
        quit = true;
        break;
      case "ended":
        ended = true;
        break;
      default:
        throw new IOException("no order: " + text);
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
      Move move = moves.poll();
      if (move != null || System.nanoTime() - deadline > 0) {
        return Optional.ofNullable(move);
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
