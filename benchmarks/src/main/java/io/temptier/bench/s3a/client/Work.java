// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** All that a client can be asked for: to make and remove data, and the patterns to measure. */
public enum Work {
  /** Makes the object that is read; count is its megabytes. */
  OBJECT(Patterns::makeObject),

  /** Makes the files of 16 megabytes that are opened; count is how many. */
  FILES(Patterns::makeFiles),

  /** Makes the Parquet file that is read; count is its rows. */
  TABLE(ColumnTable::makeParquet),

  /** Makes the ORC file that is read; count is its rows. */
  ORC_TABLE(ColumnTable::makeOrc),

  RANDOM(Patterns::random, "reads of 512 KiB at random places of one object"),
  SKIPS(Patterns::skips, "reads of 64 KiB, each 100 to 900 KiB behind the last"),
  FOOTERS(
      Patterns::footers,
      "files' end, footer, 6 columns of 64 to 512 KiB; half by two streams, as Spark does"),
  SCAN(Patterns::scan, "time the whole object"),
  PARQUET(ColumnTable::readParquet, "times 3 of 12 columns of a Parquet file, by its own reader"),
  ORC(ColumnTable::readOrc, "times 3 of 12 columns of an ORC file, by its own reader"),
  VECTORED(Patterns::vectored, "times 8 ranges of 256 KiB at once, 1 MiB apart"),
  QUERIES(Patterns::queries, "queries: 5 of 6 as footers, the sixth a file of 16 MiB in order"),
  GATEWAYS(Patterns::together, "files of 16 MiB, each written and read by one of 8 threads"),
  UPLOAD(Patterns::upload, "MiB written to one file"),
  TERAGEN(TeraGenJob::run, "rows by Hadoop's TeraGen, 8 maps, 2 at once"),
  REMOVE(Patterns::remove);

  private final Task task;
  private final String words;

  Work(Task task) {
    this(task, "");
  }

  Work(Task task, String words) {
    this.task = task;
    this.words = words;
  }

  public static List<Work> reads() {
    return List.copyOf(EnumSet.range(RANDOM, QUERIES));
  }

  public static Work of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What is counted of a pattern; empty when it is none. */
  public String words() {
    return words;
  }

  /**
   * Does it.
   *
   * @return the bytes that were wanted: read, or written
   * @throws Exception when it fails, or what it read is wrong
   */
  long run(FileSystem fs, Path folder, long howMuch, Random random) throws Exception {
    return task.run(fs, folder, howMuch, random);
  }

  private interface Task {
    long run(FileSystem fs, Path folder, long count, Random random) throws Exception;
  }

  /**
   * Hadoop's TeraGen, in this JVM by the local job runner, with the committer that is configured.
   */
  private static final class TeraGenJob {
    private static final int ROW_BYTES = 100;
    private static final String FILE = "file";

    static long run(FileSystem fs, Path folder, long rows, Random random) throws Exception {
      Path output = new Path(folder, "teragen-" + System.nanoTime());
      Tool program =
          Class.forName("org.apache.hadoop.examples.terasort.TeraGen")
              .asSubclass(Tool.class)
              .getDeclaredConstructor()
              .newInstance();
      int code =
          ToolRunner.run(
              new Configuration(fs.getConf()),
              program,
              new String[] {Long.toString(rows), output.toString()});
      if (code != 0) {
        throw new IOException("TeraGen ended with " + code);
      }
      long bytes = 0;
      for (FileStatus file : fs.listStatus(output)) {
        if (file.getPath().getName().startsWith("part-")) {
          bytes += file.getLen();
        }
      }
      if (bytes != rows * ROW_BYTES) {
        throw new IOException(output + " has " + bytes + " bytes of " + rows * ROW_BYTES);
      }
      requireCommitter(fs, new Path(output, "_SUCCESS"));
      return bytes;
    }

    /** S3A's committers write what they did into the file that Hadoop's own leaves empty. */
    private static void requireCommitter(FileSystem fs, Path success) throws IOException {
      String committer = fs.getConf().get("fs.s3a.committer.name", FILE);
      long length = fs.getFileStatus(success).getLen();
      if (committer.equals(FILE) != (length == 0)) {
        throw new IOException(
            "%s has %s bytes: another committer than %s wrote it"
                .formatted(success, length, committer));
      }
    }
  }
}
