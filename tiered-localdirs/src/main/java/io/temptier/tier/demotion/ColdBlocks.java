// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.Watermarks;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings complete blocks of Spark down while the fastest tier of the node is above its high mark,
 * or is being drained: shuffle outputs, those of executors that have ended included, and cached
 * blocks that were not written lately; the oldest first. One process of an application does it at a
 * time: an executor, as the user that all of them run as, or the NodeManager where none is left.
 *
 * <p>A block is copied, and then a link to the copy takes its place in one step: whoever looks for
 * it finds it whole at every instant, and whoever has it open reads on. A process that dies in
 * between leaves a copy that no link leads to, which is swept up with other orphans.
 *
 * <p>A disk that hangs stops this thread and no task.
 */
public final class ColdBlocks implements AutoCloseable {
  /**
   * Held by the process that moves an application's blocks, or deletes them ({@link #alone}). Where
   * it lies they may be moved by whoever is this application's user.
   */
  public static final String LOCK = ".temptier-demotion";

  /** Prefix of a link's name before it takes a file's place. */
  public static final String TEMPORARY_LINK = LOCK + ".";

  private static final Logger LOG = LoggerFactory.getLogger(ColdBlocks.class);

  /** Lock files that this process has open. */
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

  private static final String THREAD = "temptier-demotion";
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  /** A look at many files that moved none is followed by so many times of rest. */
  private static final int REST_FACTOR = 20;

  private static final Duration LONGEST_REST = Duration.ofMinutes(1);

  /** Blocks that go down, by their owner. */
  @AutoValue
  public abstract static class Blocks {
    /** Application that claims are counted for. */
    public abstract String application();

    /** The folders that hold its homes, by local dir. */
    public abstract Map<LocalDir, Path> folders();

    /**
     * The names of those that are looked at; empty for all of the application's, which then are one
     * process's at a time.
     */
    public abstract Set<String> homes();

    /**
     * The folder of the application in a dir.
     *
     * @throws Placer.PathRefusedException when it has none there
     */
    Path folder(LocalDir dir) throws Placer.PathRefusedException {
      Path folder = folders().get(dir);
      if (folder == null) {
        throw new Placer.PathRefusedException(
            new IOException(application() + " has no folder in " + dir));
      }
      return folder;
    }

    public static Blocks of(String application, Map<LocalDir, Path> folders, Set<String> homes) {
      folders = Immutable.copyOf(folders);
      homes = Immutable.copyOf(homes);
      return new AutoValue_ColdBlocks_Blocks(application, folders, homes);
    }
  }

  private final DemotionSettings.Marks marks;
  private final NodeRate rate;
  private final Map<LocalDir, FillGauge> gauges = new LinkedHashMap<>();
  private final BlockMover mover;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Threads.daemons(THREAD));
  private long restUntilNanos = System.nanoTime();
  private boolean logged;

  /** Dir that the one thread looks at. */
  private LocalDir from;

  private volatile List<LinkReserve> held = Immutable.listOf();

  /**
   * Makes a daemon that does nothing before {@link #start}.
   *
   * @param tiers two or more, with the marks of the fastest
   * @param rate what may be written; closed with this
   * @param owner {@link #replace}, for one
   * @param moved told of each block, by which request its copy was placed, and where; the request's
   *     bytes are the size
   * @param probe tells how full the file systems are
   */
  public ColdBlocks(
      NodeTiers tiers,
      NodeRate rate,
      FileMover.Owner owner,
      BiConsumer<PlacementRequest, Placement> moved,
      CapacityProbe probe) {
    this.rate = rate;
    Tier fastest = tiers.layout().tiers().get(0);
    this.marks = tiers.demotion().marksOf(fastest.medium());
    fastest
        .dirs()
        .forEach(dir -> gauges.put(dir, new FillGauge(dir, fastest, tiers.settings(), probe)));
    TierLayout slower = tiers.layout().restrictedTo(dir -> !fastest.dirs().contains(dir));
    Placer below = new Placer(tiers.over(slower), new PlacementListener() {});
    from = fastest.dirs().get(0);
    mover =
        new BlockMover(
            below,
            rate,
            owner,
            (request, placement) ->
                moved.accept(request, FillGauge.demotion(from, placement.dir())));
  }

  /**
   * Begins to look, every second.
   *
   * @param whose asked when there is too much on a fast dir
   */
  public void start(Supplier<List<Blocks>> whose) {
    // A round keeps its failures to itself.
    Future<?> unused =
        thread.scheduleWithFixedDelay(
            () -> round(whose), PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Holds room back for links to its blocks from now on, until {@link #close}. */
  public void reserve(Blocks blocks) {
    held =
        blocks.folders().entrySet().stream()
            .filter(folder -> gauges.containsKey(folder.getKey()))
            .map(folder -> own(blocks, folder.getValue()))
            .collect(Immutable.toList());
  }

  /** The process's own; the folder may be others', too. */
  private static LinkReserve own(Blocks blocks, Path folder) {
    String name = blocks.homes().stream().sorted().findFirst().map(home -> "." + home).orElse("");
    return LinkReserve.of(folder, LOCK + name);
  }

  /** Lets other processes of the application's user move its blocks, soon. */
  public void share(Blocks blocks) {
    thread.execute(
        () -> {
          for (LocalDir dir : gauges.keySet()) {
            try {
              Files.createFile(blocks.folder(dir).resolve(LOCK));
            } catch (FileAlreadyExistsException e) {
              // By another executor.
            } catch (IOException e) {
              LOG.debug("Blocks in {} are moved by executors only", dir, e);
            }
          }
        });
  }

  /** Work on an application's blocks that one thread of one process does at a time. */
  @FunctionalInterface
  public interface Work {
    /** Runs it, and returns how much was done. */
    long run() throws IOException;
  }

  /**
   * Moves or deletes blocks while nobody else does: a move that stands still is not seen by what
   * lies on the disks, as a copy has the times of its file. Who is killed is at it no longer.
   *
   * @param folders of the application, in dirs that blocks are moved out of
   * @return 0 where somebody else is at it in any of them
   */
  public static long alone(List<Path> folders, Work work) throws IOException {
    if (folders.isEmpty()) {
      return work.run();
    }
    Path lock = folders.get(0).resolve(LOCK);
    // Within this process by name: to close the file once more would give up the first one's lock.
    if (!LOCKED.add(lock)) {
      return 0;
    }
    try (FileChannel channel =
            FileChannel.open(lock, Immutable.setOf(CREATE, WRITE, NOFOLLOW_LINKS));
        FileLock held = channel.tryLock()) {
      return held == null ? 0 : alone(folders.subList(1, folders.size()), work);
    } finally {
      LOCKED.remove(lock);
    }
  }

  /**
   * Says that a cached block, which has its name from the start, is being written, or is whole: one
   * that is being written stays where it is.
   */
  public static void beingWritten(File block, boolean writing) {
    boolean unused = block.setExecutable(writing);
  }

  /** Looks at each dir once. For one thread. */
  public void round(Supplier<List<Blocks>> whose) {
    held.forEach(LinkReserve::hold);
    if (System.nanoTime() - restUntilNanos < 0) {
      return;
    }
    for (Map.Entry<LocalDir, FillGauge> gauge : gauges.entrySet()) {
      try {
        from = gauge.getKey();
        long bytes = tooMuch(gauge.getKey(), gauge.getValue());
        if (bytes > 0) {
          drain(whose.get(), gauge.getKey(), bytes);
        }
      } catch (IOException | RuntimeException e) {
        if (!logged) {
          logged = true;
          LOG.info("Blocks stay on {}; not logged again", gauge.getKey(), e);
        }
      }
    }
  }

  /** Bytes that are to leave a dir now. */
  private long tooMuch(LocalDir dir, FillGauge gauge) throws IOException {
    if (NodeMarker.draining(dir.path())) {
      return Long.MAX_VALUE;
    }
    FillGauge.Fill fill = gauge.read();
    if (!fill.showsMoves()) {
      // What has just gone still counts.
      return 0;
    }
    Watermarks watermarks = marks.at(fill.spillFraction());
    long bytes = fill.bytesAbove(watermarks.high()) < 0 ? 0 : fill.bytesAbove(watermarks.low());
    long ofCap =
        fill.capBytesAbove(watermarks.high()) < 0 ? 0 : fill.capBytesAbove(watermarks.low());
    return Math.max(bytes, ofCap);
  }

  private void drain(List<Blocks> all, LocalDir dir, long bytes) throws IOException {
    long gone = 0;
    for (Blocks blocks : all) {
      Path folder = blocks.folders().get(dir);
      if (folder == null || gone >= bytes) {
        continue;
      }
      long left = bytes - gone;
      // These homes are this process's, and the folder may be other users', too.
      List<Path> locked = blocks.homes().isEmpty() ? Immutable.listOf(folder) : Immutable.listOf();
      gone += alone(locked, () -> drain(blocks, dir, folder, left));
    }
  }

  private long drain(Blocks blocks, LocalDir dir, Path folder, long bytes) throws IOException {
    List<LinkReserve> reserves =
        Immutable.listOf(own(blocks, folder), LinkReserve.ofNode(dir.path()));
    long began = System.nanoTime();
    long gone = 0;
    for (CompleteBlock block :
        CompleteBlock.oldestFirst(folder, blocks.homes(), blocks.folders().values())) {
      if (gone >= bytes || Thread.interrupted()) {
        break;
      }
      if (mover.move(blocks, block, reserves)) {
        Objects.requireNonNull(gauges.get(dir)).moved();
        gone += block.stamp().bytes();
      }
    }
    if (gone == 0) {
      long ended = System.nanoTime();
      restUntilNanos = ended + Math.min(REST_FACTOR * (ended - began), LONGEST_REST.toNanos());
    }
    return gone;
  }

  /**
   * Replaces a file by the link to its copy, as its owner does where nobody deletes and makes files
   * again meanwhile.
   *
   * @param file the one that was copied, or a link to it
   * @return whether it was still the file that was copied
   */
  public static boolean replace(Path file, FileStamp copied, Path link) throws IOException {
    Path bytes = Files.isSymbolicLink(file) ? Files.readSymbolicLink(file) : file;
    if (!FileStamp.find(bytes).filter(copied::unchanged).isPresent()) {
      return false;
    }
    FileMover.exchange(link, file);
    if (!bytes.equals(file)) {
      // They are on another disk than the link.
      FileMover.flushFolder(Objects.requireNonNull(file.getParent()));
      FileMover.delete(bytes);
    }
    return true;
  }

  /** Ends. A copy that is under way is left behind if its disk hangs. */
  @Override
  public void close() {
    Threads.endWithin(
        CLOSE_WAIT,
        THREAD,
        () -> {
          thread.shutdownNow();
          // Claims lie on the disks as well.
          mover.close();
          rate.close();
          if (thread.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            // What is the application's serves others of its processes, and goes with it.
            held.stream()
                .filter(reserve -> !reserve.name().equals(LOCK))
                .forEach(LinkReserve::drop);
          }
        });
  }
}
