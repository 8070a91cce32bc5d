// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.shuffle.MapOutputs.Output;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.task.reduce.ReduceFetch;
import org.junit.jupiter.api.Test;

/** Hadoop's own fetchers get what map tasks wrote. */
final class FetcherTest extends ShuffleContract {
  @Test
  void plain() throws Exception {
    ShuffleServer server = start();
    ShuffleJob job = server.startJob("alice", 1);
    List<Output> outputs = server.outputs().write(job, 50, 300, 0, 70_000);
    for (int reduce = 0; reduce < 3; reduce++) {
      assertEquals(
          segments(outputs, reduce), fetch(new JobConf(), "http", server, job, reduce, outputs));
    }
  }

  @Test
  void overTls() throws Exception {
    TestKeys keys = TestKeys.shared();
    ShuffleServer server = keys.onClassPath(() -> start(keys.settings(true)));
    ShuffleJob job = server.startJob("alice", 1);
    List<Output> outputs = server.outputs().write(job, 30, 300, 70_000);
    JobConf conf = new JobConf();
    keys.settings(true).forEach(conf::set);
    assertEquals(
        segments(outputs, 1),
        keys.onClassPath(() -> fetch(conf, "https", server, job, 1, outputs)));
  }

  private static Map<String, ByteBuffer> segments(List<Output> outputs, int reduce) {
    Map<String, ByteBuffer> segments = new HashMap<>();
    outputs.forEach(output -> segments.put(output.attempt(), output.segment(reduce).bytes()));
    return segments;
  }

  private static Map<String, ByteBuffer> fetch(
      JobConf conf,
      String scheme,
      ShuffleServer server,
      ShuffleJob job,
      int reduce,
      List<Output> outputs)
      throws Exception {
    Map<String, ByteBuffer> fetched = new HashMap<>();
    new ReduceFetch(conf, job.id(), reduce, job.key())
        .fetch(scheme + "://localhost:" + server.port(), MapOutputs.attempts(outputs))
        .forEach((map, bytes) -> fetched.put(map, ByteBuffer.wrap(bytes)));
    return fetched;
  }
}
