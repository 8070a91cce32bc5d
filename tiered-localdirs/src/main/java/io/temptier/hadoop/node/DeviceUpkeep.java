// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.room.DirView;
import io.temptier.tier.room.GaugeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the roots on one device, on threads of its own, so that a hung disk holds up nobody
 * else: once a second it keeps TempTier's folders in order, publishes what tasks want to know,
 * drops the claims of dead processes, and reads how full the device is; less often while no
 * application is there. Metrics show its last reading and never touch a disk themselves.
 */
final class DeviceUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceUpkeep.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static final Duration IDLE_PERIOD = Duration.ofSeconds(5);

  /** Inodes are used up slowly; tasks trust a number that is 30 s old at most. */
  private static final Duration INODES_PERIOD = Duration.ofMillis(RootUpkeep.INODES_MILLIS);

  private static final Duration IDLE_INODES_PERIOD = INODES_PERIOD.multipliedBy(2);

  /** A reader that was set aside reads nothing more; a new one tries again after a while. */
  private static final long RETRY_NANOS = Duration.ofSeconds(30).toNanos();

  private final NodeTiers tiers;
  private final List<RootUpkeep> roots;
  private final Predicate<LocalDir> hung;
  private final PlacementTally tally;
  private final NodeApplications applications;
  private final PeriodicDaemon daemon;
  private final PeriodicDaemon measuring;
  private Set<LocalDir> readDirs = Immutable.setOf();
  private @Nullable GaugeSet reader;
  private long readerSinceNanos;
  private boolean measureFailed;
  private volatile List<DirView> views = Immutable.listOf();

  /** True if nothing is wrong, and there is no application whose files need room. */
  private volatile boolean idle;

  /** Upkeep of dirs that lie on one device; {@code tiers} are the node's, {@code hung} no I/O. */
  DeviceUpkeep(
      NodeTiers tiers,
      List<LocalDir> dirs,
      Predicate<LocalDir> hung,
      Function<Path, InodeCounts> inodes,
      PlacementTally tally,
      NodeApplications applications) {
    this.tiers = tiers;
    this.hung = hung;
    this.tally = tally;
    this.applications = applications;
    this.roots =
        dirs.stream()
            .map(dir -> new RootUpkeep(dir, tiers, inodes, System::currentTimeMillis))
            .collect(Immutable.toList());
    this.daemon =
        new PeriodicDaemon(
            "TempTier upkeep of " + dirs.get(0).path(),
            () -> idle ? IDLE_PERIOD : PERIOD,
            this::round);
    boolean walks = dirs.stream().anyMatch(LocalDir::capped);
    // Apart, because a walk of a large dir takes minutes.
    this.measuring =
        new PeriodicDaemon(
            "TempTier usage of " + dirs.get(0).path(),
            () -> walks ? PERIOD : idle ? IDLE_INODES_PERIOD : INODES_PERIOD,
            this::measure);
  }

  void start() {
    daemon.start();
    measuring.start();
  }

  /** The dirs of the device as last read; those missing, failed or hung are left out. No I/O. */
  List<DirView> views() {
    return views.stream().filter(view -> !hung.test(view.dir())).collect(Immutable.toList());
  }

  /**
   * Puts the folders and markers in order, which takes no longer than a few file system calls. For
   * whoever sets the node up, before the start.
   */
  void publish() {
    roots.forEach(this::keep);
  }

  private void round() {
    idle = false;
    Set<LocalDir> present = new HashSet<>();
    for (RootUpkeep root : roots) {
      if (keep(root)) {
        present.add(root.dir());
      }
    }
    Map<String, String> users = applications.present();
    Set<String> containers = applications.containers();
    roots.stream()
        .filter(root -> present.contains(root.dir()))
        .forEach(root -> root.sweep().sweep(users, containers));
    views = read(present);
    idle = users.isEmpty() && conditions().stream().noneMatch(dir -> dir.trouble().isPresent());
  }

  /** Puts a root in order; false when no file is to go there. */
  private boolean keep(RootUpkeep root) {
    Path path = root.dir().path();
    try {
      boolean restored = root.publish();
      if (root.whyLost().isPresent()) {
        return trouble(root, root.whyLost().get());
      }
      if (!root.inOrder()) {
        return trouble(root, "the dir does not exist: mount its disk, or make it for this user");
      }
      if (!takesFiles(path)) {
        return trouble(root, closed(path));
      }
      tally.add(TierCounter.ROOTS_RESTORED, restored ? 1 : 0);
      if (root.trouble(Optional.empty()) || restored) {
        LOG.info("TempTier's folder in {} is in order again", path);
        measuring.wake();
      }
      return true;
    } catch (IOException | RuntimeException e) {
      tally.add(TierCounter.UPKEEP_ERRORS, 1);
      boolean closed = Files.isDirectory(path) && !takesFiles(path);
      trouble(root, closed ? closed(path) : why(e));
      return Files.isDirectory(path) && !closed;
    }
  }

  private static boolean takesFiles(Path dir) {
    return Files.isWritable(dir) && Files.isExecutable(dir);
  }

  /** Explains why YARN drops a dir that this user may not write to. */
  private static String closed(Path dir) {
    String mode;
    try {
      mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(dir));
    } catch (IOException e) {
      mode = "not readable";
    }
    return String.format(
        "user %s may not write to it (mode %s, or its file system is read-only), and YARN drops"
            + " it. Give it to that user with mode 755, or remount it; it is taken back within"
            + " seconds",
        System.getProperty("user.name"), mode);
  }

  List<RootUpkeep.DirCondition> conditions() {
    return roots.stream().map(RootUpkeep::condition).collect(Immutable.toList());
  }

  private void measure() {
    for (RootUpkeep root : roots) {
      try {
        root.measure();
      } catch (IOException | RuntimeException e) {
        tally.add(TierCounter.UPKEEP_ERRORS, 1);
        if (!measureFailed) {
          measureFailed = true;
          LOG.warn(
              "Cannot publish the state of {} ({}); tasks measure for themselves meanwhile. Is its"
                  + " disk full or read-only? Tried again within seconds, not logged again.",
              root.dir().path(),
              why(e));
        }
      }
    }
  }

  private List<DirView> read(Set<LocalDir> present) {
    GaugeSet current = reader;
    boolean retry = System.nanoTime() - readerSinceNanos > RETRY_NANOS;
    boolean setAside = views.size() < readDirs.size();
    if (current == null || !present.equals(readDirs) || (setAside && retry)) {
      reader = null;
      readDirs = present;
      readerSinceNanos = System.nanoTime();
      if (present.isEmpty()) {
        return Immutable.listOf();
      }
      NodeTiers readable = tiers.over(tiers.layout().restrictedTo(present::contains));
      current = GaugeSet.ofNode(readable);
      reader = current;
    }
    return current.view();
  }

  /** The text of what was thrown here, in sentences; the JDK's texts are paths. */
  private static String why(Exception e) {
    return e.getClass() == IOException.class ? String.valueOf(e.getMessage()) : e.toString();
  }

  /** Logs once that a root is in trouble, again only when the trouble is another; false. */
  private boolean trouble(RootUpkeep root, String problem) {
    if (!root.trouble(Optional.of(problem))) {
      return false;
    }
    if (root.whyLost().isPresent()) {
      LOG.error("Local dir {} is lost, files go to the others: {}", root.dir(), problem);
    } else {
      LOG.warn(
          "TempTier's folder in {} is not in order: {}. Tasks there find out for themselves what"
              + " the NodeManager would have told them. Tried again every second, not logged"
              + " again.",
          root.dir().path(),
          problem);
    }
    return false;
  }

  @Override
  public void close() {
    measuring.close();
    daemon.close();
  }
}
