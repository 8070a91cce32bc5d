// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * How far it pays to read on instead of giving a request up: the classic stream gives up when it
 * seeks further than its readahead, and reads to there otherwise. Both are timed over the same
 * seeks.
 */
final class SeekCostCheck implements StoreCheck {
  private static final String CLASSIC = "classic";

  /** Hadoop's {@code Options.OpenFileOptions}. */
  private static final String POLICY = "fs.option.openfile.read.policy";

  private static final int BYTES = 8 << 20;
  private static final int SEEKS = 8;
  private static final int GAP = BYTES / SEEKS;
  private static final long LEAST = 64L << 10;
  private static final long MOST = 8L << 20;
  private static final double WORTH_A_WORD = 2;

  @Override
  public Topic topic() {
    return Topic.READS;
  }

  @Override
  public String question() {
    return "time seeks that give up against seeks that read on";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    Path file = visit.scratch("seeks");
    visit.write(visit.fs(), file, new byte[BYTES]);
    if (StreamCheck.stream(visit.subject()).equals(CLASSIC)) {
      return List.of(measured(visit.subject(), visit.fs(), file));
    }
    try (FileSystem fs = visit.with(Map.of(Keys.STREAM, CLASSIC))) {
      return List.of(measured(visit.subject(), fs, file));
    }
  }

  private static Finding measured(Subject subject, FileSystem fs, Path file) throws IOException {
    // The first time connections are made.
    double unused = secondsPerSeek(fs, file, 1);
    double giveUp = secondsPerSeek(fs, file, 1);
    double readOn = secondsPerSeek(fs, file, BYTES);
    return finding(subject, giveUp, readOn);
  }

  private static double secondsPerSeek(FileSystem fs, Path file, int readahead) throws IOException {
    FutureDataInputStreamBuilder builder = fs.openFile(file);
    builder.opt(POLICY, "sequential");
    try (FSDataInputStream in = FutureIO.awaitFuture(builder.build())) {
      in.setReadahead((long) readahead);
      int read = in.read();
      long begin = System.nanoTime();
      for (long position = GAP; read >= 0 && position < BYTES; position += GAP) {
        in.seek(position);
        read = in.read();
      }
      return (System.nanoTime() - begin) / 1e9 / (SEEKS - 1);
    }
  }

  /**
   * What the times mean.
   *
   * @param giveUp seconds for a seek over a gap when the request is given up
   * @param readOn seconds for the same seek when the gap is read
   */
  static Finding finding(Subject subject, double giveUp, double readOn) {
    long pays = rounded(giveUp / Math.max(readOn, 1e-9) * GAP);
    long set = subject.conf().getLongBytes(Keys.READAHEAD, LEAST);
    double off = Math.max((double) pays / set, (double) set / pays);
    boolean used = StreamCheck.stream(subject).equals(CLASSIC);
    return subject.finding(
        off > WORTH_A_WORD && used ? Severity.WARNING : Severity.INFO,
        Keys.READAHEAD,
        String.format(
            Locale.ROOT,
            "A seek that gives its request up takes %.1f ms; reading on over %s takes %.1f ms. So"
                + " reading on pays up to about %s.",
            giveUp * 1e3,
            Sizes.format(GAP),
            readOn * 1e3,
            Sizes.format(pays)),
        off > WORTH_A_WORD
            ? "For readers that skip (not for columnar ones, which read by the random policy): "
                + Paste.into(Subject.CORE_SITE, Keys.READAHEAD, text(pays))
            : "It is set about right.");
  }

  /** To a power of two, within what S3A has a use for. */
  private static long rounded(double bytes) {
    double within = Math.max(LEAST, Math.min(MOST, bytes));
    return 1L << Math.round(Math.log(within) / Math.log(2));
  }

  private static String text(long bytes) {
    return bytes >= 1 << 20 ? (bytes >> 20) + "M" : (bytes >> 10) + "K";
  }
}
