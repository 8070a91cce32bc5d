// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.fixtures.Needs.NeedsCompiler;
import io.temptier.fixtures.Trees;
import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.fixtures.sweep.Sweep;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.marker.NodeMarker;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.DiskStore;
import org.apache.spark.util.Utils$;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** Whatever call fails, whoever dies, stops or loses power: no byte is lost, nothing is left. */
@NeedsCompiler
class SparkSweptCallsTest {
  @Test
  void invariantsHoldAtEachCall(@TempDir Path folder) throws IOException {
    Sweep.run(folder, List.of(SparkFiles.class));
  }

  /**
   * A task's output is written on the fast disk, behind a link in its home on the slow one, and
   * renamed; a cached block is stored there and deleted. Calls are those of Spark's own writers.
   */
  static final class SparkFiles implements Protocol {
    private static final byte[] CONTENT =
        "a map output, which is here once".getBytes(StandardCharsets.UTF_8);

    static {
      // Spark would look for an address of this host, and warn.
      Utils$.MODULE$.setCustomHostname("localhost");
    }

    private final Disks disks;
    private @Nullable Tiers tiers;
    private String output = "shuffle_0_0_0.data";
    private @Nullable BlockId block;
    private boolean committed;
    private @Nullable DiskStore store;
    private boolean deleted;

    /** The disk of the home fails each call, also when the task ends: its links stay there. */
    private boolean homeFails;

    SparkFiles(Disks disks) {
      this.disks = disks;
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      for (Path dir : List.of(disks.fast(), disks.slow())) {
        Path claims = Files.createDirectories(NodeMarker.claims(dir));
        Files.setAttribute(claims, "unix:mode", 01777);
      }
      // Spark's folders, and those like them.
      found.allow(path -> Files.isDirectory(path, NOFOLLOW_LINKS));
    }

    @Override
    public void start() throws Exception {
      Tiers all = new Tiers(disks.fast(), disks.slow(), LocalDir.NO_CAP);
      tiers = all;
      for (int i = 1; !all.manager.getFile(output).toPath().startsWith(disks.slow()); i++) {
        output = "shuffle_0_" + i + "_0.data";
      }
      SparkConf conf = new SparkConf(false);
      store =
          new TieredDiskStore(conf, all.manager, new SecurityManager(conf, Option.empty(), null));
      block = BlockId.apply(Tiers.nameIn(all.manager, disks.slow(), "rdd_1_"));
    }

    private TieredDiskBlockManager manager() {
      return Objects.requireNonNull(tiers).manager;
    }

    /** Whose memory is known. */
    private static TaskContextImpl task() {
      SparkConf conf = new SparkConf(false).set("spark.testing.memory", "1000000000");
      TaskContextImpl task = TaskContext$.MODULE$.empty();
      try {
        Field memory = TaskContextImpl.class.getDeclaredField("taskMemoryManager");
        memory.setAccessible(true);
        memory.set(task, new TaskMemoryManager(UnifiedMemoryManager.apply(conf, 1), 0));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
      return task;
    }

    @Override
    public void act() throws IOException {
      TaskContextImpl task = task();
      TaskContext$.MODULE$.setTaskContext(task);
      IOException failure = null;
      try {
        writeOutput();
        store();
      } catch (IOException e) {
        failure = e;
        task.markTaskFailed(e);
        throw e;
      } finally {
        task.markTaskCompleted(Option.apply(failure));
        TaskContext$.MODULE$.unset();
        homeFails = !Files.exists(NodeMarker.claims(disks.slow()));
      }
    }

    /** As sort shuffle does it. */
    private void writeOutput() throws IOException {
      File complete = manager().getFile(output);
      File temporary = manager().createTempFileWith(complete);
      try {
        write(temporary);
        committed = temporary.renameTo(complete);
        if (!committed) {
          throw new IOException("fail to rename");
        }
      } finally {
        if (temporary.exists()) {
          boolean unused = temporary.delete();
        }
      }
    }

    private static void write(File file) throws IOException {
      try (FileOutputStream out = new FileOutputStream(file, true)) {
        out.write(CONTENT);
      }
    }

    private void store() {
      BlockId id = Objects.requireNonNull(block);
      DiskStore store = Objects.requireNonNull(this.store);
      store.putBytes(id, new ChunkedByteBuffer(ByteBuffer.wrap(CONTENT)));
      deleted = store.remove(id);
    }

    @Override
    public void recover(Ending ending) {
      if (tiers != null) {
        tiers.places.close();
      }
      for (Path dir : List.of(disks.fast(), disks.slow())) {
        // Takes the ledgers of the dead away.
        new Claims(NodeMarker.claims(dir), System::currentTimeMillis).ofLiving(1 << 30, false);
      }
    }

    @Override
    public void check(Ending ending, Invariants found) throws IOException {
      List<Path> all = Trees.below(disks.fast());
      all.addAll(Trees.below(disks.slow()));
      Set<Path> targets =
          all.stream()
              .filter(Files::isSymbolicLink)
              .map(TieredFile::bytesOf)
              .collect(Collectors.toSet());
      if (ending.killed() || homeFails) {
        // What an executor leaves goes with its application; an output is whole or not there.
        found.allow(path -> path.toString().contains(BlockFolders.HOME));
      }
      for (Path path : all) {
        String name = path.getFileName().toString();
        if (path.toString().contains(BlockFolders.HOME) && Files.isRegularFile(path)) {
          boolean whole = Arrays.equals(CONTENT, Files.readAllBytes(path));
          if (name.endsWith(".data") && !whole) {
            found.problem("TORN " + path);
          }
          // What it could not delete Spark hears of; orphans are swept.
          if (deleted
              && Files.isRegularFile(path, NOFOLLOW_LINKS)
              && path.toString().contains(BlockFolders.annex(BlockFolders.HOME))
              && !targets.contains(path)) {
            found.problem("ORPHAN " + path);
          }
        }
      }
      if (committed && !Files.exists(manager().getFile(output).toPath())) {
        found.problem("LOST " + output);
      }
      if (deleted
          && Files.exists(
              manager().getFile(Objects.requireNonNull(block)).toPath(), NOFOLLOW_LINKS)) {
        found.problem("LEFT " + block);
      }
    }

    @Override
    public void end() {
      if (tiers != null) {
        // Its manager would have a process delete each home.
        tiers.places.close();
      }
    }
  }
}
