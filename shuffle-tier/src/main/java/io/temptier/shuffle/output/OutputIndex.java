// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.mapred.IndexRecord;

/**
 * The index of a map output: where each partition lies. Three numbers of 8 bytes a partition
 * (offset, raw length, length), then their checksum, as Hadoop's {@code SpillRecord} writes it;
 * that class reads whatever is there, however long, and opens it by path.
 */
public final class OutputIndex {
  private static final int RECORD_BYTES = 24;
  private static final int READ_BYTES = 64 << 10;
  private static final int RECORD_LONGS = RECORD_BYTES / Long.BYTES;

  /** More than an application master can keep in memory; a lane's thread takes 4 MiB for it. */
  private static final int MOST_PARTITIONS = 174_000;

  /** Size of the largest index; a larger file is none. */
  public static final int LARGEST_BYTES = MOST_PARTITIONS * RECORD_BYTES + Long.BYTES;

  private final LongBuffer entries;

  private OutputIndex(LongBuffer entries) {
    this.entries = entries;
  }

  /**
   * Reads an index. Takes as much memory as the file has bytes.
   *
   * @param path of the file, for people
   * @param bytes of the file, at most {@link #LARGEST_BYTES}
   * @throws IOException when it is not whole
   */
  public static OutputIndex read(FileChannel file, Path path, int bytes) throws IOException {
    byte[] content = new byte[bytes - bytes % RECORD_BYTES];
    DataInputStream in = new DataInputStream(Channels.newInputStream(file));
    // Java keeps a buffer for each thread that is as large as the largest read.
    for (int done = 0; done < content.length; done += READ_BYTES) {
      in.readFully(content, done, Math.min(READ_BYTES, content.length - done));
    }
    CRC32 checksum = new CRC32();
    checksum.update(content);
    if (checksum.getValue() != in.readLong()) {
      throw new ChecksumException("Checksum error reading spill index: " + path, -1);
    }
    return new OutputIndex(ByteBuffer.wrap(content).asLongBuffer());
  }

  public int size() {
    return entries.capacity() / RECORD_LONGS;
  }

  public int bytes() {
    return size() * RECORD_BYTES;
  }

  /** Returns where a partition is said to lie; not checked. */
  public IndexRecord getIndex(int partition) {
    int start = partition * RECORD_LONGS;
    return new IndexRecord(entries.get(start), entries.get(start + 1), entries.get(start + 2));
  }

  /**
   * Returns where a partition lies.
   *
   * @param dataBytes of the data file
   * @throws IOException when it does not lie in there
   */
  public IndexRecord getIndex(int partition, long dataBytes) throws IOException {
    IndexRecord record = getIndex(partition);
    if (record.startOffset < 0
        || record.rawLength < 0
        || record.partLength < 0
        || record.partLength > dataBytes
        || record.startOffset > dataBytes - record.partLength) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "Error Reading IndexFile: partition %d is said to have %d bytes from byte %d on, %d"
                  + " uncompressed; the map output has %d",
              partition,
              record.partLength,
              record.startOffset,
              record.rawLength,
              dataBytes));
    }
    return record;
  }
}
