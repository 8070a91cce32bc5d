// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  private static final int TASKS = 8;

  private Data() {}

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

  /** What a job's tasks do to a store: many at once, each a file of its own. */
  static long together(FileSystem fs, Path folder, long count, Random random)
      throws IOException, InterruptedException, ExecutionException {
    ExecutorService tasks = Executors.newFixedThreadPool(TASKS);
    try {
      List<Future<Long>> files = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        Path file = new Path(folder, "of-task-" + i);
        Random own = new Random(random.nextLong());
        files.add(tasks.submit(() -> write(fs, file, FILE_MIB, own) + Reads.all(fs, file, MIB)));
      }
      long bytes = 0;
      for (Future<Long> file : files) {
        bytes += file.get();
      }
      return bytes;
    } finally {
      tasks.shutdownNow();
    }
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
