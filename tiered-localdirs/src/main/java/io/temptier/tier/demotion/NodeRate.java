// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.thread.TimedCalls;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mover's share of the rate at which demotion may write on a node. Each mover, in whatever
 * process and of whatever user, has an empty file in a folder of the node's while it moves. The
 * time of the file says how long that will be at least. Users share the rate evenly, however many
 * files they have, and a user's movers share that user's part.
 *
 * <p>Where there is no such folder, as outside YARN, a mover is alone. Safe for use by many
 * threads; only one of them at a time waits for the dirs, and for none longer than {@link
 * #PATIENCE}: one that hangs stops no move between others.
 */
public final class NodeRate implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRate.class);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Time for which a mover counts as moving after a look and the writing that this look allowed.
   */
  private static final Duration SPARE = Duration.ofSeconds(3);

  /** A file that announces a longer move is not TempTier's. */
  private static final Duration LONGEST = Duration.ofHours(1);

  /** Index of a mover that cannot say that it moves, as in a container that may not write there. */
  private static final int UNKNOWN = -1;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final TimedCalls CALLS = new TimedCalls("TempTier movers", 1);

  /** More movers than a node has: files beyond them are a hostile user's. */
  private static final int MOST_MOVERS = 1024;

  private final List<Path> roots;
  private final long nodeBytes;
  private final String name = UUID.randomUUID().toString();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long nextLookNanos = System.nanoTime();
  private volatile long shareBytes;
  private volatile @Nullable Path ownRoot;
  private final Pace pace;

  /**
   * Moves nothing yet.
   *
   * @param roots the local dirs of the node, fastest first
   * @param nodeBytes what all movers together may write, a second
   */
  public NodeRate(List<Path> roots, long nodeBytes) {
    this.roots = Immutable.copyOf(roots);
    this.nodeBytes = nodeBytes;
    this.shareBytes = nodeBytes;
    this.pace = new Pace(nodeBytes, this::nanosFor);
  }

  /** All moves of this mover go by it. */
  public Pace pace() {
    return pace;
  }

  /** Returns the bytes a second that this mover may write now. */
  long shareBytes() {
    return shareBytes;
  }

  /**
   * Returns the nanoseconds that writing so many bytes is to take. Asked before they are written.
   */
  public long nanosFor(long bytes) {
    if (System.nanoTime() - nextLookNanos >= 0 && looking.compareAndSet(false, true)) {
      try {
        look(bytes);
      } finally {
        nextLookNanos = System.nanoTime() + LOOK_NANOS;
        looking.set(false);
      }
    }
    return nanos(bytes, shareBytes);
  }

  /**
   * Returns the nanoseconds at a rate; in whole numbers 9 GB would be more nanoseconds than there
   * are.
   */
  static long nanos(long bytes, long bytesPerSecond) {
    return (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
  }

  private void look(long bytes) {
    long now = System.currentTimeMillis();
    // While it still has its last share another mover may come.
    long writes = TimeUnit.NANOSECONDS.toMillis(nanos(bytes, shareBytes));
    int uid = announce(FileTime.fromMillis(now + writes + SPARE.toMillis()));
    List<Integer> others = new ArrayList<>();
    for (Path root : roots) {
      try {
        others.addAll(CALLS.call(root, PATIENCE, () -> othersIn(NodeMarker.movers(root), now)));
      } catch (IOException e) {
        LOG.debug("Movers in {} are not counted", root, e);
      }
    }
    shareBytes = share(nodeBytes, uid, others);
  }

  /** The share of one mover of a user, beside others, by the user of each. */
  static long share(long nodeBytes, int uid, List<Integer> others) {
    Set<Integer> users = new HashSet<>(others);
    users.add(uid);
    long same = 1 + others.stream().filter(other -> other == uid).count();
    return Math.max(1, nodeBytes / users.size() / same);
  }

  /** Makes or renews the file of this mover; returns its user, or {@link #UNKNOWN}. */
  private int announce(FileTime until) {
    List<Path> inOrder = new ArrayList<>(roots);
    // The one that took it before first: another file would count as another mover.
    inOrder.sort(Comparator.comparing(root -> !root.equals(ownRoot)));
    for (Path root : inOrder) {
      Path file = NodeMarker.movers(root).resolve(name);
      try {
        int uid =
            CALLS.call(
                root,
                PATIENCE,
                () -> {
                  if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createFile(file);
                  }
                  Files.setLastModifiedTime(file, until);
                  return FileStamp.of(file).uid();
                });
        ownRoot = root;
        return uid;
      } catch (IOException e) {
        LOG.debug("{} takes no mover", file, e);
      }
    }
    return UNKNOWN;
  }

  private List<Integer> othersIn(Path folder, long now) throws IOException {
    List<Integer> uids = new ArrayList<>();
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return uids;
    }
    int seen = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (++seen > MOST_MOVERS) {
          break;
        }
        if (!file.endsWith(name)) {
          FileStamp.findAnybodys(file)
              .filter(stamp -> moves(stamp, now))
              .ifPresent(stamp -> uids.add(stamp.uid()));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return uids;
  }

  private static boolean moves(FileStamp stamp, long now) {
    long left = stamp.modified().toMillis() - now;
    return left > 0 && left < LONGEST.toMillis();
  }

  /** Deletes what killed movers left. For the NodeManager, whose folders they are. */
  public static void sweep(List<Path> roots, long nowMillis) {
    for (Path root : roots) {
      Path folder = NodeMarker.movers(root);
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          if (!FileStamp.findAnybodys(file).filter(stamp -> moves(stamp, nowMillis)).isPresent()) {
            delete(file);
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        LOG.debug("{} is swept later", folder, e);
      }
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("{} stays", file, e);
    }
  }

  /** Leaves its share to the others. */
  @Override
  public void close() {
    Path root = ownRoot;
    if (root == null) {
      return;
    }
    Path file = NodeMarker.movers(root).resolve(name);
    try {
      CALLS.call(root, PATIENCE, () -> Files.deleteIfExists(file));
    } catch (IOException e) {
      LOG.debug("{} is swept later", file, e);
    }
  }
}
