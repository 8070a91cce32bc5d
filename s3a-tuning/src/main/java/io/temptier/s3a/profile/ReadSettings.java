// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.Immutable;
import java.util.List;

/** How files are read: which stream, by which policy, and how far it reads ahead. */
final class ReadSettings {
  static final String STREAM = "fs.s3a.input.stream.type";
  static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  static final String READAHEAD = "fs.s3a.readahead.range";

  /** Which policy readers of text ask for, whatever the file system's own. */
  static final String TEXT = "mapreduce.job.input.file.option.fs.option.openfile.read.policy";

  private static final Source READS = Source.measured("Reads");
  private static final Source FIGURE_7 = Source.document("figure 7");

  private static final Setting CLASSIC =
      Setting.of(
          STREAM,
          "classic",
          "The two properties below are for the classic stream. From Hadoop 3.4.3 on the default is"
              + " the analytics stream, which knows no readahead and, of the policies, only"
              + " sequential: 1409 ms for 200 random reads where the classic stream's default took"
              + " 579 ms. It also missed that an object was overwritten while it read.",
          "What the analytics stream prefetches of Parquet files; it was made for AWS. Against the"
              + " classic stream's default it was faster over gaps (2373 against 17100 ms) and"
              + " footers (208 against 229 ms), slower in random reads and full scans (1026 against"
              + " 493 ms).",
          READS,
          Source.hadoop("StreamIntegration.DEFAULT_STREAM_TYPE, AnalyticsStream"));

  private ReadSettings() {}

  /**
   * The settings for a workload.
   *
   * @param versions all that are to read them
   */
  static List<Setting> of(Workload workload, List<HadoopVersion> versions) {
    switch (workload) {
      case COLUMNAR:
        return Immutable.listOf(
            CLASSIC,
            columnarPolicy(),
            columnarReadahead(),
            columnarText(),
            vectoredSeek(),
            vectoredMerge());
      case SCAN:
        return Immutable.listOf(CLASSIC, scanPolicy(), scanReadahead());
      case MIXED:
        return Immutable.listOf(
            CLASSIC,
            mixedPolicy(),
            versions.stream().allMatch(ReadSettings::readsByClassic)
                ? mixedReadaheadOverClassic()
                : mixedReadahead());
      case SHUFFLE_FREE_WRITE:
        return Immutable.listOf();
      case DOCUMENT:
        return Immutable.listOf(CLASSIC, documentPolicy(), documentReadahead());
      default:
        throw new AssertionError(workload);
    }
  }

  /** Whether the classic stream is its default, or all it has. */
  private static boolean readsByClassic(HadoopVersion version) {
    return version.defaultOf(STREAM).orElse(CLASSIC.value()).equals(CLASSIC.value());
  }

  private static Setting columnarPolicy() {
    return Setting.of(
        FADVISE,
        "random",
        "Each read asks for its own range, and the connection is kept. 200 random reads took 655 ms"
            + " instead of 6257 ms with sequential; footers and columns 109 ms instead of 1609 ms,"
            + " and 229 ms with 3.4.2's default, 208 ms with 3.4.3's.",
        "A full scan takes 2.8 times as long, 1398 ms instead of 493 ms: give such jobs the scan"
            + " profile, or open their files with fs.option.openfile.read.policy=whole-file.",
        READS,
        FIGURE_7);
  }

  private static Setting columnarReadahead() {
    return Setting.of(
        READAHEAD,
        "64K",
        "The least that a random read fetches. With random, 1M was slower than 64K in all but the"
            + " full scan: 851 against 655 ms for random reads, 166 against 109 ms for footers and"
            + " columns, 1196 against 1115 ms for skips. Set because 1024K is often copied.",
        "The paper measured 1024K on gateways over slow HDDs. If yours are, compare with workload"
            + " document.",
        READS);
  }

  private static Setting columnarText() {
    return Setting.of(
        TEXT,
        "sequential",
        "Text files are read in order among the columns, too: Hadoop's reader of lines, which Spark"
            + " and Hive use as well, hands this policy to each file it opens. Readers of ORC and"
            + " Parquet open theirs without it and keep random.",
        "Nothing else hears of it: other formats that are read from end to end need the scan"
            + " profile or a policy of their own.",
        READS,
        Source.hadoop("LineRecordReader.initialize, MRJobConfig.INPUT_FILE_OPTION_PREFIX"));
  }

  private static Setting vectoredSeek() {
    return Setting.of(
        "fs.s3a.vectored.read.min.seek.size",
        "128K",
        "Ranges of a vectored read that are closer than this are fetched by one request. Hadoop's"
            + " default since 3.4.2, set because files of older ones say 4K, by which nearly every"
            + " column is a request of its own.",
        "Up to 128 KiB between two ranges read for nothing.",
        Source.hadoop("Constants.DEFAULT_AWS_S3_VECTOR_READS_MIN_SEEK_SIZE, VectoredReadUtils"));
  }

  private static Setting vectoredMerge() {
    return Setting.of(
        "fs.s3a.vectored.read.max.merged.size",
        "2M",
        "The most that ranges are merged into. Hadoop's default since 3.4.2, set for the same"
            + " reason: older files say 1M.",
        "As much memory for each request under way, of which an open file has 4.",
        Source.hadoop("Constants.DEFAULT_AWS_S3_VECTOR_READS_MAX_MERGED_READ_SIZE"));
  }

  private static Setting scanPolicy() {
    return Setting.of(
        FADVISE,
        "sequential",
        "One request to the end of the file, whatever the reader does. Under normal the first seek"
            + " backward turns the rest of the file to random, in which a scan took 1398 ms instead"
            + " of 493 ms.",
        "Readers that jump pay for it: 6342 ms for 200 random reads, 1405 ms for footers and"
            + " columns (918 and 167 ms under mixed).",
        READS,
        Source.hadoop("S3AInputStream.calculateRequestLimit"));
  }

  private static Setting scanReadahead() {
    return Setting.of(
        READAHEAD,
        "1M",
        "Gaps up to this size are read over; larger ones end the request, which costs the gateway"
            + " about 30 ms. 566 gaps of 100 to 900 KB took 590 ms instead of 17700 ms.",
        "Up to 1 MiB read for nothing at a gap or a close. The full scan itself took 498 ms instead"
            + " of 493 ms.",
        READS,
        FIGURE_7);
  }

  private static Setting mixedPolicy() {
    return Setting.of(
        FADVISE,
        "normal",
        "Sequential until a reader seeks backward, random from then on: neither scans (502 ms) nor"
            + " footers (167 ms) get the other's policy.",
        "The first request of a columnar reader goes to the end of its file and is given up.",
        READS,
        Source.hadoop("S3AInputStream.seekInStream"));
  }

  /** Where the classic stream is the default it must not lose to itself with 64K. */
  private static Setting mixedReadaheadOverClassic() {
    return Setting.of(
        READAHEAD,
        "256K",
        "As far as random reads lose nothing: a request fetches at least this much. Columns of 64"
            + " to 512 KiB fetched 28.9 MiB for 26.9 MiB that were wanted, with 1M 61.5 MiB; random"
            + " reads of half a megabyte fetch what they want, with 1M they took 1.6 times as"
            + " long.",
        "Wider gaps still end the request: with 1M 566 gaps of 100 to 900 KB took 588 ms instead of"
            + " 17100 ms. Where readers skip, set 1M.",
        READS,
        Source.hadoop("S3AInputStream.calculateRequestLimit, seekInStream"));
  }

  private static Setting mixedReadahead() {
    return Setting.of(
        READAHEAD,
        "1M",
        "What matters most where gaps are: 566 of 100 to 900 KB took 588 ms instead of 17100 ms."
            + " Footers and columns took 167 ms instead of 229 ms (3.4.2's default) and 208 ms"
            + " (3.4.3's).",
        "200 random reads of half a megabyte took 918 ms: 1.6 times 3.4.2's default (579 ms), for"
            + " which alone 256K is set, and 0.65 times 3.4.3's (1409 ms). Where those prevail,"
            + " take columnar.",
        READS,
        FIGURE_7);
  }

  private static Setting documentPolicy() {
    return Setting.of(
        FADVISE,
        "random",
        "The paper's setting: with the readahead below 54 queries took 2659 s instead of 8267 s"
            + " with sequential and 64K.",
        "A full scan took 1358 ms instead of 493 ms.",
        FIGURE_7,
        READS);
  }

  private static Setting documentReadahead() {
    return Setting.of(
        READAHEAD,
        "1024K",
        "The paper's setting, measured there on gateways over HDDs.",
        "With random, slower than 64K on the gateway we measured: 851 against 655 ms for random"
            + " reads, 166 against 109 ms for footers and columns.",
        FIGURE_7,
        READS);
  }
}
