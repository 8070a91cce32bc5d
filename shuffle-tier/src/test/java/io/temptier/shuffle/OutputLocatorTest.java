/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputLocatorTest {
  private static final int NVME = 0;
  private static final int DISK = 2;

  @TempDir private Path folder;

  private final ShuffleJob job = new ShuffleJob("alice", 1);
  private final List<String> askedStock = new ArrayList<>();
  private TestLanes lanes;
  private OutputLocator locator;
  private MapOutputs outputs;

  @BeforeEach
  void start() throws IOException {
    lanes = new TestLanes(folder, Medium.NVME, Medium.NVME, Medium.DISK);
    outputs = new MapOutputs(lanes.dirs());
    locator = lanes.locator(this::stock);
  }

  @AfterEach
  void stop() {
    lanes.close();
  }

  private Path stock(String relative) throws IOException {
    askedStock.add(relative);
    Path elsewhere = folder.resolve("elsewhere").resolve(relative);
    if (!Files.exists(elsewhere)) {
      throw new IOException("stock has no " + relative);
    }
    return elsewhere;
  }

  private MapOutputId id(Output output) {
    return new MapOutputId(job.user(), job.application().toString(), output.attempt());
  }

  private MapOutput find(Output output) throws Exception {
    return locator.find(id(output)).get(5, TimeUnit.MINUTES);
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
      assertEquals(output.data(), found.data());
      assertEquals(dir == DISK ? Medium.DISK : Medium.NVME, found.lane().medium());
      assertEquals(3, found.index().size());
      assertEquals(output.index().get(2).startOffset, found.index().getIndex(2).startOffset);
    }
    assertEquals(List.of(), askedStock);
  }

  @Test
  void theFastCopyCounts() throws Exception {
    outputs.write(job, job.attempt(0), DISK, 100);
    Output fast = outputs.write(job, job.attempt(0), NVME, 100);
    assertEquals(fast.data(), find(fast).data());
  }

  @Test
  void whatLiesOnTheFastTierIsFoundWhileTheSlowOneHangs() throws Exception {
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    Output fast = outputs.write(job, job.attempt(0), NVME, 100);
    Output slow = outputs.write(job, job.attempt(1), DISK, 100);
    var later = locator.find(id(slow));
    assertEquals(fast.data(), find(fast).data());
    assertFalse(later.isDone());
    hanging.countDown();
    assertEquals(slow.data(), later.get(5, TimeUnit.MINUTES).data());
  }

  @Test
  void indexAndDataMayLieApart() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Path other = lanes.dirs().get(DISK).resolve(job.outputFolder()).resolve(output.attempt());
    Files.createDirectories(other);
    Files.move(output.indexFile(), other.resolve(MapOutputs.INDEX));
    assertEquals(output.data(), find(output).data());
  }

  /** The index stays on the fast tier; the link alone tells where the data is. */
  @Test
  void aDemotedOutputIsReadOnTheLaneOfTheDiskItWentTo() throws Exception {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Path target = lanes.dirs().get(DISK).resolve(job.outputFolder()).resolve("x/file.out");
    Files.createDirectories(target.getParent());
    Files.move(output.data(), target);
    Files.createSymbolicLink(output.data(), target);
    CountDownLatch hanging = lanes.hang(Medium.DISK);
    MapOutput found = find(output);
    assertEquals(Medium.DISK, found.lane().medium());
    assertEquals(output.data(), found.data());
    hanging.countDown();
  }

  @Test
  void whatIsNowhereIsLeftToStockAndItsError() throws IOException {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Files.delete(output.indexFile());
    String index = job.outputFolder() + "/" + output.attempt() + "/" + MapOutputs.INDEX;
    assertEquals("stock has no " + index, failure(output).getMessage());
    assertEquals(List.of(index), askedStock);
  }

  @Test
  void whatOnlyStockFindsIsServedAsASlowOne() throws Exception {
    MapOutputs elsewhere = new MapOutputs(List.of(folder.resolve("elsewhere")));
    Output output = elsewhere.write(job, job.attempt(0), 0, 100);
    MapOutput found = find(output);
    assertEquals(output.data(), found.data());
    assertEquals(Medium.DISK, found.lane().medium());
  }

  @Test
  void aDamagedIndexIsAnError() throws IOException {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    Files.write(output.indexFile(), new byte[0]);
    assertEquals("Error Reading IndexFile", failure(output).getMessage());
    assertEquals(List.of(), askedStock);
  }

  @Test
  void aWholeCopyStandsInForADamagedOne() throws Exception {
    Output broken = outputs.write(job, job.attempt(0), NVME, 100);
    Files.write(broken.indexFile(), new byte[0]);
    outputs.write(job, job.attempt(0), DISK, 100);
    assertEquals(1, find(broken).index().size());
  }

  @Test
  void nothingIsFoundWhenTheLanesHaveEnded() throws IOException {
    Output output = outputs.write(job, job.attempt(0), NVME, 100);
    lanes.close();
    assertTrue(String.valueOf(failure(output).getMessage()).contains("stopping"));
  }

  @Test
  void dirsOfOneMediumAndDiskShareALane() throws Exception {
    Output first = outputs.write(job, job.attempt(0), 0, 100);
    Output second = outputs.write(job, job.attempt(1), 1, 100);
    assertSame(find(first).lane(), find(second).lane());
  }
}
