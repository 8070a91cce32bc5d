// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.node.device.DeviceMonitor;
import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.os.Threads;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.DirView;
import io.temptier.tier.room.SharedRoom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;

/**
 * TempTier in a NodeManager where it places the files: it chooses their dirs, looks after those and
 * what lies below them, and writes down applications' totals.
 */
final class NodeWork implements AutoCloseable {
  /** The key of the good local dirs, in the handler's own configuration. */
  private static final String GOOD_DIRS = YarnConfiguration.NM_PREFIX + "good-local-dirs";

  private static final Set<ContainerState> ENDED =
      EnumSet.of(
          ContainerState.EXITED_WITH_SUCCESS,
          ContainerState.EXITED_WITH_FAILURE,
          ContainerState.DONE);

  private static final String TASK = "org.apache.hadoop.mapred.YarnChild";

  private static final Duration SCAN_PERIOD = Duration.ofSeconds(1);
  private static final Duration SCAN_PATIENCE = Duration.ofSeconds(1);

  /**
   * The inodes of all dirs of a node, asked for together: each question costs a process. Safe for
   * use by many threads, which wait for each other; for a dir that has just begun to hang they wait
   * five seconds.
   */
  static final class Inodes {
    private static final long FRESH_NANOS = 10_000_000_000L;

    private final List<LocalDir> dirs;
    private final Predicate<LocalDir> hung;
    private final Map<Path, InodeCounts> counts = new HashMap<>();
    private long askedNanos = System.nanoTime() - FRESH_NANOS;

    /** {@code hung} says whether a dir does not answer, which is left out. */
    Inodes(List<LocalDir> dirs, Predicate<LocalDir> hung) {
      this.dirs = dirs;
      this.hung = hung;
    }

    /** Returns the inodes of one dir, ten seconds old at most where it answers. */
    synchronized InodeCounts of(Path dir) {
      if (System.nanoTime() - askedNanos >= FRESH_NANOS) {
        List<Path> asked = new ArrayList<>();
        dirs.stream().filter(local -> !hung.test(local)).forEach(local -> asked.add(local.path()));
        counts.putAll(InodeCounts.of(asked));
        askedNanos = System.nanoTime();
      }
      return counts.getOrDefault(dir, InodeCounts.UNBOUNDED);
    }
  }

  private final Context context;
  private final DiskValidator validator;
  private final TieredLocalDirs chooser;
  private final List<DeviceUpkeep> upkeep = new ArrayList<>();
  private final DeviceMonitor monitor;
  private final PlacementTally tally;
  private final PlacementJournal journal;
  private final NodeHistory history;
  private final JournalScanner scanner;
  private final PeriodicDaemon scanning;
  private final SparkUpkeep spark;
  private @Nullable LocalDirSeam seam;

  /** Puts the dirs in order before any container starts: tasks look for the marker first. */
  NodeWork(NodeService service, NodeTiers tiers, Context context, PlacementTally tally)
      throws DiskErrorException {
    this.context = context;
    this.tally = tally;
    Configuration conf = context.getLocalDirsHandler().getConfig();
    NodeApplications applications = new NodeApplications(context);
    this.validator =
        DiskValidatorFactory.getInstance(
            conf.get(YarnConfiguration.DISK_VALIDATOR, YarnConfiguration.DEFAULT_DISK_VALIDATOR));
    this.chooser = new TieredLocalDirs(GOOD_DIRS, validator, tiers);
    this.monitor =
        new DeviceMonitor(
            tiers.layout(),
            service.resolution().shiftWhenSlow(),
            service.kernel(),
            tally,
            System::nanoTime);
    Predicate<LocalDir> hung = dir -> monitor.health(dir) == DirHealth.HUNG;
    Inodes inodes = new Inodes(tiers.layout().dirs(), hung);
    for (List<LocalDir> device : SharedRoom.together(tiers.layout())) {
      DeviceUpkeep keeper = new DeviceUpkeep(tiers, device, hung, inodes::of, tally, applications);
      keeper.publish();
      upkeep.add(keeper);
    }
    List<Path> folders =
        tiers.layout().paths().stream()
            .map(dir -> dir.resolve(NodeMarker.DIR))
            .collect(Immutable.toList());
    // Only folders of our own, which a marker that is trusted shows.
    Predicate<Path> inFolder =
        folder -> NodeMarker.read(Objects.requireNonNull(folder.getParent())).isPresent();
    this.journal = PlacementJournal.ofNode(folders, inFolder);
    this.history =
        new NodeHistory(
            folders,
            inFolder,
            applications::present,
            tally::add,
            conf.getBoolean(
                YarnConfiguration.NM_RECOVERY_ENABLED,
                YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED),
            System::currentTimeMillis);
    this.scanner =
        new JournalScanner(
            tiers.layout(),
            applications::present,
            tally,
            history::accept,
            System.currentTimeMillis(),
            SCAN_PATIENCE);
    this.scanning = new PeriodicDaemon("TempTier journal reader", () -> SCAN_PERIOD, scanner::scan);
    this.spark = new SparkUpkeep(service, tiers, applications, this::demoted, tally);
  }

  void start() {
    TieredLocalDirs.LISTENERS.add(journal);
    TieredLocalDirs.LISTENERS.add(tally);
    tally.also(history::accept);
    upkeep.forEach(DeviceUpkeep::start);
    monitor.start();
    scanning.start();
    spark.start();
    history.start();
  }

  /** Begins to place the files; throws where this Hadoop does not let TempTier in. */
  void enter(NodeService.Seams seams) throws ReflectiveOperationException {
    seam = seams.put(GOOD_DIRS, validator, chooser);
  }

  Context context() {
    return context;
  }

  List<List<DirView>> viewsByDevice() {
    return upkeep.stream().map(DeviceUpkeep::views).collect(Immutable.toList());
  }

  List<RootUpkeep.DirCondition> conditions() {
    return upkeep.stream()
        .flatMap(device -> device.conditions().stream())
        .collect(Immutable.toList());
  }

  DirHealth health(LocalDir dir) {
    return monitor.health(dir);
  }

  NodeHistory history() {
    return history;
  }

  long droppedLines() {
    return journal.dropped();
  }

  void demoted(PlacementRequest file, Placement below) {
    history.demoted(Objects.requireNonNull(file.application()), file.bytes());
    journal.demoted(file, below);
  }

  void transition(
      Container container, ContainerState before, ContainerState after, ContainerEvent event) {
    String application =
        container.getContainerId().getApplicationAttemptId().getApplicationId().toString();
    if (before != after && ENDED.contains(after)) {
      history.container(application, after, isTask(container));
      // Its last placements can be counted now.
      scanning.wake();
    }
    chooser.failures().note(container.getUser(), application, before, after, event);
  }

  /** True if it runs a task of MapReduce: each places files, be it by TempTier or by stock. */
  private static boolean isTask(Container container) {
    return container.getLaunchContext().getCommands().stream()
        .anyMatch(command -> command.contains(TASK));
  }

  @Override
  public void close() {
    if (seam != null) {
      seam.takeBack();
    }
    TieredLocalDirs.LISTENERS.remove(tally);
    scanning.close();
    spark.close();
    scanner.close();
    // After the scanner, which gives it the last records.
    history.close();
    monitor.close();
    Threads.together(upkeep.stream().map(device -> device::close));
    TieredLocalDirs.LISTENERS.remove(journal);
    journal.close();
  }
}
