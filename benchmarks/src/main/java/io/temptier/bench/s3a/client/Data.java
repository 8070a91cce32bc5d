// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Makes and removes what is read: one large object, and the files of a table. */
final class Data {
  private static final int MIB = 1 << 20;
  private static final String OBJECT = "object";
  private static final String FILE = "file-";
  private static final String UPLOAD = "upload";

  /** In megabytes: with six columns, gaps between them are wider than any readahead. */
  private static final int FILE_MIB = 16;

  private Data() {}

  /** The object that reads are of. */
  static Path object(Path folder) {
    return new Path(folder, OBJECT);
  }

  static long makeObject(FileSystem fs, Path folder, long mebibytes, Random random)
      throws IOException {
    return write(fs, object(folder), mebibytes, random);
  }

  /**
   * One of the files that readers open, each once in a measurement: streams that keep what they
   * read for the next that opens the same file would show what no job sees.
   *
   * @param index from 0
   */
  static Path file(Path folder, long index) {
    return new Path(folder, FILE + index);
  }

  static long makeFiles(FileSystem fs, Path folder, long count, Random random) throws IOException {
    long bytes = 0;
    for (long i = 0; i < count; i++) {
      bytes += write(fs, file(folder, i), FILE_MIB, random);
    }
    return bytes;
  }

  static long upload(FileSystem fs, Path folder, long mebibytes, Random random) throws IOException {
    return write(fs, new Path(folder, UPLOAD), mebibytes, random);
  }

  static long remove(FileSystem fs, Path folder, long count, Random random) throws IOException {
    boolean unused = fs.delete(folder, true);
    return 0;
  }

  private static long write(FileSystem fs, Path file, long mebibytes, Random random)
      throws IOException {
    byte[] block = new byte[MIB];
    random.nextBytes(block);
    try (FSDataOutputStream out = fs.create(file, true)) {
      for (long i = 0; i < mebibytes; i++) {
        out.write(block);
      }
    }
    return mebibytes * MIB;
  }
}
