// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.temptier.fixtures.Needs.NeedsCeph;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two jobs of the magic committer that write into one folder at a time, on a real gateway. */
@NeedsCeph
class TwoJobsIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  private static final String ABORTS = "fs.s3a.committer.abort.pending.uploads";

  /** A job of one task, which has written one byte and committed it. */
  private record Job(PathOutputCommitter committer, TaskAttemptContext task) {
    static Job of(Map<String, String> settings, Path out, int number) throws IOException {
      JobConf conf = new JobConf();
      settings.forEach(conf::set);
      conf.set(FileOutputFormat.OUTDIR, out.toString());
      TaskAttemptID id = new TaskAttemptID("two", number, TaskType.MAP, 0, 0);
      TaskAttemptContext task = new TaskAttemptContextImpl(conf, id);
      PathOutputCommitter committer = PathOutputCommitterFactory.createCommitter(out, task);
      committer.setupJob(task);
      committer.setupTask(task);
      Path file = new Path(committer.getWorkPath(), "part-" + number);
      FileUtil.write(file.getFileSystem(conf), file, new byte[1]);
      committer.commitTask(task);
      return new Job(committer, task);
    }

    void commit() throws IOException {
      committer.commitJob(task);
    }
  }

  /** Committers take theirs from Hadoop's cache, where the next test would find it. */
  @AfterEach
  void forget() throws IOException {
    FileSystem.closeAll();
  }

  @Test
  void bothKeepTheirOutputByTheProfilesAndNotByHadoopsDefault() throws IOException {
    Path kept = new Path("s3a://bucket/kept");
    Job first = Job.of(SOUND.with(), kept, 1);
    Job second = Job.of(SOUND.with(), kept, 2);
    first.commit();
    second.commit();
    try (FileSystem fs = FileSystem.newInstance(kept.toUri(), first.task().getConfiguration())) {
      // And _SUCCESS.
      assertEquals(3, fs.listStatus(kept).length);
    }
    Map<String, String> stock = SOUND.with(ABORTS, "true", "fs.s3a.retry.limit", "1");
    Path lost = new Path("s3a://bucket/lost");
    FileSystem.closeAll();
    Job winner = Job.of(stock, lost, 3);
    Job loser = Job.of(stock, lost, 4);
    winner.commit();
    assertThrows(IOException.class, loser::commit);
  }
}
