// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the files of an executor that are about to be written. Nothing that goes wrong here is
 * seen by a task: the file is then written at home. Safe for use by many threads.
 */
final class BlockPlaces implements AutoCloseable {
  /** Of a file whose writer does not say how large it will be. */
  static final long UNKNOWN_SIZE = -1;

  /** More than threads that delete at once. */
  private static final int LOCKS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(BlockPlaces.class);

  private final BlockHomes homes;
  private final Placer placer;
  private final String application;
  private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();
  private final TaskSpills spills = new TaskSpills(this::settle);
  private final AtomicBoolean failed = new AtomicBoolean();

  /** Of the file that was placed last; at first the fastest. */
  private volatile Medium lastMedium;

  /**
   * The places of an executor.
   *
   * @param application what claims are counted for
   */
  BlockPlaces(BlockHomes homes, NodeTiers tiers, String application, PlacementListener listener) {
    this.homes = homes;
    this.placer = new Placer(tiers, listener);
    this.application = application;
    this.lastMedium = tiers.layout().tiers().get(0).medium();
  }

  BlockHomes homes() {
    return homes;
  }

  /**
   * Places a file.
   *
   * @param at where it has its name
   * @param bytes its size, or {@link #UNKNOWN_SIZE}
   * @return the same, or another name where its home has just moved
   */
  TieredFile place(File at, long bytes) {
    TieredFile placed = placeIfTaken(at, bytes);
    return placed == null ? new TieredFile(at.getPath(), this) : placed;
  }

  /** The same; null when no dir takes it, which is mostly its home's fault. */
  private @Nullable TieredFile placeIfTaken(File at, long bytes) {
    BlockHomes.Home home = homes.of(at);
    if (home == null) {
      return new TieredFile(at.getPath(), this);
    }
    Path[] name = {at.toPath()};
    try {
      String path = home.name() + "/" + at.getParentFile().getName() + "/" + at.getName();
      Optional<Placer.Placed> placed =
          placer.place(
              placer
                  .request(path, bytes, application, failures())
                  .at(home.dir())
                  .within(placer.tiers().settings().limits(), at.getPath()),
              dir -> {
                BlockHomes.Made made = homes.make(home, at, dir);
                name[0] = made.name();
                return made.bytes();
              });
      if (!placed.isPresent()) {
        return null;
      }
      lastMedium = placed.get().placement().dir().medium();
      return new TieredFile(name[0].toString(), this);
    } catch (RuntimeException e) {
      tell(at, e);
      return new TieredFile(at.getPath(), this);
    }
  }

  /** Whether a home is where the next file is likely to lie. */
  boolean likely(int home) {
    return homes.dir(home).medium() == lastMedium;
  }

  /**
   * Leaves the one sorted run of a task where it lies when the task asks for the name of its
   * output: Spark then moves the run there as it is, which between two disks is a copy that nobody
   * claimed. A link moves for nothing.
   */
  void keepSpill(File output) {
    TaskContext task = TaskContext.get();
    Path spill = task != null && output.getName().endsWith(".data") ? spills.single(task) : null;
    if (spill == null) {
      return;
    }
    BlockHomes.Home from = homes.of(spill.toFile());
    BlockHomes.Home to = homes.of(output);
    if (from == null || to == null || from.dir().equals(to.dir())) {
      return;
    }
    settle(spill);
    try {
      synchronized (lockOf(spill)) {
        homes.keep(spill, from.dir(), to, output);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} is copied to {}", spill, output, e);
    }
  }

  /** Attempts at the running task that failed before. */
  private static int failures() {
    TaskContext task = TaskContext.get();
    return task == null ? 0 : task.attemptNumber();
  }

  /**
   * Places a sorted run of a task.
   *
   * @param merges whether it becomes a part of the task's output
   * @return null when its home takes nothing and another name is worth a try
   */
  @Nullable TieredFile placeSpill(File at, boolean merges, Consumer<File> maker) {
    TaskContext task = TaskContext.get();
    long expected =
        task == null ? 0 : spills.next(task, placer.tiers().settings().unknownSizeBytes());
    TieredFile placed = placeIfTaken(at, expected > 0 ? expected : UNKNOWN_SIZE);
    if (placed != null && task != null) {
      spills.add(task, TieredFile.bytesOf(placed.toPath()), merges);
    }
    if (placed != null && merges && homes.folders().othersRead()) {
      maker.accept(placed);
    }
    return placed;
  }

  /**
   * Places an output of a map task or what belongs to it. It will be as large as what the task has
   * spilled to disk so far, if it did: Spark merges that.
   */
  TieredFile placeOutput(File at, Consumer<File> maker) {
    TaskContext task = TaskContext.get();
    long spilled = task != null && at.getName().contains(".data.") ? spills.mergedBytes(task) : 0;
    TieredFile placed = place(at, spilled > 0 ? spilled : UNKNOWN_SIZE);
    if (homes.folders().othersRead()) {
      maker.accept(placed);
    }
    return placed;
  }

  /**
   * Has a link to a copy take a file's place, if it is still the file that was copied.
   *
   * @return whether it did
   */
  boolean replace(Path file, FileStamp copied, Path link) throws IOException {
    synchronized (lockOf(file)) {
      return ColdBlocks.replace(file, copied, link);
    }
  }

  /**
   * Deletes a file and what it leads to, if that is of ours. A process that dies in between leaves
   * bytes that nobody finds, which are swept up.
   */
  boolean delete(Path file, BooleanSupplier deletion) {
    Path bytes;
    boolean deleted;
    synchronized (lockOf(file)) {
      bytes = TieredFile.bytesOf(file);
      deleted = deletion.getAsBoolean();
    }
    boolean all = deleted && (bytes.equals(file) || deleteTarget(bytes));
    settle(bytes);
    return all;
  }

  /** Between the look at a file and what is done with it nobody else does anything. */
  private Object lockOf(Path file) {
    return locks[Math.floorMod(file.hashCode(), locks.length)];
  }

  /** Says that what lies there is complete or gone. */
  void settle(Path bytes) {
    placer.settle(bytes);
  }

  /** Deletes what a link leads to, if it is of ours. */
  private boolean deleteTarget(Path bytes) {
    if (homes.of(bytes.toFile()) == null && !homes.folders().isAnnexed(bytes)) {
      // A user's own link: theirs to delete.
      return true;
    }
    try {
      Files.deleteIfExists(bytes);
      return true;
    } catch (IOException e) {
      LOG.debug("Cannot delete {}", bytes, e);
      return false;
    }
  }

  private void tell(File at, RuntimeException e) {
    if (failed.compareAndSet(false, true)) {
      LOG.warn(
          "TempTier failed at {}; the file is written where Spark would. Not logged again; please"
              + " report this",
          at,
          e);
    }
  }

  /** Settles what is being written and releases every claim; places nothing afterwards. */
  @Override
  public void close() {
    placer.close();
  }
}
