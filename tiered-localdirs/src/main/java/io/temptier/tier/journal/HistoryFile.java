// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node remembers of its past: a JSON object on each line, in the private folder of a local
 * dir. Turned over at a bound, so that there are never more than twice {@link #MAX_BYTES}. Every
 * call may take as long as the disk does. For one thread.
 */
public final class HistoryFile implements Closeable {
  /** The history of ended applications, in the private folder of a root. */
  public static final String APPLICATIONS = "history";

  /** The history of how full the tiers were. */
  public static final String FILL = "fill";

  /** It is turned over at this size, in bytes: some ten thousand applications, or fifty days. */
  public static final long MAX_BYTES = 4L << 20;

  /** Fits more lines than are shown at a time. */
  private static final int TAIL_BYTES = 256 << 10;

  private final List<Path> folders;
  private final String name;
  private final JournalFile file;

  /**
   * A history that is written to the first folder that takes it.
   *
   * @param folders the private folder of each root, in the order to try them
   * @param name {@link #APPLICATIONS} or {@link #FILL}
   */
  public HistoryFile(List<Path> folders, String name) {
    this(folders, name, MAX_BYTES);
  }

  HistoryFile(List<Path> folders, String name, long maxBytes) {
    this.folders = Immutable.copyOf(folders);
    this.name = name;
    this.file = new JournalFile(folders, name, maxBytes, true, folder -> true);
  }

  /**
   * Appends a line.
   *
   * @param line without its newline
   * @param nowMillis milliseconds since 1970
   * @return false when it must be tried again in a second
   * @throws IOException when no folder takes it
   */
  public boolean append(String line, long nowMillis) throws IOException {
    return file.append((line + '\n').getBytes(StandardCharsets.UTF_8), nowMillis);
  }

  /**
   * The last lines, oldest first within a folder; what cannot be read is left out.
   *
   * @param most how many
   */
  public List<String> last(int most) {
    List<String> lines = new ArrayList<>();
    for (Path folder : folders) {
      for (Path path : files(folder, name)) {
        try {
          lines.addAll(read(path, TAIL_BYTES));
        } catch (IOException e) {
          // What happened before a restart is for people only.
        }
      }
    }
    return lines.subList(Math.max(0, lines.size() - most), lines.size());
  }

  /**
   * The files that a root's history may lie in, oldest first.
   *
   * @param folder the private folder of the root
   * @param name {@link #APPLICATIONS} or {@link #FILL}
   */
  public static List<Path> files(Path folder, String name) {
    return Immutable.listOf(
        folder.resolve(name + PlacementJournal.OLD_SUFFIX), folder.resolve(name));
  }

  /**
   * The whole lines at the end of a file.
   *
   * @param mostBytes read at the most
   * @return lines, without those that are torn or no object; none when there is no such file
   * @throws IOException when it cannot be read or is no file
   */
  public static List<String> read(Path path, long mostBytes) throws IOException {
    if (!Files.exists(path, NOFOLLOW_LINKS)) {
      return Immutable.listOf();
    }
    if (!Files.isRegularFile(path, NOFOLLOW_LINKS)) {
      throw new IOException(path + " is not a regular file");
    }
    String text;
    boolean cut;
    try (SeekableByteChannel channel =
        Files.newByteChannel(path, Immutable.setOf(StandardOpenOption.READ, NOFOLLOW_LINKS))) {
      long from = Math.max(0, channel.size() - mostBytes);
      cut = from > 0;
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(mostBytes, channel.size() - from));
      channel.position(from);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Reads on.
      }
      text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }
    return Strings.lines(text)
        .skip(cut ? 1 : 0)
        .filter(line -> line.startsWith("{") && line.endsWith("}"))
        .collect(Immutable.toList());
  }

  @Override
  public void close() {
    file.close();
  }
}
