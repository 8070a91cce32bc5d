// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Knows from the index whether a map output is written to its end. Hadoop writes the index of a
 * merged output before it closes the data, so that only the length tells. Whatever lies in the
 * index's place costs a moment at most, and no more memory than one buffer. Safe for use by many
 * threads.
 */
final class CompleteOutput {
  /** An index of a million partitions has 24 MB; what is larger is none. */
  private static final long LARGEST_INDEX_BYTES = 64L << 20;

  /** Of a partition: where it starts, how long it is raw, how long it is here. */
  private static final int RECORD_BYTES = 3 * Long.BYTES;

  private static final int BUFFER_BYTES = 1000 * RECORD_BYTES;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What no index says. */
  private static final long BROKEN = -1;

  private final TierLayout layout;
  private final OtherDirs others;

  CompleteOutput(TierLayout layout, OtherDirs others) {
    this.layout = layout;
    this.others = others;
  }

  /**
   * Whether {@code bytes} are all the data of an output: it has an index in one of the dirs, whose
   * checksum is right and whose last partition ends there.
   *
   * @param own the dir that the data lies in, of the asking thread. It is asked first, and waited
   *     for; where another does not answer, the output does not count as whole
   */
  boolean is(MapOutputId id, LocalDir own, long bytes) {
    try {
      return end(own, id) == bytes;
    } catch (IOException e) {
      // Not there, or it cannot be read.
    }
    try {
      return isByOthers(
          id,
          layout.dirs().stream().filter(dir -> !dir.equals(own)).collect(Immutable.toList()),
          bytes);
    } catch (OtherDirs.NoAnswerException e) {
      return false;
    }
  }

  /**
   * The same for data that lies in a dir of another thread.
   *
   * @throws OtherDirs.NoAnswerException when a dir did not answer that may know better
   */
  boolean isElsewhere(MapOutputId id, LocalDir place, long bytes)
      throws OtherDirs.NoAnswerException {
    List<LocalDir> all = new ArrayList<>(layout.dirs());
    all.remove(place);
    all.add(0, place);
    return isByOthers(id, all, bytes);
  }

  /** The first index that is found tells. */
  private boolean isByOthers(MapOutputId id, List<LocalDir> dirs, long bytes)
      throws OtherDirs.NoAnswerException {
    OtherDirs.@Nullable NoAnswerException silent = null;
    for (LocalDir dir : dirs) {
      try {
        return others.look(dir, () -> endIfThere(dir, id)) == bytes;
      } catch (OtherDirs.NoAnswerException e) {
        silent = e;
      } catch (IOException e) {
        // Not there, or it cannot be read.
      }
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
    }
    if (silent != null) {
      throw silent;
    }
    return false;
  }

  /** The look comes first, as it hangs where the disk does; to open a file gives up by itself. */
  private static long endIfThere(LocalDir dir, MapOutputId id) throws IOException {
    FileStamp.of(dir.path().resolve(id.relativePath()).resolve(MapOutputId.INDEX));
    return end(dir, id);
  }

  /** Where the last partition ends. */
  private static long end(LocalDir dir, MapOutputId id) throws IOException {
    Path index = id.relativePath().resolve(MapOutputId.INDEX);
    try (FileChannel file = UserFile.openRegular(dir.path(), index, PATIENCE)) {
      return end(file);
    }
  }

  private static long end(FileChannel file) throws IOException {
    long records = file.size() - Long.BYTES;
    if (records < RECORD_BYTES || records % RECORD_BYTES != 0 || records > LARGEST_INDEX_BYTES) {
      return BROKEN;
    }
    CRC32 checksum = new CRC32();
    long end = 0;
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, records));
    for (long at = 0; at < records; at += buffer.limit()) {
      buffer.clear();
      buffer.limit((int) Math.min(buffer.capacity(), records - at));
      read(file, buffer, at);
      checksum.update(buffer.duplicate());
      while (buffer.hasRemaining()) {
        long start = buffer.getLong();
        buffer.getLong();
        long length = buffer.getLong();
        if (start < 0 || length < 0 || start + length < 0) {
          return BROKEN;
        }
        end = Math.max(end, start + length);
      }
    }
    buffer.clear();
    buffer.limit(Long.BYTES);
    read(file, buffer, records);
    return buffer.getLong() == checksum.getValue() ? end : BROKEN;
  }

  private static void read(FileChannel file, ByteBuffer buffer, long at) throws IOException {
    while (buffer.hasRemaining()) {
      if (file.read(buffer, at + buffer.position()) < 0) {
        throw new IOException("The index became shorter");
      }
    }
    buffer.flip();
  }
}
