// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.temptier.shuffle.MapOutputs.Output;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.task.reduce.ReduceFetch;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Hadoop's own fetchers get what map tasks wrote. */
abstract class FetcherContract extends ShuffleContract {
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

  /** What the handler serves begins with what is needed to decrypt it, and is bytes to it. */
  @Test
  void encryptedSpills() throws Exception {
    ShuffleServer server = start();
    ShuffleJob job = server.startJob("alice", 1);
    JobConf conf = PlainLocalFileSystem.use(new JobConf());
    conf.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
    Credentials credentials = new Credentials();
    TokenCache.setEncryptedSpillKey(new byte[16], credentials);
    UserGroupInformation user = UserGroupInformation.createRemoteUser(job.user());
    user.addCredentials(credentials);
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              Output plain = server.outputs().write(job, job.attempt(0), 0, 50_000, 10);
              Output encrypted = server.outputs().write(conf, job, job.attempt(0), 0, 50_000, 10);
              assertNotEquals(plain.segment(0), encrypted.segment(0));
              for (int reduce = 0; reduce < 2; reduce++) {
                assertEquals(
                    List.of(encrypted.segment(reduce)),
                    server.fetch(job, reduce, List.of(encrypted.attempt())).segments());
                assertEquals(
                    segments(List.of(plain), reduce),
                    fetch(conf, "http", server, job, reduce, List.of(encrypted)));
              }
              return null;
            });
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
        .fetch(
            scheme + "://localhost:" + server.port(),
            outputs.stream().map(Output::attempt).toList())
        .forEach((map, bytes) -> fetched.put(map, ByteBuffer.wrap(bytes)));
    return fetched;
  }
}
