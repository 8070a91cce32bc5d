// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.room.FileSystemCapacity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Readers that look outputs up and read them as stock does, all the time that these are moved: from
 * a folder that looks like a small disk, and from a real ext4.
 */
class ReadersDuringDemotionTest extends TwoTiers {
  private static final int READERS = 8;
  private static final int OUTPUTS = 48;
  private static final long DISK_BYTES = 96 * MB;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong reads = new AtomicLong();
  private final ExecutorService readers = Executors.newFixedThreadPool(READERS);
  private @Nullable LoopDisk disk;

  @AfterEach
  void stop() throws Exception {
    over.set(true);
    readers.shutdownNow();
    assertTrue(readers.awaitTermination(10, TimeUnit.MINUTES));
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void noneEverFailsOrReadsAWrongByte() throws Exception {
    noneFails(new FolderDisks().with(fast.path(), DISK_BYTES));
  }

  @Test
  @NeedsLoopDisk
  void noneEverFailsOrReadsAWrongByteOnARealDisk() throws Exception {
    disk = LoopDisk.create(temp, "nvme", DISK_BYTES);
    noneFails(new FileSystemCapacity());
  }

  private void noneFails(Capacity.Probe probe) throws Exception {
    node.writeAll(fast, OUTPUTS, MB);
    List<Future<?>> results = new ArrayList<>();
    for (int reader = 0; reader < READERS; reader++) {
      List<LocalDir> order = reader % 2 == 0 ? List.of(fast, slow) : List.of(slow, fast);
      Random random = new Random(reader);
      results.add(readers.submit(() -> read(order, random)));
    }
    DemotionSettings settings = TestNode.settings(0.4, 0.1, 16L << 20);
    try (Demoter demoter = node.start(settings, probe)) {
      TestNode.await(
          "most are moved",
          demoter,
          () ->
              demoter.get(DemotionCounter.FILES_DEMOTED) >= OUTPUTS - 12
                  || results.stream().anyMatch(Future::isDone));
      long before = reads.get();
      Eventually.holds(
          "all is read again",
          () -> reads.get() > before + 4 * OUTPUTS || results.stream().anyMatch(Future::isDone));
      over.set(true);
      for (Future<?> result : results) {
        result.get(10, TimeUnit.MINUTES);
      }
      assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
    }
    // Only now: it may have been in the middle of one more.
    node.invariants.assertHold();
    // The disk is gone before the end.
    node.invariants.dropAll();
    int demoted = node.demoted(fast, OUTPUTS).size();
    assertTrue(demoted >= OUTPUTS - 12 && demoted < OUTPUTS, () -> demoted + " were moved");
  }

  private void read(List<LocalDir> order, Random random) {
    while (!over.get()) {
      MapOutputId id = TestNode.id(random.nextInt(OUTPUTS));
      try {
        assertArrayEquals(
            TestOutputs.data(id, MB), TestOutputs.readAsStock(order, id), id::attempt);
      } catch (IOException e) {
        throw new AssertionError(id + " was not there", e);
      }
      reads.incrementAndGet();
    }
  }
}
