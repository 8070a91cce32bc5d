// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.Threads;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.FillGauge;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings complete blocks of Spark down while the fastest tier of the node is above its high mark,
 * or is being drained: shuffle outputs, those of executors that have ended included, and cached
 * blocks that were not written lately; the oldest first. On YARN the NodeManager does it, elsewhere
 * each executor for its own.
 *
 * <p>A block is copied, and then a link to the copy takes its place in one step: whoever looks for
 * it finds it whole at every instant, and whoever has it open reads on. A process that dies in
 * between leaves a copy that no link leads to, which is swept up with other orphans.
 *
 * <p>Whoever has deleted a block then takes away the link that a move would put in its place
 * ({@link #withdraw}): a move neither brings back what was deleted, nor replaces what is written
 * later.
 *
 * <p>A disk that hangs stops the thread of {@link #round} and no task.
 */
public final class ColdBlocks implements AutoCloseable {
  /** A file in the folder of an application whose blocks the NodeManager may move. */
  public static final String SHARED = ".temptier-demotion";

  /** What the name of a link begins with before it takes a file's place. */
  public static final String TEMPORARY_LINK = SHARED + ".";

  /** The same of the link of a move, before the name of the block. */
  static final String TOKEN = TEMPORARY_LINK + "move.";

  private static final Logger LOG = LoggerFactory.getLogger(ColdBlocks.class);

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  /** A look at many files that moved none is followed by so many times of rest. */
  private static final int REST_FACTOR = 20;

  private static final Duration LONGEST_REST = Duration.ofMinutes(1);

  @AutoValue
  public abstract static class Blocks {
    /** Application that claims are counted for. */
    public abstract String application();

    /** The folders that hold its homes, by local dir. */
    public abstract Map<LocalDir, Path> folders();

    /** The names of those that are looked at; empty for all of the application's. */
    public abstract Set<String> homes();

    /** Moves them where they are another user's than this process's. */
    public abstract Optional<AsUser> asUser();

    /** The application's folder in a dir; throws when it has none there. */
    public Path folder(LocalDir dir) throws Placer.PathRefusedException {
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
      return new AutoValue_ColdBlocks_Blocks(application, folders, homes, Optional.empty());
    }

    /** All of an application of another user's. */
    public static Blocks ofOther(String application, Map<LocalDir, Path> folders, AsUser asUser) {
      folders = Immutable.copyOf(folders);
      return new AutoValue_ColdBlocks_Blocks(
          application, folders, Immutable.setOf(), Optional.of(asUser));
    }
  }

  @FunctionalInterface
  public interface AsUser {
    /**
     * Moves the oldest.
     *
     * @param bytes that are to leave the dir
     * @param below chooses among the slower dirs
     * @return how many did
     */
    long move(Blocks blocks, LocalDir from, long bytes, Placer below) throws IOException;
  }

  private final DemotionSettings.Marks marks;
  private final Map<LocalDir, FillGauge> gauges = new LinkedHashMap<>();
  private final Placer below;
  private final Pace pace;
  private final BiConsumer<PlacementRequest, Placement> moved;
  private long restUntilNanos = System.nanoTime();
  private boolean logged;

  private volatile List<LinkReserve> held = Immutable.listOf();

  /**
   * Moves nothing before a {@link #round}.
   *
   * @param tiers two or more, with the marks of the fastest
   * @param pace what may be written
   * @param moved told of each block, by which request its copy was placed, and where; the request's
   *     bytes are the size
   * @param probe tells how full the file systems are
   */
  public ColdBlocks(
      NodeTiers tiers,
      Pace pace,
      BiConsumer<PlacementRequest, Placement> moved,
      Capacity.Probe probe) {
    this.pace = pace;
    this.moved = moved;
    Tier fastest = tiers.layout().tiers().get(0);
    this.marks = tiers.demotion().marks();
    fastest
        .dirs()
        .forEach(dir -> gauges.put(dir, new FillGauge(dir, fastest, tiers.settings(), probe)));
    TierLayout slower = tiers.layout().restrictedTo(dir -> !fastest.dirs().contains(dir));
    below = new Placer(tiers.over(slower), new PlacementListener() {});
  }

  /** Holds room back for links to these blocks from now on, until {@link #close}. */
  public void reserve(Blocks blocks) {
    String home = blocks.homes().stream().sorted().findFirst().map(name -> "." + name).orElse("");
    held =
        blocks.folders().entrySet().stream()
            .filter(folder -> gauges.containsKey(folder.getKey()))
            .map(folder -> LinkReserve.of(folder.getValue(), SHARED + home))
            .collect(Immutable.toList());
  }

  public void reserveForAll() {
    held =
        gauges.keySet().stream()
            .map(dir -> LinkReserve.of(dir.path().resolve(NodeMarker.DIR), "blocks"))
            .collect(Immutable.toList());
  }

  /** Lets the NodeManager move the blocks of an application that has these folders. */
  public static void share(Collection<Path> folders) {
    for (Path folder : folders) {
      try {
        Files.createFile(folder.resolve(SHARED));
      } catch (FileAlreadyExistsException e) {
        // By another executor.
      } catch (IOException e) {
        LOG.debug("Blocks in {} stay there", folder, e);
      }
    }
  }

  static Path token(Path name) {
    return name.resolveSibling(TOKEN + name.getFileName());
  }

  /**
   * Keeps a move from putting its link in the place of a block that was deleted. A move makes that
   * link before it looks whether the block is still there, so none that saw the block has a link
   * left; done before the deletion, it would miss a move that begins in between.
   *
   * @param name where readers look for it
   * @return true if a move was faster: its link is there, and is to be deleted like the block
   */
  public static boolean withdraw(Path name) throws IOException {
    if (!BlockFolders.mayBeBlock(String.valueOf(name.getFileName()))) {
      return false;
    }
    Files.deleteIfExists(token(name));
    return Files.isSymbolicLink(name);
  }

  /**
   * Says that a cached block, which has its name from the start, is being written, or is whole: one
   * that is being written stays where it is.
   */
  public static void beingWritten(File block, boolean writing) {
    boolean unused = block.setExecutable(writing);
  }

  /** Looks at each dir once, and asks {@code whose} where there is too much. For one thread. */
  public void round(Supplier<List<Blocks>> whose) {
    held.forEach(LinkReserve::hold);
    if (System.nanoTime() - restUntilNanos < 0) {
      return;
    }
    for (Map.Entry<LocalDir, FillGauge> gauge : gauges.entrySet()) {
      try {
        long bytes = tooMuch(gauge.getKey(), gauge.getValue());
        if (bytes > 0) {
          drain(whose.get(), gauge.getKey(), bytes);
        }
      } catch (IOException | RuntimeException e) {
        stay(gauge.getKey(), e);
      }
    }
  }

  private void stay(LocalDir dir, Exception e) {
    if (!logged) {
      logged = true;
      LOG.info("Blocks stay on {}; not logged again", dir, e);
    }
  }

  private long tooMuch(LocalDir dir, FillGauge gauge) throws IOException {
    if (NodeMarker.draining(dir.path())) {
      return Long.MAX_VALUE;
    }
    FillGauge.Fill fill = gauge.read();
    if (!fill.showsMoves()) {
      // What has just gone still counts.
      return 0;
    }
    DemotionSettings.Marks watermarks = marks.at(fill.spillFraction());
    long bytes = fill.bytesAbove(watermarks.high()) < 0 ? 0 : fill.bytesAbove(watermarks.low());
    long ofCap =
        fill.capBytesAbove(watermarks.high()) < 0 ? 0 : fill.capBytesAbove(watermarks.low());
    return Math.max(bytes, ofCap);
  }

  private void drain(List<Blocks> all, LocalDir dir, long bytes) {
    long gone = 0;
    for (Blocks blocks : all) {
      if (gone >= bytes || !blocks.folders().containsKey(dir)) {
        continue;
      }
      long began = System.nanoTime();
      long moved = move(blocks, dir, bytes - gone);
      if (moved == 0) {
        long ended = System.nanoTime();
        restUntilNanos = ended + Math.min(REST_FACTOR * (ended - began), LONGEST_REST.toNanos());
      } else {
        Objects.requireNonNull(gauges.get(dir)).moved();
      }
      gone += moved;
    }
  }

  /** What one application does to its folders keeps no other one's blocks from moving. */
  private long move(Blocks blocks, LocalDir dir, long bytes) {
    try {
      return blocks.asUser().isPresent()
          ? blocks.asUser().get().move(blocks, dir, bytes, below)
          : drain(blocks, dir, bytes);
    } catch (IOException | RuntimeException e) {
      stay(dir, e);
      return 0;
    }
  }

  private long drain(Blocks blocks, LocalDir dir, long bytes) throws IOException {
    List<LinkReserve> reserves = new ArrayList<>(held);
    reserves.removeIf(reserve -> !reserve.folder().startsWith(dir.path()));
    reserves.add(LinkReserve.ofNode(dir.path()));
    BiConsumer<PlacementRequest, LocalDir> told =
        (request, to) -> moved.accept(request, FillGauge.demotion(dir, to));
    long gone = 0;
    for (CompleteBlock block : CompleteBlock.oldestFirst(blocks, dir)) {
      if (gone >= bytes || Thread.interrupted()) {
        break;
      }
      if (block.move(blocks, below, pace, reserves, told)) {
        Objects.requireNonNull(gauges.get(dir)).moved();
        gone += block.stamp().bytes();
      }
    }
    return gone;
  }

  /**
   * Replaces a file by the link to its copy, unless the file changed or the link was {@link
   * #withdraw}n.
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

  /** Ends, once rounds have. What it waits for is left behind if its disk hangs. */
  @Override
  public void close() {
    Threads.endWithin(
        CLOSE_WAIT,
        "temptier-demotion",
        () -> {
          // Claims lie on the disks as well.
          below.close();
          held.forEach(LinkReserve::drop);
        });
  }
}
