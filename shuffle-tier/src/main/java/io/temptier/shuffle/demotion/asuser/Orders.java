// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * What a helper reads of the file of its orders, to which the NodeManager adds lines; the executor
 * closes a helper's standard input. For one thread.
 */
public final class Orders implements AutoCloseable {
  private static final long LOOK_MILLIS = 20;

  /**
   * To move an output.
   *
   * @param number counts up
   * @param attempt whose output
   * @param from where it lies, an index into {@link Task#dirs}
   * @param to where it goes, the same
   * @param bytes its length
   */
  public record Move(long number, String attempt, int from, int to, long bytes) {}

  /**
   * What all orders are about.
   *
   * @param user whose folders
   * @param application whose outputs
   * @param bytesPerSecond the rate of demotion, which sets the size of parts
   * @param dirs of the node, fastest first
   */
  public record Task(String user, String application, long bytesPerSecond, List<LocalDir> dirs) {
    /** The lines that tell it. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add("user " + user);
      lines.add("application " + application);
      lines.add("rate " + bytesPerSecond);
      dirs.forEach(dir -> lines.add("dir " + dir.medium().name() + " " + dir.path()));
      lines.add("begin");
      return lines;
    }
  }

  private final FileChannel file;
  private final Queue<Move> moves = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteBuffer buffer = ByteBuffer.allocate(8192);
  private final List<LocalDir> dirs = new ArrayList<>();
  private String user = "";
  private String application = "";
  private long bytesPerSecond;
  private boolean begun;
  private long stopped;
  private boolean quit;
  private boolean ended;

  /** Opens a file of orders, which has its {@link Task} in it. */
  public Orders(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.READ);
    refresh();
    if (!begun) {
      file.close();
      throw new IOException(path + " does not say what the orders are about");
    }
  }

  /** What they are about. */
  public Task task() {
    return new Task(user, application, bytesPerSecond, List.copyOf(dirs));
  }

  /** Reads the lines that were added. */
  private void refresh() throws IOException {
    while (file.read(buffer.clear()) > 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          obey(line.toString(StandardCharsets.UTF_8));
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
      case "user" -> user = rest;
      case "application" -> application = rest;
      case "rate" -> bytesPerSecond = Long.parseLong(rest);
      case "dir" -> {
        String[] dir = rest.split(" ", 2);
        dirs.add(new LocalDir(Path.of(dir[1]), Medium.valueOf(dir[0]), LocalDir.NO_CAP, "order"));
      }
      case "begin" -> begun = true;
      case "move" -> {
        String[] of = rest.split(" ", 5);
        moves.add(
            new Move(
                Long.parseLong(of[0]),
                of[1],
                Integer.parseInt(of[2]),
                Integer.parseInt(of[3]),
                Long.parseLong(of[4])));
      }
      case "stop" -> stopped = Long.parseLong(rest);
      case "quit" -> quit = true;
      case "ended" -> ended = true;
      default -> throw new IOException("no order: " + text);
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
