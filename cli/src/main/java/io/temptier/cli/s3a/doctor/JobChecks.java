// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.s3a.doctor.StoreTroubles.Failure;
import io.temptier.tier.lang.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.s3a.commit.AbstractS3ACommitter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * Checks that the store does what jobs need: open, read, commit, move much. What goes wrong without
 * an exception gets one here, whose text the table of troubles knows.
 */
final class JobChecks {
  private static final int MOST_LISTED = 1_000;
  private static final String NAME = "part-0";
  private static final byte[] WRITTEN = {1};

  private static final String THRESHOLD = "fs.s3a.multipart.threshold";

  /** The least that S3 takes for a part: signing a job's two or three takes a busy CPU seconds. */
  private static final long SMALL_BYTES = 5 << 20;

  private static final long LATE_MILLIS = 2_000;
  private static final int LISTED_FILES = 7;
  private static final String PAGE = "3";
  private static final int REPLACED_BYTES = 3 << 20;

  /** Hadoop's {@code Options.CreateFileOptionKeys}, and S3A's that has one byte be a part. */
  private static final String CONDITION = "fs.option.create.conditional.overwrite";

  private static final String IN_PARTS = "fs.s3a.create.multipart";

  private JobChecks() {}

  private static void need(boolean right, String wrong, Object what) throws IOException {
    if (!right) {
      throw new IOException(wrong + ": " + what);
    }
  }

  /** Checks that S3A can be made with these settings. */
  static void open(StoreSession session) throws IOException {
    FileSystem fs = session.fs();
    need(fs instanceof S3AFileSystem, "is not S3A", fs.getClass().getName());
  }

  /** Reads the first byte of the first file below the path. */
  static void first(StoreSession session) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> files = session.fs().listFiles(session.root(), true);
      for (int i = 0; i < MOST_LISTED && files.hasNext(); i++) {
        FileStatus file = files.next();
        if (file.getLen() > 0) {
          try (FSDataInputStream in = session.fs().open(file.getPath())) {
            in.readFully(0, new byte[1]);
          }
          return;
        }
      }
    } catch (FileNotFoundException e) {
      // Nothing is there yet.
    }
  }

  /** Checks that S3A issues the delegation token that a job submits, where it is set to. */
  static void token(StoreSession session) throws IOException {
    if (session.fs().getDelegationToken("yarn") == null) {
      session.found("token.none");
    }
  }

  /**
   * Checks the job's committer by a job of one task that writes one byte. What an S3A committer's
   * task writes must be unseen until the job commits, and be there then.
   */
  static void commit(StoreSession session) throws IOException {
    Path out = session.scratch("out");
    JobConf conf = new JobConf(session.fs().getConf());
    conf.set(FileOutputFormat.OUTDIR, out.toString());
    // Committers take S3A from Hadoop's cache: there it must be ours, and gone afterwards.
    try (FileSystem fs = FileSystem.get(out.toUri(), conf)) {
      TaskAttemptContext task =
          new TaskAttemptContextImpl(conf, new TaskAttemptID("doctor", 1, TaskType.MAP, 0, 0));
      PathOutputCommitter committer = PathOutputCommitterFactory.createCommitter(out, task);
      committer.setupJob(task);
      committer.setupTask(task);
      Path written = new Path(committer.getWorkPath(), NAME);
      FileUtil.write(written.getFileSystem(conf), written, WRITTEN);
      committer.commitTask(task);
      Path seen = new Path(out, NAME);
      boolean early = committer instanceof AbstractS3ACommitter && fs.exists(seen);
      need(!early, "what a task wrote is seen before its job commits", seen);
      committer.commitJob(task);
      boolean there = fs.exists(seen) && fs.getFileStatus(seen).getLen() == WRITTEN.length;
      need(there, "what a task wrote is not there after its job has committed", seen);
    }
  }

  /**
   * Makes an object of 0 bytes, as mkdirs, empty files and committers do. Ceph's gateway refuses it
   * as S3A signs by default.
   */
  static void empty(StoreSession session) throws IOException {
    need(session.fs().mkdirs(session.scratch()), "not made", session.scratch());
    FileUtil.write(session.fs(), session.scratch("empty"), new byte[0]);
  }

  /**
   * Reads a file back at once, under an odd name: its end first, which a cache that heeds no range
   * gets wrong; then overwrites it, which other caches miss.
   */
  static void readBack(StoreSession session) throws IOException {
    Path file = session.scratch("a b+c%20=\u00e9");
    for (String text :
        Immutable.listOf("written by temptier s3a doctor", "changed by temptier s3a doctor")) {
      byte[] written = text.getBytes(StandardCharsets.UTF_8);
      FileUtil.write(session.fs(), file, written);
      byte[] read = new byte[written.length];
      try (FSDataInputStream in = session.fs().open(file)) {
        in.readFully(1, read, 1, read.length - 1);
        in.readFully(0, read, 0, 1);
      }
      need(Arrays.equals(written, read), "not what was written", file.getName());
    }
    FileStatus status = session.fs().getFileStatus(file);
    boolean etag = status instanceof EtagSource && ((EtagSource) status).getEtag() != null;
    need(etag, "without ETag", file.getName());
  }

  /** Copies a local file to the store, which S3A does by a client of its own. */
  static void fromLocal(StoreSession session) throws IOException {
    java.nio.file.Path local = Files.createTempFile("temptier-doctor", ".txt");
    try {
      Files.write(local, WRITTEN);
      Path to = session.scratch("copied-from-local");
      session.fs().copyFromLocalFile(false, true, new Path(local.toUri()), to);
    } finally {
      Files.delete(local);
    }
  }

  /** Makes the store copy an object, as renames do. */
  static void rename(StoreSession session) throws IOException {
    Path from = session.scratch("renamed a+b");
    Path to = session.scratch("renamed c");
    FileSystem fs = session.fs();
    FileUtil.write(fs, from, WRITTEN);
    boolean done =
        fs.rename(from, to) && fs.getFileStatus(to).getLen() == WRITTEN.length && !fs.exists(from);
    need(done, "not as renamed", to.getName());
  }

  /** Checks that lists come page by page, whole and in order. */
  static void pages(StoreSession session) throws IOException, InterruptedException {
    Path folder = session.scratch("list");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < LISTED_FILES; i++) {
      expected.add("file-" + i);
      FileUtil.write(session.fs(), new Path(folder, "file-" + i), WRITTEN);
    }
    try (FileSystem small = session.with(Immutable.mapOf("fs.s3a.paging.maximum", PAGE))) {
      need(lists(session, small, folder, expected), "not the whole list", names(small, folder));
    }
  }

  /** True if names are listed as expected, at once or after a while, which is reported. */
  private static boolean lists(
      StoreSession session, FileSystem fs, Path folder, List<String> expected)
      throws IOException, InterruptedException {
    List<String> listed = names(fs, folder);
    if (listed.equals(expected)) {
      return true;
    }
    Thread.sleep(LATE_MILLIS);
    boolean late = names(fs, folder).equals(expected);
    if (late) {
      session.saw("list.late", listed + " instead of " + expected);
    }
    return late;
  }

  private static List<String> names(FileSystem fs, Path folder) throws IOException {
    try {
      return RemoteIterators.toList(
          RemoteIterators.mappingRemoteIterator(
              fs.listStatusIterator(folder), file -> file.getPath().getName()));
    } catch (FileNotFoundException e) {
      return Immutable.listOf();
    }
  }

  /** Deletes what was listed, and asks for deletions in requests as large as the job's. */
  static void delete(StoreSession session) throws IOException, InterruptedException {
    Path folder = session.scratch("list");
    FileSystem fs = session.fs();
    boolean unused = fs.delete(folder, true);
    need(lists(session, fs, folder, Immutable.listOf()), "not deleted", folder);
    try (BulkDelete page = fs.createBulkDelete(folder)) {
      List<Path> names = new ArrayList<>();
      for (int i = 0; i < page.pageSize(); i++) {
        names.add(new Path(folder, "not-there-" + i));
      }
      for (Map.Entry<Path, String> refused : page.bulkDelete(names)) {
        throw new IOException("not deleted: " + refused.getValue());
      }
    }
  }

  /**
   * Writes a part as large as the job's; and three of the smallest, under the name that a put
   * begins with, which the store then copies part by part, as renames of large files do.
   */
  static void parts(StoreSession session) throws IOException {
    long part = session.settings.partBytes();
    write(session.fs(), session.scratch("parts"), part + 1);
    try {
      copy(session, SMALL_BYTES);
    } catch (IOException e) {
      if (!new Failure(e).code.equals("EntityTooSmall")) {
        throw e;
      }
      // The gateway's least is above S3's; that of the job may do.
      copy(session, part);
    }
    if (session.outgrowsHeap()) {
      session.found("buffer.heap");
    }
  }

  private static void copy(StoreSession session, long part) throws IOException {
    String size = String.valueOf(part);
    Path from = session.scratch("parts._COPYING_");
    Path to = session.scratch("parts-copied");
    try (FileSystem fs =
        session.with(Immutable.mapOf(BucketSettings.PART_SIZE, size, THRESHOLD, size))) {
      write(fs, from, 2 * part + 1);
      need(fs.rename(from, to), "not as renamed", to.getName());
      long length = fs.getFileStatus(to).getLen();
      need(length == 2 * part + 1, "not the length", length);
    }
  }

  private static void write(FileSystem fs, Path file, long bytes) throws IOException {
    byte[] chunk = new byte[1 << 20];
    try (FSDataOutputStream out = fs.create(file, true)) {
      for (long left = bytes; left > 0; left -= chunk.length) {
        out.write(chunk, 0, (int) Math.min(chunk.length, left));
      }
    }
    long length = fs.getFileStatus(file).getLen();
    need(length == bytes, "not the length", length);
  }

  /**
   * Checks that the store makes an object only if it is not there yet, when S3A asks for that: by
   * one request, and in parts, of which only the last request has the condition.
   */
  static void conditional(StoreSession session) throws IOException {
    if (session.fs().hasPathCapability(session.scratch(), CONDITION)) {
      boolean small = isMadeOnce(session, session.scratch("conditional"), false);
      boolean large = isMadeOnce(session, session.scratch("conditional-parts"), true);
      if (!small || !large) {
        session.found(small ? "condition.parts" : "condition.none");
      }
    }
  }

  /** True if the second of two writers is refused, and for that reason. */
  private static boolean isMadeOnce(StoreSession session, Path file, boolean parts)
      throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = session.fs().createFile(file).overwrite(true);
    builder.must(CONDITION, true).opt(IN_PARTS, parts);
    write(builder);
    try {
      write(builder);
      return false;
    } catch (IOException e) {
      session.rethrowKnown("condition", e);
      return true;
    }
  }

  private static void write(FSDataOutputStreamBuilder<?, ?> builder) throws IOException {
    try (FSDataOutputStream out = builder.build()) {
      out.write(1);
    }
  }

  /** Checks that a reader hears of it when its file is replaced while it reads. */
  static void overwrite(StoreSession session) throws IOException {
    Path file = session.scratch("replaced");
    FileSystem fs = session.fs();
    byte[] bytes = new byte[REPLACED_BYTES];
    FileUtil.write(fs, file, bytes);
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, new byte[1]);
      Arrays.fill(bytes, (byte) 1);
      FileUtil.write(fs, file, bytes);
      in.readFully(REPLACED_BYTES - 1, new byte[1]);
      in.readFully(REPLACED_BYTES / 2, new byte[1]);
      String mode = session.settings.value("fs.s3a.change.detection.mode");
      boolean prefetch = session.fs().getConf().getBoolean(BucketSettings.PREFETCH, false);
      session.found(
          mode.matches("none|warn|client")
              ? "replaced.mode"
              : prefetch ? "replaced.prefetch" : "replaced.stream");
    } catch (IOException e) {
      // Else it is as it should be.
      session.rethrowKnown("replace", e);
    }
  }
}
