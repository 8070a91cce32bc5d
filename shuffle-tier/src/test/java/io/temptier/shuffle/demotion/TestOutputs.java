// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;

/** What is in map outputs, and how stock Hadoop finds and reads it. */
final class TestOutputs {
  private static final int PARTITIONS = 4;
  private static final String DIRS_KEY = "temptier.test.dirs";

  private TestOutputs() {}

  /** The data of an output, which differs from output to output. */
  static byte[] data(MapOutputId id, long bytes) {
    byte[] data = new byte[(int) bytes];
    new Random(id.hashCode()).nextBytes(data);
    return data;
  }

  /** Writes the index of an output of {@code bytes}, with a first partition of another length. */
  static void writeIndex(Path folder, long bytes, long firstLength) throws IOException {
    SpillRecord index = new SpillRecord(2);
    index.putIndex(new IndexRecord(0, firstLength, firstLength), 0);
    index.putIndex(new IndexRecord(bytes, 0, 0), 1);
    writeIndex(folder, index);
  }

  static void writeIndex(Path folder, long bytes) throws IOException {
    SpillRecord index = new SpillRecord(PARTITIONS);
    long part = bytes / PARTITIONS;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      long start = part * partition;
      long end = partition == PARTITIONS - 1 ? bytes : start + part;
      index.putIndex(new IndexRecord(start, end - start, end - start), partition);
    }
    writeIndex(folder, index);
  }

  private static void writeIndex(Path folder, SpillRecord index) throws IOException {
    index.writeToFile(
        new org.apache.hadoop.fs.Path(folder.resolve(MapOutputId.INDEX).toUri()),
        new JobConf(new Configuration(false)));
  }

  /** Reads an output as stock does: index and data looked up in all dirs, in that order. */
  static byte[] readAsStock(List<LocalDir> inOrder, MapOutputId id) throws IOException {
    Configuration conf = new Configuration(false);
    String dirs =
        inOrder.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(","));
    // An allocator's state belongs to the key, and is made anew when its value changes.
    String key = DIRS_KEY + dirs;
    conf.set(key, dirs);
    LocalDirAllocator allocator = new LocalDirAllocator(key);
    String folder = id.relativePath() + "/";
    org.apache.hadoop.fs.Path indexPath =
        allocator.getLocalPathToRead(folder + MapOutputId.INDEX, conf);
    org.apache.hadoop.fs.Path dataPath =
        allocator.getLocalPathToRead(folder + MapOutputId.DATA, conf);
    IndexRecord last = new SpillRecord(indexPath, new JobConf(conf)).getIndex(PARTITIONS - 1);
    byte[] data = Files.readAllBytes(Path.of(dataPath.toUri().getPath()));
    if (data.length != last.startOffset + last.partLength) {
      throw new IOException(dataPath + " has " + data.length + " bytes");
    }
    return data;
  }
}
