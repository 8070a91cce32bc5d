// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.placer.Listeners;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.placer.UnseenFiles;
import io.temptier.tier.policy.PlacementRequest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the files of an executor that are about to be written. No task sees a failure here: the
 * file is then written at home. Safe for use by many threads.
 */
final class BlockPlaces implements AutoCloseable {
  /** The size of a file whose writer names none. */
  static final long UNKNOWN_SIZE = -1;

  private static final String OUTPUT = ".data";

  /** More locks than threads that delete at once. */
  private static final int LOCKS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(BlockPlaces.class);

  private final BlockHomes homes;
  private final Placer placer;
  private final String application;
  private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();
  private final TaskSpills spills = new TaskSpills(this::complete);
  private final boolean othersWrite;
  private final ExpectedSizes sizes;
  private final UnseenFiles unseen;
  private final AtomicBoolean failed = new AtomicBoolean();
  private volatile boolean stopped;

  /** Medium of the sorted run that was placed last; at first the fastest. */
  private volatile Medium lastMedium;

  /**
   * @param application what claims are counted for
   * @param othersWrite whether map outputs may have writers that are not Spark's own
   */
  BlockPlaces(
      BlockHomes homes,
      NodeTiers tiers,
      String application,
      Listeners listeners,
      boolean othersWrite) {
    this.homes = homes;
    this.sizes = new ExpectedSizes(tiers.settings().largeSizeBytes());
    listeners.add(sizes);
    this.placer = new Placer(tiers, listeners);
    this.application = application;
    this.othersWrite = othersWrite;
    this.unseen = new UnseenFiles(homes.dirs(), placer);
    this.lastMedium = tiers.layout().tiers().get(0).medium();
  }

  BlockHomes homes() {
    return homes;
  }

  UnseenFiles unseen() {
    return unseen;
  }

  /** Places a file of so many bytes, or {@link #UNKNOWN_SIZE}. */
  TieredFile place(File file, long bytes) {
    TieredFile placed = placeIfTaken(file, bytes);
    return placed == null ? asNamed(file) : placed;
  }

  private TieredFile asNamed(File file) {
    return new TieredFile(file.getPath(), this, null);
  }

  /** Places a file; null when no dir takes it, which is mostly its home's fault. */
  private @Nullable TieredFile placeIfTaken(File file, long size) {
    BlockHomes.Home home = homes.of(file);
    if (home == null || stopped) {
      return asNamed(file);
    }
    Path name = file.toPath();
    unseen.placed(home.dir, file.getName());
    try {
      String path = home.name() + "/" + file.getParentFile().getName() + "/" + file.getName();
      PlacementRequest asked =
          placer
              .request(path, size, application, failures())
              .at(home.dir)
              .within(placer.tiers().settings().limits(), file.getPath());
      PlacementRequest sized = sizes.of(asked, file.getName());
      boolean makesRoom = sized.kind() == FileKind.CACHED_BLOCK || unseen.any();
      PlacementRequest request = makesRoom ? sized.upTo(homes.fillLimit()) : sized;
      Optional<Placer.Placed> placed = placer.place(request, dir -> homes.make(home, file, dir));
      if (!placed.isPresent()) {
        sizes.refused(request);
        return null;
      }
      if (request.kind() == FileKind.SPILL) {
        lastMedium = placed.get().placement().dir().medium();
      }
      Path bytes = placed.get().file();
      TaskContext task = TaskContext.get();
      // Not for a cached block, which may be put under the lock of Spark's memory.
      if (task != null && !bytes.equals(name) && request.kind() != FileKind.CACHED_BLOCK) {
        // Spark makes a file with its first byte, if any, and deletes none that is not there.
        spills.of(task).add(name, bytes);
      }
      return new TieredFile(file.getPath(), this, bytes);
    } catch (RuntimeException e) {
      if (failed.compareAndSet(false, true)) {
        LOG.warn(
            "TempTier failed at {}; the file is written where Spark would. Not logged again; please"
                + " report this",
            file,
            e);
      }
      return asNamed(file);
    }
  }

  /**
   * The name by which a file is written or read. A map output that somebody else than Spark is
   * about to write is placed when its task first asks for its name: whatever the writer adds to the
   * name, it writes in the folder that it is told, and finds it there until the output is complete.
   */
  TieredFile named(File file) {
    TaskContext task = othersWrite && file.getName().endsWith(OUTPUT) ? TaskContext.get() : null;
    if (task == null) {
      return asNamed(file);
    }
    Path name = file.toPath();
    Path bytes = TieredFile.bytesOf(name);
    if (Files.notExists(name, LinkOption.NOFOLLOW_LINKS) && spills.of(task).asksFirst(name)) {
      bytes = place(file, UNKNOWN_SIZE).bytes();
      spills.of(task).add(name, bytes);
    }
    boolean written = bytes.equals(name) || Files.exists(bytes);
    return asNamed((written ? name : bytes).toFile());
  }

  /** A task is over with a file; a link that leads to none is of no use. */
  private void complete(Path name, Path bytes) {
    BlockHomes.Home home = homes.of(name.toFile());
    if (home != null) {
      unseen.placed(home.dir, String.valueOf(name.getFileName()));
    }
    settle(bytes);
    if (!bytes.equals(name) && Files.notExists(bytes) && TieredFile.bytesOf(name).equals(bytes)) {
      delete(name, name.toFile()::delete);
    }
  }

  /** True if the next file is likely to lie where the home of such a name does. */
  boolean likely(String name) {
    return stopped || homes.dir(name).medium() == lastMedium;
  }

  /**
   * Leaves the one sorted run of a task where it lies when the task asks for the name of its
   * output: Spark then moves the run there as it is, which between two disks is a copy that nobody
   * claimed. A link moves for nothing.
   */
  void keepSpill(File output) {
    TaskContext task = TaskContext.get();
    Path spill = task != null && output.getName().endsWith(OUTPUT) ? spills.single(task) : null;
    if (spill == null) {
      return;
    }
    // Before it has another name: its length is counted.
    settle(spill);
    BlockHomes.Home from = homes.of(spill.toFile());
    BlockHomes.Home to = homes.of(output);
    if (to != null) {
      unseen.placed(to.dir, output.getName());
    }
    if (from == null || to == null || from.dir.equals(to.dir)) {
      return;
    }
    try {
      synchronized (lockOf(spill)) {
        homes.keep(spill, from.dir, to, output);
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
  @Nullable TieredFile placeSpill(File file, boolean merges) {
    TaskContext task = TaskContext.get();
    long unknown = sizes.learned(file.getName()) ? 0 : placer.tiers().settings().unknownSizeBytes();
    long expected = task == null ? 0 : spills.of(task).next(merges, unknown);
    TieredFile placed = placeIfTaken(file, expected > 0 ? expected : UNKNOWN_SIZE);
    if (placed != null && task != null) {
      spills.of(task).add(placed.bytes(), merges);
    }
    return placed;
  }

  /**
   * Places an output of a map task or what belongs to it. Spark merges what the task has spilled to
   * disk so far, if it did, and what it has in memory.
   */
  TieredFile placeOutput(File file) {
    TaskContext task = TaskContext.get();
    boolean parts = file.getName().contains(".data.");
    long spilled = task != null && parts ? spills.of(task).mergedBytes() : 0;
    return place(file, spilled > 0 ? spilled : UNKNOWN_SIZE);
  }

  /**
   * Deletes a file, and the file that its link leads to if TempTier made it. A process that dies in
   * between leaves bytes without a link, which are swept up.
   */
  boolean delete(Path file, BooleanSupplier deletion) {
    boolean deleted = deleteOnce(file, deletion);
    try {
      return ColdBlocks.withdraw(file) ? deleteOnce(file, deletion) : deleted;
    } catch (IOException e) {
      LOG.debug("Cannot keep a move from {}", file, e);
      return false;
    }
  }

  private boolean deleteOnce(Path file, BooleanSupplier deletion) {
    Path bytes = file;
    long length = -1;
    boolean deleted;
    synchronized (lockOf(file)) {
      try {
        BasicFileAttributes attributes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isSymbolicLink()) {
          bytes = Files.readSymbolicLink(file);
        } else {
          length = attributes.size();
        }
      } catch (NoSuchFileException e) {
        // Its deletion tells.
      } catch (IOException e) {
        LOG.debug("Cannot delete {}, nor what it may lead to", file, e);
        return false;
      }
      deleted = deletion.getAsBoolean();
    }
    if (deleted) {
      unseen.gone(String.valueOf(file.getFileName()));
    }
    // While what a link leads to still has a length.
    placer.settle(bytes, length);
    return deleted && (bytes.equals(file) || deleteTarget(bytes));
  }

  /** Held from the look at a file until the change, so that nobody changes it meanwhile. */
  private Object lockOf(Path file) {
    return locks[Math.floorMod(file.hashCode(), locks.length)];
  }

  /** Says that the file at this path is complete or gone. */
  void settle(Path bytes) {
    placer.settle(bytes);
  }

  /** Deletes the file that a link leads to, if TempTier made it. */
  private boolean deleteTarget(Path bytes) {
    try {
      // Else it is a user's own link: theirs to delete.
      if (homes.of(bytes.toFile()) != null || homes.isAnnexed(bytes)) {
        Files.deleteIfExists(bytes);
      }
      return true;
    } catch (IOException e) {
      LOG.debug("Cannot delete {}", bytes, e);
      return false;
    }
  }

  /** Places nothing from now on. What was placed is still found, settled and deleted. */
  void stop() {
    stopped = true;
    unseen.close();
  }

  /** Settles what is being written and releases every claim; places nothing afterwards. */
  @Override
  public void close() {
    unseen.close();
    placer.close();
  }
}
