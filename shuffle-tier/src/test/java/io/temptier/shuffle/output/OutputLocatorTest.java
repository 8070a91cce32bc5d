// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.shuffle.MapOutputs;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.ShuffleJob;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where outputs are found, and how long that is remembered. */
class OutputLocatorTest {
  private static final int NVME = 0;
  private static final int DISK = 2;

  @TempDir private Path folder;

  private final ShuffleJob job = new ShuffleJob("alice", 1);
  private final List<String> askedStock = new ArrayList<>();
  @AutoClose private TestLanes lanes;
  private OutputLocator locator;
  private MapOutputCache cache;
  private MapOutputs outputs;

  @BeforeEach
  void start() throws IOException {
    lanes = new TestLanes(folder, Medium.NVME, Medium.NVME, Medium.DISK);
    outputs = new MapOutputs(lanes.dirs());
    locator = lanes.locator(this::stock);
    cache = lanes.cache(1 << 20);
  }

  private Path stock(String relative) throws IOException {
    askedStock.add(relative);
    Path elsewhere = folder.resolve("elsewhere").resolve(relative);
    if (!Files.exists(elsewhere)) {
      throw new IOException("stock has no " + relative);
    }
    return elsewhere;
  }

  private MapOutput find(Output output) throws Exception {
    return locator.find(job.idOf(output)).get(5, TimeUnit.MINUTES);
  }

  private Throwable failure(Output output) {
    Throwable error = assertThrows(ExecutionException.class, () -> find(output)).getCause();
    return assertInstanceOf(IOException.class, error);
  }

  @Test
  void anOutputIsFoundInAnyDirWithItsLaneAndIndex() throws Exception {
    for (int dir = 0; dir < 3; dir++) {
      Output output = outputs.write(job, job.attempt(dir), dir, 100, 200, 300);
      MapOutput found = find(output);
      assertEquals(output.data(), found.data);
      assertEquals(dir == DISK ? Medium.DISK : Medium.NVME, found.lane.medium());
      assertEquals(3, found.index.size());
      assertEquals(output.index().get(2).startOffset, found.index.getIndex(2).startOffset);
    }
    assertEquals(List.of(), askedStock);
  }

  @Test
  void theFastCopyCounts() throws Exception {
    outputs.write(job, job.attempt(0), DISK, 100);
    Output fast = outputs.write(job, job.attempt(0), NVME, 100);
    assertEquals(fast.data(), find(fast).data);
  }

  @Test
  void whatLiesOnTheFastTierIsFoundWhileTheSlowOneHangs() throws Exception {
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    Output fast = outputs.write(job, job.attempt(0), NVME, 100);
    Output slow = outputs.write(job, job.attempt(1), DISK, 100);
    var later = locator.find(job.idOf(slow));
    assertEquals(fast.data(), find(fast).data);
    assertFalse(later.isDone());
    hanging.countDown();
    assertEquals(slow.data(), later.get(5, TimeUnit.MINUTES).data);
  }

  @Test
  void indexAndDataMayLieApart() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Path other = lanes.dirs().get(DISK).resolve(job.outputFolder()).resolve(output.attempt());
    Files.createDirectories(other);
    Files.move(output.indexFile(), other.resolve(MapOutputs.INDEX));
    assertEquals(output.data(), find(output).data);
  }

  /** Moves the data of an output as a demotion does, and returns where it lies then. */
  private Path demote(Output output, Path file, Path dir) throws IOException {
    Path target = dir.resolve(job.idOf(output).relativePath()).resolve(MapOutputs.DATA);
    Files.createDirectories(target.getParent());
    Files.move(file, target);
    Files.createSymbolicLink(file, target);
    return target;
  }

  @Test
  void aLinkToALinkIsFollowedToTheLast() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Path middle = demote(output, output.data(), lanes.dirs().get(1));
    Path target = demote(output, middle, lanes.dirs().get(DISK));
    MapOutput found = find(output);
    assertEquals(Medium.DISK, found.lane.medium());
    assertEquals(target, found.data);
  }

  @Test
  void linksInARingAreNotFollowedForEver() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Path target = demote(output, output.data(), lanes.dirs().get(DISK));
    Files.delete(target);
    Files.createSymbolicLink(target, output.data());
    assertTrue(String.valueOf(failure(output).getMessage()).contains("not a regular file"));
  }

  /** The fast lane reads the link and never asks the disk it points to. */
  @Test
  @NeedsBindfs
  void lookUpsOfDemotedOutputsHoldUpNoFastOneWhileTheirDiskHangs() throws Exception {
    try (HangingDisk disk = HangingDisk.create(folder, "hanging");
        TestLanes some =
            new TestLanes(
                1, Map.of(folder.resolve("nvme"), Medium.NVME, disk.path(), Medium.DISK))) {
      MapOutputs written = new MapOutputs(List.of(folder.resolve("nvme"), disk.path()));
      OutputLocator finder = some.locator(this::stock);
      List<Output> fast = new ArrayList<>();
      List<Output> slow = new ArrayList<>();
      for (int map = 0; map < 40; map++) {
        fast.add(written.write(job, job.attempt(map), 0, 100));
        Output demoted = written.write(job, job.attempt(100 + map), 0, 100);
        demote(demoted, demoted.data(), disk.path());
        slow.add(demoted);
      }
      disk.hang();
      try {
        List<CompletableFuture<MapOutput>> waiting =
            slow.stream().map(output -> finder.find(job.idOf(output))).toList();
        for (Output output : fast) {
          assertEquals(output.data(), finder.find(job.idOf(output)).get(3, TimeUnit.MINUTES).data);
        }
        assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone));
        disk.recover();
        for (CompletableFuture<MapOutput> late : waiting) {
          assertEquals(Medium.DISK, late.get(3, TimeUnit.MINUTES).lane.medium());
        }
      } finally {
        disk.recover();
      }
    }
  }

  @Test
  void whatOnlyStockFindsIsServedAsASlowOne() throws Exception {
    MapOutputs elsewhere = new MapOutputs(List.of(folder.resolve("elsewhere")));
    Output output = elsewhere.write(job, job.attempt(0), 0, 100);
    MapOutput found = find(output);
    assertEquals(output.data(), found.data);
    assertEquals(Medium.DISK, found.lane.medium());
  }

  @Test
  void aWholeCopyStandsInForADamagedOne() throws Exception {
    Output broken = outputs.write(job, job.attempt(0), NVME, 100);
    Files.write(broken.indexFile(), new byte[0]);
    outputs.write(job, job.attempt(0), DISK, 100);
    assertEquals(1, find(broken).index.size());
  }

  @Test
  void dirsOfOneMediumAndDiskShareALane() throws Exception {
    Output first = outputs.write(job, job.attempt(0), 0, 100);
    Output second = outputs.write(job, job.attempt(1), 1, 100);
    assertSame(find(first).lane, find(second).lane);
  }

  private MapOutput findByCache(MapOutputId id) throws Exception {
    return cache.find(id).get(5, TimeUnit.MINUTES);
  }

  @Test
  void whatIsKnownIsToldAtOnce() throws Exception {
    MapOutputId id = job.idOf(outputs.write(job, job.attempt(0), 0, 100));
    MapOutput first = findByCache(id);
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
    assertSame(after, findByCache(id), "the search begun after it is kept");
  }

  @Test
  void applicationsAreForgottenOneByOne() throws Exception {
    ShuffleJob other = new ShuffleJob("alice", 2);
    MapOutputId mine = job.idOf(outputs.write(job, job.attempt(0), 0, 100));
    MapOutputId others = other.idOf(outputs.write(other, other.attempt(0), 0, 100));
    findByCache(mine);
    MapOutput kept = findByCache(others);
    cache.forgetApplication(job.application().toString());
    assertEquals(1, cache.size());
    assertSame(kept, findByCache(others));
  }

  @Test
  void aSearchThatCannotBeginIsNotWaitedFor() {
    MapOutputId noPath = MapOutputId.of("alice", job.application().toString(), "a\0b");
    for (int time = 0; time < 2; time++) {
      Throwable error =
          assertThrows(ExecutionException.class, () -> findByCache(noPath)).getCause();
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
    int bytes = findByCache(job.idOf(output)).bytes();
    cache = lanes.cache(10L * bytes);
    for (int map = 0; map < 50; map++) {
      Output next = map == 0 ? output : outputs.link(job, output, job.attempt(map), 0);
      findByCache(job.idOf(next));
    }
    assertTrue(cache.size() > 0 && cache.size() <= 10, cache.size() + " entries");
  }
}
