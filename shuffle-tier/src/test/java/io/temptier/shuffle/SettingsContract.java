// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;
import org.apache.hadoop.mapred.ShuffleHandlerInternals.Counts;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

/**
 * Every setting of Hadoop's handler: what it changes, and that the bytes stay the same. Keep-alive
 * and the limit of connections have a part of the contract of their own, and so has TLS. Which jobs
 * a handler knows: until they end, and after a restart, whichever handler it is then.
 */
abstract class SettingsContract extends ShuffleContract {
  private static final String PREFIX = "mapreduce.shuffle.";

  /** Where a Hadoop version brings another one, somebody has to look whether it is honoured. */
  @Test
  void theseAreAll() throws IllegalAccessException {
    Set<String> keys = new TreeSet<>();
    for (Field field : ShuffleHandler.class.getFields()) {
      if (field.getType() == String.class
          && field.get(null) instanceof String key
          && key.startsWith(PREFIX)) {
        keys.add(key.substring(PREFIX.length()));
      }
    }
    String known =
        """
        connection-keep-alive.enable connection-keep-alive.timeout listen.queue.size
        manage.os.cache mapoutput-info.meta.cache.size max.connections max.session-open-files
        max.threads pathcache.concurrency-level pathcache.expire-after-access-minutes
        pathcache.max-weight port readahead.bytes ssl.file.buffer.size transfer.buffer.size
        transferTo.allowed\
        """;
    assertEquals(known.replace('\n', ' '), String.join(" ", keys));
  }

  @Test
  void noneChangesTheBytes() throws IOException {
    List<Map<String, String>> settings =
        List.of(
            Map.of(
                ShuffleHandler.SHUFFLE_MANAGE_OS_CACHE, "false",
                ShuffleHandler.SHUFFLE_READAHEAD_BYTES, "0",
                ShuffleHandler.SHUFFLE_LISTEN_QUEUE_SIZE, "1",
                ShuffleHandler.MAX_SHUFFLE_THREADS, "1",
                ShuffleHandler.SHUFFLE_MAX_SESSION_OPEN_FILES, "1",
                ShuffleHandler.SHUFFLE_MAPOUTPUT_META_INFO_CACHE_SIZE, "1",
                ShuffleHandler.EXPIRE_AFTER_ACCESS_MINUTES, "0",
                ShuffleHandler.CONCURRENCY_LEVEL, "1",
                MRJobConfig.SHUFFLE_INDEX_CACHE, "0"),
            Map.of(
                ShuffleHandler.SHUFFLE_READAHEAD_BYTES, "1",
                ShuffleHandler.SHUFFLE_LISTEN_QUEUE_SIZE, "1000",
                ShuffleHandler.MAX_SHUFFLE_THREADS, "16",
                ShuffleHandler.SHUFFLE_MAX_SESSION_OPEN_FILES, "100",
                ShuffleHandler.SHUFFLE_MAPOUTPUT_META_INFO_CACHE_SIZE, "0",
                ShuffleHandler.MAX_WEIGHT, "0"));
    for (Map<String, String> some : settings) {
      assertServes(start(some));
    }
  }

  @Test
  void withoutTransferTo() throws IOException {
    for (String buffer : List.of("131072", "1000")) {
      ShuffleServer server =
          start(
              Map.of(
                  ShuffleHandler.SHUFFLE_TRANSFERTO_ALLOWED,
                  "false",
                  ShuffleHandler.SHUFFLE_BUFFER_SIZE,
                  buffer));
      // Stock sends a segment again and again then.
      if (tiered) {
        assertServes(server);
      }
    }
  }

  @Test
  void openFilesPerRequest() throws IOException {
    for (int limit : new int[] {1, 3}) {
      ShuffleServer server =
          start(Map.of(ShuffleHandler.SHUFFLE_MAX_SESSION_OPEN_FILES, Integer.toString(limit)));
      ShuffleJob job = server.startJob("alice", limit);
      List<Output> outputs = server.outputs().write(job, 10, 3 << 20);
      Path watched = folder.toRealPath();
      try (RawHttp http = server.connect(1 << 16)) {
        http.send(server.request(job, 0, outputs));
        http.readHead();
        Eventually.holds("a file is open", () -> !OpenFiles.below(watched).isEmpty());
        while (http.read(1 << 18).length > 0) {
          // What has been sent is closed by its lane, a moment later.
          Eventually.holds(
              "no more than " + limit + " files are open",
              () -> OpenFiles.below(watched).size() <= limit);
        }
      }
    }
  }

  @Test
  void counters() throws IOException {
    ShuffleServer server = start();
    ShuffleJob job = server.startJob("alice", 1);
    Output output = server.outputs().write(job, 1, 5000, 16 << 20).get(0);
    long bytes = 0;
    for (int fetches = 1; fetches <= 3; fetches++) {
      server.fetch(job, 0, List.of(output.attempt()));
      bytes += output.segment(0).compressedLength();
      assertCounts(server, new Counts(bytes, fetches, 0, 0));
    }
    server.fetch(job, 9, List.of(output.attempt()));
    server.fetch(server.startJob("bob", 2), 0, List.of(output.attempt()));
    assertCounts(server, new Counts(bytes, 3, 0, 0));
    try (RawHttp http = server.connect(1 << 14)) {
      http.send(server.request(job, 1, List.of(output, output)));
      http.readHead();
      // A map's are counted as soon as its first is sent.
      bytes += output.segment(1).compressedLength();
      assertCounts(server, new Counts(bytes, 3, 0, 1));
      http.abort();
    }
    // Stock counts one as begun for each of its maps, and as ended once.
    int failed = tiered ? 1 : 0;
    assertCounts(server, new Counts(bytes, 3, failed, 1 - failed));
  }

  private static void assertCounts(ShuffleServer server, Counts expected) {
    Eventually.holds(
        expected.toString(),
        () -> expected.equals(ShuffleHandlerInternals.counts(server.handler())));
  }

  private static void assertServes(ShuffleServer server) throws IOException {
    ShuffleJob job = server.startJob("alice", 1);
    List<Output> outputs = server.outputs().write(job, 5, 100, 0, 300_000);
    for (int reduce = 0; reduce < 3; reduce++) {
      server.assertServes(job, reduce, outputs);
    }
  }

  @Test
  void withoutRecoveryNothingIsKnown() throws IOException {
    ShuffleJob job;
    try (ShuffleServer server = ShuffleServer.start(handler(tiered), folder, null, Map.of())) {
      job = server.startJob("alice", 1);
      assertKnown(server, job);
    }
    assertUnknown(start(), job);
  }

  /** Switching over and back needs no drain. */
  @Test
  void fromStockAndBackToIt() throws IOException {
    List<ShuffleJob> known = new ArrayList<>();
    int number = 1;
    Path state = Files.createDirectories(folder.resolve("state"));
    for (boolean ours : new boolean[] {false, tiered, false, tiered}) {
      try (ShuffleServer server = ShuffleServer.start(handler(ours), folder, state, Map.of())) {
        assertKnown(server, known.toArray(ShuffleJob[]::new));
        known.add(server.startJob("alice", number++));
        ShuffleJob ended = server.startJob("bob", number++);
        server.endJob(ended);
        if (known.size() > 2) {
          server.endJob(known.remove(0));
        }
        assertKnown(server, known.toArray(ShuffleJob[]::new));
        assertUnknown(server, ended);
      }
    }
  }

  private static void assertKnown(ShuffleServer server, ShuffleJob... jobs) throws IOException {
    for (ShuffleJob job : jobs) {
      Output output = server.outputs().write(job, job.attempt(0), 0, 500);
      server.assertServes(job, 0, List.of(output));
    }
  }

  private static void assertUnknown(ShuffleServer server, ShuffleJob job) throws IOException {
    Output output = server.outputs().write(job, job.attempt(0), 0, 500);
    RawHttp.Response response = server.fetch(job, 0, List.of(output.attempt()));
    assertEquals(401, response.status());
    assertFalse(response.text().contains(MapOutputs.MARKER));
  }
}
