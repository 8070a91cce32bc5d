// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import java.io.IOException;
import java.util.List;
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

/**
 * Whether the magic committer works, by a job of one task that writes one byte: it must be held
 * back unseen until the job commits, and be there then.
 */
final class MagicCommitterCheck {
  private static final String NAME = "part-0";
  private static final byte[] WRITTEN = {1};

  private MagicCommitterCheck() {}

  static List<Finding> check(StoreSession session) throws IOException {
    BucketSettings settings = session.settings();
    if (!settings.value(S3aKey.COMMITTER).equals("magic")
        || !settings.conf().getBoolean(S3aKey.MAGIC, true)) {
      return List.of();
    }
    Path out = session.scratch("out");
    JobConf conf = new JobConf(session.fs().getConf());
    conf.set(FileOutputFormat.OUTDIR, out.toString());
    // Committers take S3A from Hadoop's cache: there it must be ours, and gone afterwards.
    try (FileSystem fs = FileSystem.get(out.toUri(), conf)) {
      TaskAttemptContext task =
          new TaskAttemptContextImpl(conf, new TaskAttemptID("doctor", 1, TaskType.MAP, 0, 0));
      String wrong = run(session, fs, out, task);
      String remedy = "Take the directory committer: temptier s3a profile --committer directory.";
      return wrong.isEmpty() ? List.of() : settings.error(S3aKey.COMMITTER, wrong, remedy);
    }
  }

  /** What went wrong without an exception; empty when nothing did. */
  private static String run(StoreSession session, FileSystem fs, Path out, TaskAttemptContext task)
      throws IOException {
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
}
