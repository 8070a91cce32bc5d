// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * What is done with a store. Files are made and removed; readers go through them as readers of jobs
 * do, and open them without a policy of their own, so that the configuration decides.
 */
final class Patterns {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int RANDOM_BYTES = 512 * KIB;
  private static final int SKIP_BYTES = 64 * KIB;
  private static final int LEAST_GAP = 100 * KIB;
  private static final int MOST_GAP = 900 * KIB;
  private static final int SCAN_BYTES = MIB;
  private static final int TAIL_BYTES = 8;
  private static final int FOOTER_BYTES = 32 * KIB;
  private static final int COLUMNS = 6;
  private static final int LEAST_COLUMN = 64 * KIB;
  private static final int MOST_COLUMN = 512 * KIB;
  private static final int RANGES = 8;
  private static final int RANGE_BYTES = 256 * KIB;
  private static final int RANGE_DISTANCE = MIB;

  /** What a reader of text asks for at a time. */
  private static final int TEXT_BYTES = 64 * KIB;

  /** The share of queries that read a text file. */
  private static final int ONE_IN = 6;

  /** In megabytes: with six columns, gaps between them are wider than any readahead. */
  private static final int FILE_MIB = 16;

  private static final int TASKS = 8;

  private Patterns() {}

  static Path object(Path folder) {
    return new Path(folder, "object");
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
    return new Path(folder, "file-" + index);
  }

  static long makeFiles(FileSystem fs, Path folder, long count, Random random) throws IOException {
    long bytes = 0;
    for (long i = 0; i < count; i++) {
      bytes += write(fs, file(folder, i), FILE_MIB, random);
    }
    return bytes;
  }

  static long upload(FileSystem fs, Path folder, long mebibytes, Random random) throws IOException {
    return write(fs, new Path(folder, "upload"), mebibytes, random);
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
        files.add(tasks.submit(() -> write(fs, file, FILE_MIB, own) + all(fs, file, MIB)));
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

  static long random(FileSystem fs, Path folder, long count, Random random) throws IOException {
    Path file = object(folder);
    long length = fs.getFileStatus(file).getLen();
    byte[] buffer = new byte[RANDOM_BYTES];
    try (FSDataInputStream in = fs.open(file)) {
      for (long i = 0; i < count; i++) {
        in.readFully(random.nextLong(length - RANDOM_BYTES), buffer);
      }
    }
    return count * RANDOM_BYTES;
  }

  static long skips(FileSystem fs, Path folder, long count, Random random) throws IOException {
    Path file = object(folder);
    long length = fs.getFileStatus(file).getLen();
    byte[] buffer = new byte[SKIP_BYTES];
    long at = 0;
    try (FSDataInputStream in = fs.open(file)) {
      for (long i = 0; i < count; i++) {
        in.seek(at);
        in.readFully(buffer);
        at += SKIP_BYTES + random.nextInt(LEAST_GAP, MOST_GAP);
        if (at + SKIP_BYTES > length) {
          throw new IOException(
              count + " skips need more than the " + length + " bytes of " + file);
        }
      }
    }
    return count * SKIP_BYTES;
  }

  static long footers(FileSystem fs, Path folder, long count, Random random) throws IOException {
    long bytes = 0;
    for (long i = 0; i < count; i++) {
      bytes += columns(fs, file(folder, i), i % 2 == 0, random);
    }
    return bytes;
  }

  static long scan(FileSystem fs, Path folder, long count, Random random) throws IOException {
    long bytes = 0;
    for (long i = 0; i < count; i++) {
      bytes += all(fs, object(folder), SCAN_BYTES);
    }
    return bytes;
  }

  static long vectored(FileSystem fs, Path folder, long count, Random random)
      throws IOException, InterruptedException, ExecutionException {
    Path file = object(folder);
    long length = fs.getFileStatus(file).getLen();
    try (FSDataInputStream in = fs.open(file)) {
      for (long i = 0; i < count; i++) {
        long at = random.nextLong(length - RANGES * (long) RANGE_DISTANCE);
        List<FileRange> ranges = new ArrayList<>();
        for (int range = 0; range < RANGES; range++) {
          ranges.add(FileRange.createFileRange(at + range * (long) RANGE_DISTANCE, RANGE_BYTES));
        }
        in.readVectored(ranges, ByteBuffer::allocate);
        for (FileRange range : ranges) {
          int got = range.getData().get().remaining();
          if (got != RANGE_BYTES) {
            throw new IOException("a range of " + RANGE_BYTES + " bytes gave " + got);
          }
        }
      }
    }
    return count * RANGES * RANGE_BYTES;
  }

  static long queries(FileSystem fs, Path folder, long count, Random random) throws IOException {
    long bytes = 0;
    for (long i = 0; i < count; i++) {
      Path file = file(folder, i);
      bytes += i % ONE_IN == 0 ? text(fs, file) : columns(fs, file, i % 2 == 0, random);
    }
    return bytes;
  }

  /**
   * The end, the footer before it, then columns in their order.
   *
   * @param oneStream whether by one stream, as ORC's reader does it and Parquet's own, or by one
   *     for the footer and another for the columns, as Spark does it with Parquet
   */
  private static long columns(FileSystem fs, Path file, boolean oneStream, Random random)
      throws IOException {
    long length = fs.getFileStatus(file).getLen();
    long stripe = (length - FOOTER_BYTES - TAIL_BYTES) / COLUMNS;
    long bytes = TAIL_BYTES + FOOTER_BYTES;
    byte[] buffer = new byte[MOST_COLUMN];
    FSDataInputStream in = fs.open(file);
    try {
      in.seek(length - TAIL_BYTES);
      in.readFully(buffer, 0, TAIL_BYTES);
      in.seek(length - TAIL_BYTES - FOOTER_BYTES);
      in.readFully(buffer, 0, FOOTER_BYTES);
      if (!oneStream) {
        in.close();
        in = fs.open(file);
      }
      for (int column = 0; column < COLUMNS; column++) {
        int size = random.nextInt(LEAST_COLUMN, MOST_COLUMN);
        in.seek(column * stripe);
        in.readFully(buffer, 0, size);
        bytes += size;
      }
    } finally {
      in.close();
    }
    return bytes;
  }

  static long all(FileSystem fs, Path file, int bufferBytes) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return all(in, bufferBytes);
    }
  }

  /** The same with what Hadoop's reader of lines hands to a file that it opens. */
  private static long text(FileSystem fs, Path file) throws IOException {
    FutureDataInputStreamBuilder builder = fs.openFile(file);
    FutureIO.propagateOptions(
        builder,
        fs.getConf(),
        MRJobConfig.INPUT_FILE_OPTION_PREFIX,
        MRJobConfig.INPUT_FILE_MANDATORY_PREFIX);
    try (FSDataInputStream in = FutureIO.awaitFuture(builder.build())) {
      return all(in, TEXT_BYTES);
    }
  }

  private static long all(FSDataInputStream in, int bufferBytes) throws IOException {
    byte[] buffer = new byte[bufferBytes];
    long bytes = 0;
    int read;
    while ((read = in.read(buffer, 0, buffer.length)) >= 0) {
      bytes += read;
    }
    return bytes;
  }
}
