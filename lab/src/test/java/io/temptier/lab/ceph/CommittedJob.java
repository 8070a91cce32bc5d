// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** A job that only writes and commits, by the committer that its configuration names. */
final class CommittedJob {
  private final JobConf conf;
  private final Path out;
  private final TaskAttemptContext context;
  private final PathOutputCommitter committer;

  /**
   * A job.
   *
   * @param out where its output goes
   */
  CommittedJob(Configuration conf, Path out) throws IOException {
    this.conf = new JobConf(conf);
    this.conf.set(FileOutputFormat.OUTDIR, out.toString());
    this.out = out;
    this.context = context(0);
    this.committer = PathOutputCommitterFactory.createCommitter(out, context);
  }

  void begin() throws IOException {
    committer.setupJob(context);
  }

  /** Writes {@code part-NUMBER}, and commits the task or gives it up. */
  void task(int number, byte[] bytes, boolean commit) throws IOException {
    TaskAttemptContext task = context(number);
    PathOutputCommitter ofTask = PathOutputCommitterFactory.createCommitter(out, task);
    ofTask.setupTask(task);
    Path file = new Path(ofTask.getWorkPath(), "part-" + number);
    try (FSDataOutputStream stream = file.getFileSystem(conf).create(file, true)) {
      stream.write(bytes);
    }
    if (commit) {
      ofTask.commitTask(task);
    } else {
      ofTask.abortTask(task);
    }
  }

  void commit() throws IOException {
    committer.commitJob(context);
  }

  void abort() throws IOException {
    committer.abortJob(context, JobStatus.State.KILLED);
  }

  private TaskAttemptContext context(int number) {
    return new TaskAttemptContextImpl(
        conf, new TaskAttemptID("contract", 1, TaskType.MAP, number, 0));
  }
}
