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
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.SpareCalls;
import io.temptier.tier.TierLayout;
import io.temptier.tier.UserFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32;

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

  private final SpareCalls calls = new SpareCalls("TempTier demotion looks for an index", 1);
  private final TierLayout layout;

  CompleteOutput(TierLayout layout) {
    this.layout = layout;
  }

  /**
   * Whether {@code bytes} are all the data of an output: it has an index in one of the dirs, whose
   * checksum is right and whose last partition ends there.
   *
   * @param own the dir that the data lies in. It is asked first, and waited for; others are not
   */
  boolean is(MapOutputId id, LocalDir own, long bytes) {
    try {
      return end(own, id) == bytes;
    } catch (IOException e) {
      // Not there, or it cannot be read.
    }
    List<LocalDir> others = layout.dirs().stream().filter(dir -> !dir.equals(own)).toList();
    for (LocalDir dir : others) {
      try {
        return calls.call(dir, PATIENCE, () -> end(dir, id)) == bytes;
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          return false;
        }
      }
    }
    return false;
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
      read(file, buffer.clear().limit((int) Math.min(buffer.capacity(), records - at)), at);
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
    read(file, buffer.clear().limit(Long.BYTES), records);
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
