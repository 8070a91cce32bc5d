// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** All that a client can be asked for: to make and remove data, and the patterns to measure. */
public enum Work {
  /** Makes the object that is read; count is its megabytes. */
  OBJECT(Data::makeObject),

  /** Makes the files of 16 megabytes that are opened; count is how many. */
  FILES(Data::makeFiles),

  /** Makes the Parquet file that is read; count is its rows. */
  TABLE(ParquetTable::make),

  /** Makes the ORC file that is read; count is its rows. */
  ORC_TABLE(OrcTable::make),

  RANDOM(Reads::random, 60, 8, "reads of 512 KiB at random places of one object"),
  SKIPS(Reads::skips, 100, 12, "reads of 64 KiB, each 100 to 900 KiB behind the last"),
  FOOTERS(
      Reads::footers,
      16,
      3,
      "files' end, footer, 6 columns of 64 to 512 KiB; half by two streams, as Spark does"),
  SCAN(Reads::scan, 1, 1, "time the whole object"),
  PARQUET(ParquetTable::read, 1, 1, "times 3 of 12 columns of a Parquet file, by its own reader"),
  ORC(OrcTable::read, 1, 1, "times 3 of 12 columns of an ORC file, by its own reader"),
  VECTORED(Reads::vectored, 20, 3, "times 8 ranges of 256 KiB at once, 1 MiB apart"),
  QUERIES(Reads::queries, 54, 6, "queries: 5 of 6 as footers, the sixth a file of 16 MiB in order"),
  GATEWAYS(Data::together, 24, 4, "files of 16 MiB, each written and read by one of 8 threads"),
  UPLOAD(Data::upload, 256, 16, "MiB written to one file"),
  TERAGEN(TeraGenJob::run, 1_500_000, 20_000, "rows by Hadoop's TeraGen, 8 maps, 2 at once"),
  REMOVE(Data::remove);

  private final Task task;
  private final long count;
  private final long quickCount;
  private final String words;

  Work(Task task) {
    this(task, 0, 0, "");
  }

  Work(Task task, long count, long quickCount, String words) {
    this.task = task;
    this.count = count;
    this.quickCount = quickCount;
    this.words = words;
  }

  /** The patterns: what is measured. */
  public static List<Work> patterns() {
    return Arrays.stream(values()).filter(work -> work.count > 0).toList();
  }

  public static List<Work> reads() {
    return patterns().stream().filter(work -> work.compareTo(GATEWAYS) < 0).toList();
  }

  public static Work of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How much of a pattern is measured at a time; {@link #words} says of what. */
  public long count(boolean quick) {
    return quick ? quickCount : count;
  }

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
}
