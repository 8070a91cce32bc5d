// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Immutable;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.functional.FutureIO;

/** Whether jobs can do with the store what they are made of: commit, and move much at a time. */
final class JobChecks {
  private static final int CHUNK = 1 << 20;
  private static final String NAME = "part-0";
  private static final byte[] WRITTEN = {1};

  private JobChecks() {}

  /**
   * Whether the magic committer works, by a job of one task that writes one byte: it must be held
   * back unseen until the job commits, and be there then.
   */
  static List<Finding> magicCommitter(StoreSession session) throws IOException {
    BucketSettings settings = session.settings();
    if (!settings.value(S3aKey.COMMITTER).equals("magic")
        || !settings.conf().getBoolean(S3aKey.MAGIC, true)) {
      return Immutable.listOf();
    }
    Path out = session.scratch("out");
    JobConf conf = new JobConf(session.fs().getConf());
    conf.set(FileOutputFormat.OUTDIR, out.toString());
    // Committers take S3A from Hadoop's cache: there it must be ours, and gone afterwards.
    try (FileSystem fs = FileSystem.get(out.toUri(), conf)) {
      TaskAttemptContext task =
          new TaskAttemptContextImpl(conf, new TaskAttemptID("doctor", 1, TaskType.MAP, 0, 0));
      String wrong = commit(session, fs, out, task);
      String remedy = "Take the directory committer: temptier s3a profile --committer directory.";
      return wrong.isEmpty() ? Immutable.listOf() : settings.error(S3aKey.COMMITTER, wrong, remedy);
    }
  }

  /** What went wrong without an exception; empty when nothing did. */
  private static String commit(
      StoreSession session, FileSystem fs, Path out, TaskAttemptContext task) throws IOException {
    PathOutputCommitter committer = PathOutputCommitterFactory.createCommitter(out, task);
    committer.setupJob(task);
    committer.setupTask(task);
    Path written = new Path(committer.getWorkPath(), NAME);
    session.write(fs, written, WRITTEN);
    boolean pending = fs.exists(written.suffix(".pending"));
    committer.commitTask(task);
    Path seen = new Path(out, NAME);
    if (fs.exists(seen)) {
      return "What a task wrote is seen before its job commits.";
    }
    committer.commitJob(task);
    if (!pending) {
      return "What a task wrote is not held back for its job, by " + committer + ".";
    }
    return fs.exists(seen) && fs.getFileStatus(seen).getLen() == WRITTEN.length
        ? ""
        : "What a task wrote is not there after its job has committed.";
  }

  /** How fast one stream writes and reads a file of so many bytes, with parts as they are set. */
  static List<Finding> bandwidth(StoreSession session, long bytes) throws IOException {
    BucketSettings settings = session.settings();
    Path file = session.scratch("bandwidth");
    byte[] chunk = new byte[CHUNK];
    // What does not compress on its way.
    new Random(1).nextBytes(chunk);
    try (FileSystem fs =
        session.with(Immutable.mapOf(S3aKey.PART_SIZE, settings.value(S3aKey.PART_SIZE)))) {
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
      return Immutable.listOf(
          Finding.info(
              "bandwidth",
              String.format(
                  "%s written at %s/s, read at %s/s",
                  Sizes.format(bytes),
                  Sizes.format(perSecond(bytes, written - begin)),
                  Sizes.format(perSecond(bytes, read - written))),
              "measured by one stream",
              "What one stream of a task gets at most. The store may have read it from memory.",
              "Compare with the network and the disks, and with several gateways."));
    }
  }

  private static long perSecond(long bytes, long nanos) {
    return (long) (bytes * 1e9 / Math.max(1, nanos));
  }
}
