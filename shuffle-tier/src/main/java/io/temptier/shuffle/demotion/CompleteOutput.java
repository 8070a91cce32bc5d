// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.OutputIndex;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.mapred.IndexRecord;

/**
 * Knows from the index whether a map output is written to its end. Hadoop writes the index of a
 * merged output before it closes the data, so that only the length tells. Whatever lies in the
 * index's place costs a moment at most. Safe for use by many threads.
 */
final class CompleteOutput {
  /** Of 170,000 partitions. It is read whole, for each dir at a time. */
  private static final long LARGEST_INDEX_BYTES = 4L << 20;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MoveContext context;

  CompleteOutput(MoveContext context) {
    this.context = context;
  }

  /**
   * Whether {@code bytes} are all the data of an output: an index in one of the dirs is whole, and
   * its last partition ends there.
   *
   * @param own the dir that the data lies in, of the asking thread. It is asked first, and waited
   *     for; where another does not answer, the output does not count as whole
   */
  boolean is(MapOutputId id, LocalDir own, long bytes) {
    try {
      return ends(own, id, bytes);
    } catch (IOException e) {
      // Not there, or it cannot be read.
    }
    for (LocalDir dir : context.dirs()) {
      try {
        if (!dir.equals(own)) {
          return context.look(dir, () -> endsIfThere(dir, id, bytes));
        }
      } catch (IOException e) {
        // Not there, it cannot be read, or the dir does not answer.
      }
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
    }
    return false;
  }

  /** The look comes first, as it hangs where the disk does; to open a file gives up by itself. */
  private static boolean endsIfThere(LocalDir dir, MapOutputId id, long bytes) throws IOException {
    FileStamp.of(dir.path().resolve(id.relativePath()).resolve(MapOutputId.INDEX));
    return ends(dir, id, bytes);
  }

  /** Whether the last partition ends with the data, and none after it. */
  private static boolean ends(LocalDir dir, MapOutputId id, long bytes) throws IOException {
    Path path = id.relativePath().resolve(MapOutputId.INDEX);
    try (FileChannel file = UserFile.openRegular(dir.path(), path, PATIENCE)) {
      if (file.size() > LARGEST_INDEX_BYTES) {
        return false;
      }
      OutputIndex index = OutputIndex.read(file, path, (int) file.size());
      long end = 0;
      for (int partition = 0; partition < index.size(); partition++) {
        IndexRecord at = index.getIndex(partition, bytes);
        end = Math.max(end, at.startOffset + at.partLength);
      }
      return end == bytes;
    }
  }
}
