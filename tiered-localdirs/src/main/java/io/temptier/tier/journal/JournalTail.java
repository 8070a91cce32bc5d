// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import io.temptier.tier.os.UserFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads a {@link PlacementJournal} while others append to it. What it reads was written by tasks of
 * any user: torn, corrupt and endless lines are skipped and counted, and no more than one line and
 * one buffer are held in memory.
 *
 * <p>The open file is read even after it was deleted, so nothing is missed when an application ends
 * between two polls. Not safe for use by several threads at once.
 */
public final class JournalTail implements Closeable {
  private static final int BUFFER_BYTES = 8 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final SeekableByteChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private final byte[] line = new byte[PlacementRecord.MAX_LINE_BYTES];
  private int lineBytes;
  private boolean skipping;
  private long offset;
  private long ignored;

  /** A tail over all of what is open for reading; closes that with itself. */
  public JournalTail(SeekableByteChannel channel) {
    this.channel = channel;
  }

  /** Opens a journal to read all of it; throws where it is missing or no regular file. */
  public static JournalTail open(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path name = file.getFileName();
    if (folder == null || name == null) {
      throw new IOException(file + " is not a regular file");
    }
    return new JournalTail(UserFile.openRegular(folder, name, PATIENCE));
  }

  /**
   * Reads on from where the last poll ended, about so many bytes.
   *
   * @return bytes read; less than {@code maxBytes} when the end was reached
   */
  public long poll(long maxBytes, Consumer<PlacementRecord> consumer) throws IOException {
    if (channel.size() < offset) {
      // Somebody emptied the file: begin anew.
      offset = 0;
      lineBytes = 0;
      skipping = false;
    }
    channel.position(offset);
    long read = 0;
    while (read < maxBytes) {
      buffer.clear().limit((int) Math.min(BUFFER_BYTES, maxBytes - read));
      int count = channel.read(buffer);
      if (count <= 0) {
        break;
      }
      read += count;
      offset += count;
      buffer.flip();
      while (buffer.hasRemaining()) {
        accept(buffer.get(), consumer);
      }
    }
    return read;
  }

  /** Bytes read since the begin of the file. */
  public long offset() {
    return offset;
  }

  public long ignored() {
    return ignored;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void accept(byte b, Consumer<PlacementRecord> consumer) {
    if (b == '\n') {
      if (!skipping && lineBytes > 0) {
        String text = new String(line, 0, lineBytes, StandardCharsets.UTF_8);
        Optional<PlacementRecord> parsed = PlacementRecord.parse(text);
        parsed.ifPresent(consumer);
        ignored += parsed.isPresent() ? 0 : 1;
      }
      lineBytes = 0;
      skipping = false;
    } else if (!skipping) {
      if (lineBytes == line.length - 1) {
        ignored++;
        skipping = true;
      } else {
        line[lineBytes++] = b;
      }
    }
  }
}
