// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
import java.lang.reflect.Field;
import java.util.Optional;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.YarnOutputFiles;
import org.apache.hadoop.mapreduce.MRConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Holds against the Hadoop version built with: the fields it exchanges are private there. */
class AllocatorSwapTest {
  private final TieredLocalDirAllocator ours = new TieredLocalDirAllocator(MRConfig.LOCAL_DIR);

  @Test
  void exchangesThatOfTheLocalJobRunnersFiles() throws Exception {
    MROutputFiles files = new MROutputFiles();
    assertTrue(AllocatorSwap.intoInstance(files, ours));
    assertSame(ours, value(MROutputFiles.class, "lDirAlloc", files));
  }

  @Test
  void exchangesThatOfYarnsFiles() throws Exception {
    YarnOutputFiles files = new YarnOutputFiles();
    assertTrue(AllocatorSwap.intoInstance(files, ours));
    assertSame(ours, value(YarnOutputFiles.class, "lDirAlloc", files));
  }

  @Test
  void exchangesThatOfTasks() throws Exception {
    for (Task task : new Task[] {new MapTask(), new ReduceTask()}) {
      task.setConf(new JobConf(false));
      assertTrue(AllocatorSwap.intoInstance(task, ours));
      assertSame(ours, value(Task.class, "lDirAlloc", task));
    }
  }

  @Test
  void exchangesInheritedAndOwnFinalOnes() throws Exception {
    TestTasks.OwnOutputFile files = new TestTasks.OwnOutputFile();
    assertTrue(AllocatorSwap.intoInstance(files, ours));
    assertSame(ours, value(MROutputFiles.class, "lDirAlloc", files));
    assertSame(ours, value(TestTasks.OwnOutputFile.class, "mine", files));
  }

  @Test
  void exchangesOursForAnother() throws Exception {
    MROutputFiles files = new MROutputFiles();
    AllocatorSwap.intoInstance(files, ours);
    TieredLocalDirAllocator next = new TieredLocalDirAllocator(MRConfig.LOCAL_DIR);
    assertTrue(AllocatorSwap.intoInstance(files, next));
    assertSame(next, value(MROutputFiles.class, "lDirAlloc", files));
  }

  @Test
  void leavesAllocatorsOfOtherDirsAndOtherClasses() {
    Holder holder = new Holder();
    LocalDirAllocator otherDirs = holder.otherDirs;
    LocalDirAllocator otherClass = holder.otherClass;
    assertFalse(AllocatorSwap.intoInstance(holder, ours));
    assertSame(otherDirs, holder.otherDirs);
    assertSame(otherClass, holder.otherClass);
  }

  @Test
  void saysSoWhereThereIsNothingToExchange() {
    assertFalse(AllocatorSwap.intoInstance("no allocator in here", ours));
    assertEquals(Optional.empty(), AllocatorSwap.intoClass(String.class, present -> ours));
  }

  @Test
  void reachesMerger() throws Exception {
    Optional<LocalDirAllocator> present = AllocatorSwap.intoClass(Merger.class, same -> same);
    assertSame(value(Merger.class, "lDirAlloc", null), present.orElseThrow());
    assertNotSame(ours, present.orElseThrow());
  }

  private static Object value(Class<?> type, String field, @Nullable Object holder)
      throws Exception {
    Field found = type.getDeclaredField(field);
    found.setAccessible(true);
    return found.get(holder);
  }

  /** Allocators that are somebody else's decision. */
  private static final class Holder {
    private final LocalDirAllocator otherDirs = new LocalDirAllocator("io.seqfile.local.dir");
    private final LocalDirAllocator otherClass = new LocalDirAllocator(MRConfig.LOCAL_DIR) {};
  }
}
