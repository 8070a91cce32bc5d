// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Sizes;
import io.temptier.tier.lang.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
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

/** Whether jobs can do with the store what they are made of: open, read, commit, move much. */
final class JobChecks {
  private static final int CHUNK = 1 << 20;
  private static final int MOST_LISTED = 1_000;
  private static final String NAME = "part-0";
  private static final byte[] WRITTEN = {1};

  private JobChecks() {}

  /** Whether S3A can be made with these settings, and what it does only when it is used. */
  static List<Finding> open(StoreSession session) throws IOException {
    boolean ours = session.fs() instanceof S3AFileSystem;
    return ours
        ? Immutable.listOf()
        : Troubles.named("open.other", session.settings(), session.fs().getClass().getName());
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
    return token == null ? Troubles.about("token.none", session.settings()) : Immutable.listOf();
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
      String wrong = commit(session, fs, out, task);
      return wrong.isEmpty()
          ? Immutable.listOf()
          : Troubles.about("commit.wrong", session.settings(), wrong);
    }
  }

  /** What went wrong without an exception; empty when nothing did. */
  private static String commit(
      StoreSession session, FileSystem fs, Path out, TaskAttemptContext task) throws IOException {
    PathOutputCommitter committer = PathOutputCommitterFactory.createCommitter(out, task);
    committer.setupJob(task);
    committer.setupTask(task);
    Path written = new Path(committer.getWorkPath(), NAME);
    session.write(written.getFileSystem(task.getConfiguration()), written, WRITTEN);
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
    try (FSDataOutputStream out = fs.create(file, true)) {
      for (long left = bytes; left > 0; left -= CHUNK) {
        out.write(chunk, 0, (int) Math.min(CHUNK, left));
      }
    }
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
}
