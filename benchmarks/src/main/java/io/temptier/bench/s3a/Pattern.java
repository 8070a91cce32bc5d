// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.s3a.client.Work;
import java.util.Arrays;
import java.util.List;

/** A way to use the store. */
enum Pattern {
  RANDOM("random", Work.RANDOM, 60, 8, "reads of 512 KiB at random places of one object"),
  SKIPS("skips", Work.SKIPS, 100, 12, "reads of 64 KiB, each 100 to 900 KiB behind the last"),
  FOOTERS(
      "footers",
      Work.FOOTERS,
      16,
      3,
      "files' end, footer, 6 columns of 64 to 512 KiB; half by two streams, as Spark does"),
  SCAN("scan", Work.SCAN, 1, 1, "time the whole object"),
  PARQUET(
      "parquet", Work.PARQUET, 1, 1, "times 3 of 12 columns of a Parquet file, by its own reader"),
  VECTORED("vectored", Work.VECTORED, 20, 3, "times 8 ranges of 256 KiB at once, 1 MiB apart"),
  QUERIES(
      "queries",
      Work.QUERIES,
      54,
      6,
      "queries: 5 of 6 as footers, the sixth a file of 16 MiB in order"),
  UPLOAD("upload", Work.UPLOAD, 256, 16, "MiB written to one file"),
  TERAGEN(
      "teragen", Work.TERAGEN, 1_500_000, 20_000, "rows by Hadoop's TeraGen, 8 maps, 2 at once");

  private final String label;
  private final Work work;
  private final long count;
  private final long quickCount;
  private final String words;

  Pattern(String label, Work work, long count, long quickCount, String words) {
    this.label = label;
    this.work = work;
    this.count = count;
    this.quickCount = quickCount;
    this.words = words;
  }

  /** The patterns that read what is there. */
  static List<Pattern> reads() {
    return Arrays.stream(values()).filter(pattern -> pattern.compareTo(UPLOAD) < 0).toList();
  }

  /** Its name on the command line. */
  String label() {
    return label;
  }

  /** What an arm is asked for. */
  Work work() {
    return work;
  }

  /** How much of it; {@link #words} says of what. */
  long count(boolean quick) {
    return quick ? quickCount : count;
  }

  /** What it is, after the count. */
  String words() {
    return words;
  }
}
