// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.DemotionSettings;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.Reason;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.Watermarks;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.FileSystemCapacity;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings complete blocks of the application down while the fastest tier of the node is above its
 * high mark: shuffle outputs, those of executors that have ended included, and cached blocks that
 * were not written lately; the oldest first. One executor of an application does it at a time, as
 * the user that all of them run as.
 *
 * <p>A block is copied, and then a link to the copy takes its place in one step: whoever looks for
 * it finds it whole at every instant, and whoever has it open reads on. A process that dies in
 * between leaves a copy that no link leads to, which is swept up with other orphans.
 *
 * <p>A disk that hangs stops this thread and no task.
 */
final class ColdBlocks implements AutoCloseable {
  /** Held by the executor that does it. */
  static final String LOCK = ".temptier-demotion";

  private static final Logger LOG = LoggerFactory.getLogger(ColdBlocks.class);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** A link in the file's place takes an inode, and a block for a path of usual length. */
  private static final long SMALLEST_BYTES = 16 << 10;

  /** A cached block has its name before it is complete. */
  private static final Duration COLD = Duration.ofSeconds(30);

  /** The defaults of {@code temptier.demotion.high} and {@code .low}. */
  private static final DemotionSettings.Marks MARKS =
      new DemotionSettings.Marks(0.80, false, 0.70, false);

  /** The default of {@code temptier.demotion.rate}, a second. */
  private static final long RATE_BYTES = 64L << 20;

  private static final long PART_BYTES = 1 << 20;

  /** Of a dir with more files the rest waits for the next round. */
  private static final int MOST_BLOCKS = 100_000;

  /** A block that could go down. */
  private record Block(Path file, String home, FileStamp stamp) {}

  private final BlockPlaces places;
  private final Map<LocalDir, FillGauge> gauges = new LinkedHashMap<>();
  private final Placer below;
  private final LongConsumer moved;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "temptier-demotion");
            made.setDaemon(true);
            return made;
          });
  private boolean told;

  /**
   * Does nothing before {@link #start}.
   *
   * @param tiers two or more
   * @param moved told of the bytes of each block
   */
  ColdBlocks(BlockPlaces places, NodeTiers tiers, LongConsumer moved) {
    this(places, tiers, moved, new FileSystemCapacity());
  }

  ColdBlocks(BlockPlaces places, NodeTiers tiers, LongConsumer moved, CapacityProbe probe) {
    this.places = places;
    this.moved = moved;
    Tier fastest = tiers.layout().tiers().get(0);
    fastest
        .dirs()
        .forEach(dir -> gauges.put(dir, new FillGauge(dir, fastest, tiers.settings(), probe)));
    TierLayout slower = tiers.layout().restrictedTo(dir -> !fastest.dirs().contains(dir));
    below = new Placer(new NodeTiers(slower, tiers.settings()), new PlacementListener() {});
  }

  void start() {
    // A round keeps its failures to itself.
    Future<?> unused =
        thread.scheduleWithFixedDelay(
            this::round, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Looks at each dir once. */
  void round() {
    for (Map.Entry<LocalDir, FillGauge> gauge : gauges.entrySet()) {
      try {
        FillGauge.Fill fill = gauge.getValue().read();
        Watermarks marks = MARKS.at(fill.spillFraction());
        long bytes = fill.bytesAbove(marks.high()) < 0 ? 0 : fill.bytesAbove(marks.low());
        long ofCap = fill.capBytesAbove(marks.high()) < 0 ? 0 : fill.capBytesAbove(marks.low());
        if (Math.max(bytes, ofCap) > 0) {
          drain(gauge.getKey(), Math.max(bytes, ofCap));
        }
      } catch (IOException | RuntimeException e) {
        if (!told) {
          told = true;
          LOG.info("Blocks stay on {}; not logged again", gauge.getKey(), e);
        }
      }
    }
  }

  private void drain(LocalDir dir, long bytes) throws IOException {
    Path parent = Objects.requireNonNull(places.homes().parents().get(dir));
    try (FileChannel channel =
            FileChannel.open(parent.resolve(LOCK), Set.of(CREATE, WRITE, NOFOLLOW_LINKS));
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        // Another executor is at it.
        return;
      }
      long left = bytes;
      for (Block block : oldestFirst(parent)) {
        if (left <= 0 || Thread.interrupted()) {
          return;
        }
        left -= move(block) ? block.stamp().bytes() : 0;
      }
    } catch (OverlappingFileLockException e) {
      LOG.debug("Another executor of this JVM is at it", e);
    }
  }

  private List<Block> oldestFirst(Path parent) throws IOException {
    List<Block> blocks = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
      for (Path folder : folders) {
        String name = String.valueOf(folder.getFileName());
        boolean annex = BlockFolders.isAnnex(name);
        if ((annex || name.startsWith(BlockFolders.HOME))
            && Files.isDirectory(folder, NOFOLLOW_LINKS)) {
          look(folder, annex ? BlockFolders.homeOf(name) : name, blocks);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    blocks.sort(Comparator.comparing(block -> block.stamp().modified()));
    return blocks;
  }

  private static void look(Path home, String name, List<Block> blocks) throws IOException {
    try (DirectoryStream<Path> subs = Files.newDirectoryStream(home)) {
      for (Path sub : subs) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(sub)) {
          for (Path file : files) {
            Optional<FileStamp> stamp = FileStamp.find(file);
            if (stamp.filter(found -> complete(file, found)).isPresent()
                && blocks.size() < MOST_BLOCKS) {
              blocks.add(new Block(file, name, stamp.get()));
            }
          }
        }
      }
    }
  }

  /** Spark renames an output when it is complete; a cached block has its name from the start. */
  private static boolean complete(Path file, FileStamp stamp) {
    if (!stamp.regular() || stamp.bytes() < SMALLEST_BYTES || stamp.links() != 1) {
      return false;
    }
    String name = String.valueOf(file.getFileName());
    return switch (FileKind.of(name)) {
      case MAP_OUTPUT -> name.endsWith(".data");
      case CACHED_BLOCK ->
          System.currentTimeMillis() - stamp.modified().toMillis() > COLD.toMillis();
      default -> false;
    };
  }

  private boolean move(Block block) throws IOException {
    String sub = String.valueOf(Objects.requireNonNull(block.file().getParent()).getFileName());
    String name = block.file().getFileName() + "." + UUID.randomUUID();
    Optional<Placer.Placed> placed =
        below.place(
            below.request(
                block.home() + "/" + sub + "/" + name, block.stamp().bytes(), places.application()),
            dir -> folder(dir, block, sub).resolve(name));
    if (placed.isEmpty()) {
      return false;
    }
    Path copy = placed.get().file();
    boolean done = false;
    try {
      if (placed.get().placement().reason() == Reason.OVER_RESERVE) {
        // Good enough for a file that has to be written, not for one that has a place.
        return false;
      }
      copy(block, copy);
      done = places.replace(block.file(), block.stamp(), copy);
      if (done) {
        moved.accept(block.stamp().bytes());
      }
      return done;
    } finally {
      if (!done) {
        Files.deleteIfExists(copy);
      }
      below.settle(copy);
    }
  }

  /** Made within the application's folder, which is not. */
  private Path folder(LocalDir dir, Block block, String sub) throws IOException {
    Path annex =
        Objects.requireNonNull(places.homes().parents().get(dir))
            .resolve(BlockFolders.annex(block.home()));
    Path model = Objects.requireNonNull(block.file().getParent());
    for (Path missing : List.of(annex, annex.resolve(sub))) {
      try {
        Files.createDirectory(missing);
        Files.setPosixFilePermissions(
            missing,
            Files.getPosixFilePermissions(
                missing.equals(annex) ? Objects.requireNonNull(model.getParent()) : model));
      } catch (FileAlreadyExistsException e) {
        // As it should be.
      }
    }
    return annex.resolve(sub);
  }

  private static void copy(Block block, Path copy) throws IOException {
    try (FileChannel in = FileChannel.open(block.file(), Set.of(READ, NOFOLLOW_LINKS));
        FileChannel out = FileChannel.open(copy, CREATE_NEW, WRITE)) {
      Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(block.file()));
      long began = System.nanoTime();
      for (long at = 0; at < block.stamp().bytes(); ) {
        long part = in.transferTo(at, Math.min(PART_BYTES, block.stamp().bytes() - at), out);
        if (part <= 0) {
          throw new IOException(block.file() + " became shorter");
        }
        at += part;
        long due = began + at * TimeUnit.SECONDS.toNanos(1) / RATE_BYTES;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      }
      // What is not on the disk yet is not the only copy.
      out.force(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the executor ends", e);
    }
  }

  /** Ends. A copy that is under way is left behind if its disk hangs. */
  @Override
  public void close() {
    thread.shutdownNow();
    below.close();
  }
}
