// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.task.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.Progress;
import org.jspecify.annotations.NullMarked;

/**
 * Hadoop's own fetchers and scheduler of a reduce task, with memory in place of merges. It lives in
 * their package because most of what has to be put together is package-private.
 */
@NullMarked
public final class ReduceFetch {
  private static final int FETCHERS = 3;

  private final Map<String, byte[]> segments = new ConcurrentHashMap<>();
  private final AtomicInteger backOffs = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final JobConf conf;
  private final TaskAttemptID reduceId;
  private final SecretKey key;

  /**
   * A reduce task.
   *
   * @param key what its requests are signed with
   */
  public ReduceFetch(JobConf conf, JobID job, int reduce, SecretKey key) {
    this.conf = conf;
    this.reduceId =
        new TaskAttemptID(job.getJtIdentifier(), job.getId(), TaskType.REDUCE, reduce, 0);
    this.key = key;
  }

  /**
   * Fetches the reduce's partition of every map.
   *
   * @param node URL of the node they all ran on
   * @param maps one attempt of each map of the job
   * @return the bytes by attempt, decrypted where the job is encrypted
   * @throws IOException when the fetchers give up
   */
  public Map<String, byte[]> fetch(String node, List<String> maps)
      throws IOException, InterruptedException {
    conf.setNumMapTasks(maps.size());
    Scheduler scheduler = new Scheduler();
    List<Fetcher<Text, BytesWritable>> fetchers = new ArrayList<>();
    try {
      for (String map : maps) {
        TaskAttemptID attempt = TaskAttemptID.forName(map);
        scheduler.resolve(
            new TaskCompletionEvent(
                0, attempt, 0, true, TaskCompletionEvent.Status.SUCCEEDED, node));
      }
      for (int i = 0; i < FETCHERS; i++) {
        fetchers.add(
            new Fetcher<>(
                conf,
                reduceId,
                scheduler,
                new Memory(),
                Reporter.NULL,
                ShuffleClientMetrics.create(reduceId, conf),
                failure::set,
                key));
        fetchers.get(i).start();
      }
      while (!scheduler.waitUntilDone(50) && failure.get() == null) {
        // Both are asked again.
      }
    } finally {
      for (Fetcher<?, ?> fetcher : fetchers) {
        fetcher.shutDown();
      }
      scheduler.close();
    }
    if (failure.get() != null) {
      throw new IOException("fetching failed", failure.get());
    }
    return segments;
  }

  /** Stock's, counting the back-offs. */
  private final class Scheduler extends ShuffleSchedulerImpl<Text, BytesWritable> {
    Scheduler() {
      super(
          conf,
          new ReduceStatus(),
          reduceId,
          failure::set,
          new Progress(),
          new Counter(),
          new Counter(),
          new Counter());
    }

    @Override
    void penalize(MapHost host, long delayMillis) {
      backOffs.incrementAndGet();
      super.penalize(host, delayMillis);
    }
  }

  private static final class ReduceStatus extends TaskStatus {
    @Override
    public boolean getIsMap() {
      return false;
    }

    @Override
    public void addFetchFailedMap(TaskAttemptID map) {}
  }

  /** Keeps what is fetched. */
  private final class Memory implements MergeManager<Text, BytesWritable> {
    @Override
    public void waitForResource() {}

    @Override
    public MapOutput<Text, BytesWritable> reserve(
        org.apache.hadoop.mapreduce.TaskAttemptID map, long bytes, int fetcher) {
      return new InMemory(map, bytes);
    }

    @Override
    public RawKeyValueIterator close() {
      throw new UnsupportedOperationException();
    }
  }

  private final class InMemory extends MapOutput<Text, BytesWritable> {
    private byte[] bytes = new byte[0];

    InMemory(org.apache.hadoop.mapreduce.TaskAttemptID map, long size) {
      super(map, size, true);
    }

    @Override
    public void shuffle(
        MapHost host,
        InputStream in,
        long compressedLength,
        long decompressedLength,
        ShuffleClientMetrics metrics,
        Reporter reporter)
        throws IOException {
      bytes = in.readNBytes((int) compressedLength);
      if (bytes.length < compressedLength) {
        throw new IOException("got " + bytes.length + " of " + compressedLength + " bytes");
      }
    }

    @Override
    public void commit() {
      segments.put(getMapId().toString(), bytes);
    }

    @Override
    public void abort() {}

    @Override
    public String getDescription() {
      return "memory";
    }
  }
}
