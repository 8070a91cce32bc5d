// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Sizes;
import io.temptier.tier.lang.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
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
import org.apache.hadoop.util.functional.FutureIO;
import org.apache.hadoop.util.functional.RemoteIterators;

/** Whether jobs can do with the store what they are made of: open, read, commit, move much. */
final class JobChecks {
  private static final int CHUNK = 1 << 20;
  private static final int MOST_LISTED = 1_000;
  private static final String NAME = "part-0";
  private static final byte[] WRITTEN = {1};

  private static final int LISTED_FILES = 7;
  private static final String PAGE = "3";
  private static final int REPLACED_BYTES = 3 << 20;

  /** Hadoop's {@code Options.CreateFileOptionKeys}, and S3A's that has one byte be a part. */
  private static final String CONDITION = "fs.option.create.conditional.overwrite";

  private static final String IN_PARTS = "fs.s3a.create.multipart";

  private JobChecks() {}

  /** Whether S3A can be made with these settings, and what it does only when it is used. */
  static List<Finding> open(StoreSession session) throws IOException {
    boolean ours = session.fs() instanceof S3AFileSystem;
    String other = session.fs().getClass().getName();
    return Troubles.unless(ours, "open.other", session.settings(), other);
  }

  /** Whether the first file below the path can be read, as much of it as a byte. */
  static List<Finding> first(StoreSession session) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> files = session.fs().listFiles(session.root(), true);
      for (int i = 0; i < MOST_LISTED && files.hasNext(); i++) {
        FileStatus file = files.next();
        if (file.getLen() > 0) {
          try (FSDataInputStream in = session.fs().open(file.getPath())) {
            in.readFully(0, new byte[1]);
          }
          return Immutable.listOf();
        }
      }
    } catch (FileNotFoundException e) {
      // Nothing is there yet.
    }
    return Immutable.listOf();
  }

  /** Whether S3A issues the delegation token that a job submits, where it is set to. */
  static List<Finding> token(StoreSession session) throws IOException {
    Object token = session.fs().getDelegationToken("yarn");
    return Troubles.unlessAbout(token != null, "token.none", session.settings());
  }

  /**
   * Whether the job's committer works, by a job of one task that writes one byte. What an S3A
   * committer's task writes must be unseen until the job commits, and be there then.
   */
  static List<Finding> commit(StoreSession session) throws IOException {
    Path out = session.scratch("out");
    JobConf conf = new JobConf(session.fs().getConf());
    conf.set(FileOutputFormat.OUTDIR, out.toString());
    // Committers take S3A from Hadoop's cache: there it must be ours, and gone afterwards.
    try (FileSystem fs = FileSystem.get(out.toUri(), conf)) {
      TaskAttemptContext task =
          new TaskAttemptContextImpl(conf, new TaskAttemptID("doctor", 1, TaskType.MAP, 0, 0));
      String wrong = commit(fs, out, task);
      return Troubles.unlessAbout(wrong.isEmpty(), "commit.wrong", session.settings(), wrong);
    }
  }

  /** What went wrong without an exception; empty when nothing did. */
  private static String commit(FileSystem fs, Path out, TaskAttemptContext task)
      throws IOException {
    PathOutputCommitter committer = PathOutputCommitterFactory.createCommitter(out, task);
    committer.setupJob(task);
    committer.setupTask(task);
    Path written = new Path(committer.getWorkPath(), NAME);
    FileUtil.write(written.getFileSystem(task.getConfiguration()), written, WRITTEN);
    committer.commitTask(task);
    Path seen = new Path(out, NAME);
    if (committer instanceof AbstractS3ACommitter && fs.exists(seen)) {
      return "What a task wrote is seen before its job commits.";
    }
    committer.commitJob(task);
    return fs.exists(seen) && fs.getFileStatus(seen).getLen() == WRITTEN.length
        ? ""
        : "What a task wrote is not there after its job has committed.";
  }

  /** How fast one stream writes and reads a file of so many bytes. */
  static List<Finding> bandwidth(StoreSession session, long bytes) throws IOException {
    Path file = session.scratch("bandwidth");
    byte[] chunk = new byte[CHUNK];
    // What does not compress on its way.
    new Random(1).nextBytes(chunk);
    FileSystem fs = session.fs();
    long begin = System.nanoTime();
    session.write(file, chunk, bytes);
    long written = System.nanoTime();
    try (FSDataInputStream in =
        FutureIO.awaitFuture(
            fs.openFile(file).opt("fs.option.openfile.read.policy", "whole-file").build())) {
      for (long left = bytes; left > 0; left -= CHUNK) {
        in.readFully(chunk, 0, (int) Math.min(CHUNK, left));
      }
    }
    long read = System.nanoTime();
    return Troubles.named(
        "bandwidth",
        session.settings(),
        Sizes.format(bytes)
            + " written at "
            + perSecond(bytes, written - begin)
            + ", read at "
            + perSecond(bytes, read - written));
  }

  private static String perSecond(long bytes, long nanos) {
    return Sizes.format((long) (bytes * 1e9 / Math.max(1, nanos))) + "/s";
  }

  /**
   * Whether an object of 0 bytes can be made, as mkdirs, empty files and committers do. Ceph's
   * gateway refuses it as S3A signs by default.
   */
  static List<Finding> empty(StoreSession session) throws IOException {
    FileUtil.write(session.fs(), session.scratch("empty"), new byte[0]);
    return Immutable.listOf();
  }

  /**
   * Whether what is written can be read back at once, under an odd name: its end first, which a
   * cache that heeds no range gets wrong, and what is written over it, which other caches miss.
   */
  static List<Finding> readBack(StoreSession session) throws IOException {
    Path file = session.scratch("a b+c%20=\u00e9");
    boolean same = true;
    for (String text :
        Immutable.listOf("written by temptier s3a doctor", "changed by temptier s3a doctor")) {
      byte[] written = text.getBytes(StandardCharsets.UTF_8);
      FileUtil.write(session.fs(), file, written);
      byte[] read = new byte[written.length];
      try (FSDataInputStream in = session.fs().open(file)) {
        in.readFully(1, read, 1, read.length - 1);
        in.readFully(0, read, 0, 1);
      }
      same &= Arrays.equals(written, read);
    }
    return right(same, session, "data", file.getName());
  }

  private static List<Finding> wrong(StoreSession session, String row, String what) {
    return right(false, session, row, what);
  }

  /** Whether it is as it should be; a finding where it is not. */
  private static List<Finding> right(boolean is, StoreSession session, String row, String what) {
    return Troubles.unless(is, "wrong." + row, session.settings(), what);
  }

  /** Whether a local file can be copied to the store, which S3A does by a client of its own. */
  static List<Finding> fromLocal(StoreSession session) throws IOException {
    java.nio.file.Path local = Files.createTempFile("temptier-doctor", ".txt");
    try {
      Files.write(local, "copied by temptier s3a doctor\n".getBytes(StandardCharsets.UTF_8));
      session
          .fs()
          .copyFromLocalFile(
              false, true, new Path(local.toUri()), session.scratch("copied-from-local"));
      return Immutable.listOf();
    } finally {
      Files.delete(local);
    }
  }

  /** Whether the store copies an object, as renames do. */
  static List<Finding> rename(StoreSession session) throws IOException {
    Path from = session.scratch("renamed a+b");
    Path to = session.scratch("renamed c");
    FileUtil.write(session.fs(), from, new byte[] {1, 2});
    boolean done =
        session.fs().rename(from, to)
            && session.fs().getFileStatus(to).getLen() == 2
            && !session.fs().exists(from);
    return right(done, session, "rename", to.getName());
  }

  /** Whether lists come page by page, whole and in order. */
  static List<Finding> pages(StoreSession session) throws IOException {
    Path folder = session.scratch("list");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < LISTED_FILES; i++) {
      expected.add("file-" + i);
      FileUtil.write(session.fs(), new Path(folder, "file-" + i), new byte[] {1});
    }
    List<String> listed;
    try (FileSystem small = session.with(Immutable.mapOf("fs.s3a.paging.maximum", PAGE))) {
      listed = names(small, folder);
    }
    return right(listed.equals(expected), session, "list", String.join(", ", listed));
  }

  private static List<String> names(FileSystem fs, Path folder) throws IOException {
    return RemoteIterators.toList(
        RemoteIterators.mappingRemoteIterator(
            fs.listStatusIterator(folder), file -> file.getPath().getName()));
  }

  /** Whether what is listed can be deleted, and in requests as large as the job's. */
  static List<Finding> delete(StoreSession session) throws IOException {
    Path folder = session.scratch("list");
    FileSystem fs = session.fs();
    boolean unused = fs.delete(folder, true);
    List<String> left = fs.exists(folder) ? names(fs, folder) : Immutable.listOf();
    if (!left.isEmpty()) {
      return wrong(session, "delete", String.join(", ", left));
    }
    try (BulkDelete page = fs.createBulkDelete(folder)) {
      List<Path> names = new ArrayList<>();
      for (int i = 0; i < page.pageSize(); i++) {
        names.add(new Path(folder, "not-there-" + i));
      }
      List<String> errors =
          page.bulkDelete(names).stream().map(Map.Entry::getValue).collect(Collectors.toList());
      return errors.isEmpty() ? Immutable.listOf() : wrong(session, "delete", errors.get(0));
    }
  }

  /** Whether files larger than a part arrive whole, in parts as the job's. */
  static List<Finding> parts(StoreSession session) throws IOException {
    BucketSettings settings = session.settings();
    long part = SettingsChecks.partBytes(settings);
    Path file = session.scratch("parts");
    session.write(file, new byte[CHUNK], part + 1);
    long length = session.fs().getFileStatus(file).getLen();
    if (length != part + 1) {
      return wrong(session, "parts", length + " bytes");
    }
    return Troubles.unlessAbout(
        !StoreSession.outgrowsHeap(settings.conf()), "buffer.heap", settings);
  }

  /**
   * Whether the store makes an object only if it is not there yet, when S3A asks for that: by one
   * request, and in parts, of which only the last request has the condition.
   */
  static List<Finding> conditional(StoreSession session) throws IOException {
    if (!session.fs().hasPathCapability(session.scratch(), CONDITION)) {
      return Immutable.listOf();
    }
    boolean small = isMadeOnce(session, session.scratch("conditional"), false);
    boolean large = isMadeOnce(session, session.scratch("conditional-parts"), true);
    String row = small ? "condition.parts" : "condition.none";
    return Troubles.unlessAbout(small && large, row, session.settings());
  }

  /** Whether the second of two writers is refused, and for that reason. */
  private static boolean isMadeOnce(StoreSession session, Path file, boolean parts)
      throws IOException {
    create(session, file, parts);
    try {
      create(session, file, parts);
      return false;
    } catch (IOException e) {
      if (Troubles.of("condition", Failure.of(e), session.settings()).isPresent()) {
        throw e;
      }
      return true;
    }
  }

  private static void create(StoreSession session, Path file, boolean parts) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = session.fs().createFile(file).overwrite(true);
    builder.must(CONDITION, true);
    builder.opt(IN_PARTS, parts);
    try (FSDataOutputStream out = builder.build()) {
      out.write(1);
    }
  }

  /** Whether a reader hears of it when its file is replaced while it reads. */
  static List<Finding> overwrite(StoreSession session) throws IOException {
    Path file = session.scratch("replaced");
    FileSystem fs = session.fs();
    byte[] bytes = new byte[REPLACED_BYTES];
    FileUtil.write(fs, file, bytes);
    FileStatus status = fs.getFileStatus(file);
    if (!(status instanceof EtagSource) || ((EtagSource) status).getEtag() == null) {
      return wrong(session, "etag", "none");
    }
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, new byte[1]);
      Arrays.fill(bytes, (byte) 1);
      FileUtil.write(fs, file, bytes);
      in.readFully(REPLACED_BYTES - 1, new byte[1]);
      in.readFully(REPLACED_BYTES / 2, new byte[1]);
    } catch (IOException e) {
      if (Troubles.of("replace", Failure.of(e), session.settings()).isPresent()) {
        throw e;
      }
      // As it should be.
      return Immutable.listOf();
    }
    boolean off =
        session.settings().value("fs.s3a.change.detection.mode").matches("none|warn|client");
    return Troubles.about(off ? "replaced.mode" : "replaced.stream", session.settings());
  }
}
