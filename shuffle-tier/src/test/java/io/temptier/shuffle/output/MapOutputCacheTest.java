// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.ShuffleJob;
import io.temptier.shuffle.segment.TestLanes;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapOutputCacheTest {
  @TempDir private Path folder;

  private final ShuffleJob job = new ShuffleJob("alice", 1);
  @AutoClose private TestLanes lanes;
  private MapOutputs outputs;
  private MapOutputCache cache;

  @BeforeEach
  void start() throws IOException {
    lanes = new TestLanes(folder, Medium.NVME, Medium.DISK);
    outputs = new MapOutputs(lanes.dirs());
    cache = lanes.cache(1 << 20);
  }

  private MapOutput find(MapOutputId id) throws Exception {
    return cache.find(id).get(5, TimeUnit.MINUTES);
  }

  @Test
  void whatIsKnownIsToldAtOnce() throws Exception {
    MapOutputId id = job.idOf(outputs.write(job, job.attempt(0), 0, 100));
    MapOutput first = find(id);
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    CompletableFuture<MapOutput> second = cache.find(id);
    assertTrue(second.isDone(), "went to the disk again");
    assertSame(first, second.get());
    hanging.countDown();
  }

  @Test
  void itIsLookedForOnceHoweverManyAsk() throws Exception {
    MapOutputId id = job.idOf(outputs.write(job, job.attempt(0), 0, 100));
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    CompletableFuture<MapOutput> first = cache.find(id);
    CompletableFuture<MapOutput> second = cache.find(id);
    hanging.countDown();
    assertSame(first.get(5, TimeUnit.MINUTES), second.get(5, TimeUnit.MINUTES));
  }

  @Test
  void aSearchThatWasForgottenMeanwhileIsNotKept() throws Exception {
    MapOutputId id = job.idOf(outputs.write(job, job.attempt(0), 0, 100));
    CountDownLatch hanging = lanes.hang(Medium.NVME);
    CompletableFuture<MapOutput> early = cache.find(id);
    cache.forget(id);
    CompletableFuture<MapOutput> late = cache.find(id);
    hanging.countDown();
    MapOutput before = early.get(5, TimeUnit.MINUTES);
    MapOutput after = late.get(5, TimeUnit.MINUTES);
    assertNotSame(before, after);
    assertSame(after, find(id), "the search begun after it is kept");
  }

  @Test
  void applicationsAreForgottenOneByOne() throws Exception {
    ShuffleJob other = new ShuffleJob("alice", 2);
    MapOutputId mine = job.idOf(outputs.write(job, job.attempt(0), 0, 100));
    MapOutputId others = other.idOf(outputs.write(other, other.attempt(0), 0, 100));
    find(mine);
    MapOutput kept = find(others);
    cache.forgetApplication(job.application().toString());
    assertEquals(1, cache.size());
    assertSame(kept, find(others));
  }

  @Test
  void aSearchThatCannotBeginIsNotWaitedFor() {
    MapOutputId noPath = MapOutputId.of("alice", job.application().toString(), "a\0b");
    for (int time = 0; time < 2; time++) {
      Throwable error = assertThrows(ExecutionException.class, () -> find(noPath)).getCause();
      assertInstanceOf(IOException.class, error);
    }
  }

  /** Of the first request there is nobody's share yet, and many threads find something to keep. */
  @Test
  void ofManyThatAreFoundAtOnceEachIsToldOf() throws Exception {
    try (TestLanes many = new TestLanes(16, folder.resolve("many"), Medium.NVME)) {
      cache = many.cache(1 << 20);
      List<Output> all = new MapOutputs(many.dirs()).write(job, 16, 10);
      for (int round = 0; round < 3000; round++) {
        List<CompletableFuture<MapOutput>> asked =
            all.stream().map(number -> cache.find(job.idOf(number))).toList();
        for (CompletableFuture<MapOutput> told : asked) {
          assertNotNull(told.get(5, TimeUnit.MINUTES));
        }
        cache.forgetApplication(job.application().toString());
      }
    }
  }

  @Test
  void itsBytesAreBounded() throws Exception {
    Output output = outputs.write(job, job.attempt(0), 0, 100);
    int bytes = find(job.idOf(output)).bytes();
    cache = lanes.cache(10L * bytes);
    for (int map = 0; map < 50; map++) {
      Output next = map == 0 ? output : outputs.link(job, output, job.attempt(map), 0);
      find(job.idOf(next));
    }
    assertTrue(cache.size() > 0 && cache.size() <= 10, cache.size() + " entries");
  }
}
