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
import io.temptier.tier.TierLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;

/**
 * Knows from the index whether a map output is written to its end. Hadoop writes the index of a
 * merged output before it closes the data, so that only the length tells.
 */
final class CompleteOutput {
  /** An index of a million partitions has 24 MB; what is larger is none. */
  private static final long LARGEST_INDEX_BYTES = 64L << 20;

  private final TierLayout layout;
  private final JobConf conf = new JobConf(new Configuration(false));

  CompleteOutput(TierLayout layout) {
    this.layout = layout;
  }

  /**
   * Whether {@code bytes} are all the data of an output: it has an index in one of the dirs, whose
   * checksum is right and whose last partition ends there.
   */
  boolean is(MapOutputId id, long bytes) {
    try {
      Optional<Path> index = index(id);
      return index.isPresent() && end(index.get()) == bytes;
    } catch (IOException | RuntimeException e) {
      // Torn or not yet whole, or no index at all.
      return false;
    }
  }

  private Optional<Path> index(MapOutputId id) throws IOException {
    for (LocalDir dir : layout.dirs()) {
      Path index = dir.path().resolve(id.relativePath()).resolve(MapOutputId.INDEX);
      Optional<FileStamp> stamp = FileStamp.find(index);
      if (stamp.isPresent()
          && stamp.get().regular()
          && stamp.get().bytes() <= LARGEST_INDEX_BYTES) {
        return Optional.of(index);
      }
    }
    return Optional.empty();
  }

  /** Where the last partition ends; -1 when there is none. */
  private long end(Path file) throws IOException {
    SpillRecord index = new SpillRecord(new org.apache.hadoop.fs.Path(file.toUri()), conf);
    long end = -1;
    for (int partition = 0; partition < index.size(); partition++) {
      IndexRecord record = index.getIndex(partition);
      end = Math.max(end, record.startOffset + record.partLength);
    }
    return end;
  }
}
