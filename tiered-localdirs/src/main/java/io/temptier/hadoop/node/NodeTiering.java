// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.allocator.EarlierFailures;
import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.hadoop.conf.Fingerprint;
import io.temptier.hadoop.conf.JarCheck;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Finding;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.MountPins;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.Backing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TempTier at work in one NodeManager: everything that is started when its local dirs are ready and
 * stopped with them. Where it cannot work, everything stays as stock has it, but for the metrics
 * that say so and why.
 */
public final class NodeTiering implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeTiering.class);

  /** The key of the good local dirs, in the handler's own configuration. */
  private static final String GOOD_DIRS = YarnConfiguration.NM_PREFIX + "good-local-dirs";

  private static final Duration SCAN_PERIOD = Duration.ofSeconds(1);
  private static final Duration SCAN_PATIENCE = Duration.ofSeconds(1);

  /** Lets a chooser into Hadoop. Tests put one here that finds a Hadoop it does not know. */
  @FunctionalInterface
  public interface Seams {
    /** As {@link LocalDirSeam#put}. */
    public LocalDirSeam put(String key, DiskValidator validator, LocalDirSeam.Chooser chooser)
        throws ReflectiveOperationException;

    /** The jars that this JVM runs. */
    default JarCheck jars() {
      return JarCheck.of(NodeTiering.class.getClassLoader());
    }
  }

  private final Context context;
  private final LocalDirsHandlerService handler;
  private final KernelClassifier kernel;
  private final PlacementTally tally = new PlacementTally();
  private final List<DeviceUpkeep> upkeep = new ArrayList<>();
  private @Nullable NodeTiers placing;
  private @Nullable DeviceMonitor monitor;
  private @Nullable LocalDirSeam seam;
  private volatile @Nullable EarlierFailures failures;
  private @Nullable PlacementJournal journal;
  private @Nullable NodeHistory history;
  private @Nullable JournalScanner scanner;
  private @Nullable PeriodicDaemon scanning;
  private @Nullable SparkUpkeep spark;
  private @Nullable TierMetrics metrics;

  private NodeTiering(Context context, LocalDirsHandlerService handler, KernelClassifier kernel) {
    this.context = context;
    this.handler = handler;
    this.kernel = kernel;
  }

  /**
   * Starts what can be started.
   *
   * @param context the NodeManager's
   * @param handler its local dirs, inited
   * @param kernel tells what untagged dirs lie on, and what disks do
   * @param metricsSystem where metrics are shown
   * @param seams lets the chooser of dirs into Hadoop
   * @return to be closed when the local dirs are stopped
   */
  public static NodeTiering start(
      Context context,
      LocalDirsHandlerService handler,
      KernelClassifier kernel,
      MetricsSystem metricsSystem,
      Seams seams) {
    NodeTiering tiering = new NodeTiering(context, handler, kernel);
    Configuration conf = handler.getConfig();
    TierConfig.Resolution resolution = TierConfig.resolve(conf, kernel);
    resolution.findings().forEach(NodeTiering::log);
    NodeReport.State state = tiering.activate(resolution, seams);
    boolean active = state.mode() == NodeReport.Mode.ACTIVE;
    if (active) {
      LOG.info("TempTier places the NodeManager's files: {}", state.reason());
    } else if (tiering.tally.get(TierCounter.STOCK_FALLBACKS) == 0) {
      LOG.info("TempTier is switched off, stock Hadoop places the files: {}", state.reason());
    } else {
      LOG.warn("TempTier is off, stock Hadoop places the files: {}", state.reason());
    }
    if (!active) {
      withdrawMarkers(conf, state.reason());
    }
    tiering.metrics = tiering.show(resolution, state, metricsSystem);
    return tiering;
  }

  private static void log(Finding finding) {
    if (finding.severity() == Finding.Severity.INFO) {
      LOG.info("TempTier configuration: {}", finding);
    } else {
      LOG.warn("TempTier configuration: {}", finding);
    }
  }

  private NodeReport.State activate(TierConfig.Resolution resolution, Seams seams) {
    Optional<NodeTiers> tiers = resolution.tiers();
    if (!tiers.isPresent()) {
      Optional<Finding> worst = resolution.findings().stream().findFirst();
      String reason = worst.map(Finding::toString).orElse("the configuration gives no tiers");
      boolean switchedOff =
          worst.filter(finding -> finding.severity() != Finding.Severity.ERROR).isPresent();
      return switchedOff
          ? NodeReport.State.of(NodeReport.Mode.STOCK, NodeReport.Cause.SWITCHED_OFF, reason)
          : stock(NodeReport.Cause.CONFIG_ERROR, reason);
    }
    JarCheck jars = seams.jars();
    Optional<JarCheck.Trouble> trouble = jars.versions();
    if (trouble.isPresent()) {
      return stock(NodeReport.Cause.START_FAILED, trouble.get().toString());
    }
    trouble = jars.hadoop();
    if (trouble.isPresent()) {
      return stock(NodeReport.Cause.HADOOP_UNKNOWN, trouble.get().toString());
    }
    NodeTiers pinned;
    DiskValidator validator;
    try {
      pinned = MountPins.pin(tiers.get());
      validator = validator();
      setUp(pinned, resolution.shiftWhenSlow());
    } catch (DiskErrorException | RuntimeException | LinkageError e) {
      LOG.warn("TempTier failed to start", e);
      tearDown();
      return stock(
          NodeReport.Cause.START_FAILED,
          "it failed to start: " + e + ". Please report this with the log.");
    }
    try {
      TieredLocalDirs dirs = new TieredLocalDirs(GOOD_DIRS, validator, pinned);
      seam = seams.put(GOOD_DIRS, validator, dirs);
      failures = dirs.failures();
    } catch (ReflectiveOperationException | LinkageError e) {
      tearDown();
      return stock(
          NodeReport.Cause.HADOOP_UNKNOWN,
          "this Hadoop does not let TempTier in ("
              + e
              + "). Put TempTier's jars beside Hadoop's own, or use a TempTier release that names"
              + " this Hadoop version, and report this.");
    }
    placing = pinned;
    return NodeReport.State.of(
        NodeReport.Mode.ACTIVE,
        NodeReport.Cause.CONFIGURED,
        tiers.get().layout() + " by " + tiers.get().settings().policy());
  }

  private DiskValidator validator() throws DiskErrorException {
    return DiskValidatorFactory.getInstance(
        handler
            .getConfig()
            .get(YarnConfiguration.DISK_VALIDATOR, YarnConfiguration.DEFAULT_DISK_VALIDATOR));
  }

  private NodeReport.State stock(NodeReport.Cause cause, String reason) {
    tally.add(TierCounter.STOCK_FALLBACKS, 1);
    return NodeReport.State.of(NodeReport.Mode.STOCK, cause, reason);
  }

  private void setUp(NodeTiers tiers, boolean shiftWhenSlow) {
    DeviceMonitor devices =
        new DeviceMonitor(
            tiers.layout(),
            shiftWhenSlow,
            kernel,
            tally,
            handler.getConfig().getTrimmed(TierKey.SMARTCTL.key(), TierKey.SMARTCTL.defaultValue()),
            System::nanoTime);
    monitor = devices;
    Predicate<LocalDir> hung = dir -> devices.health(dir) == DirHealth.HUNG;
    for (List<LocalDir> device : Backing.together(tiers.layout())) {
      DeviceUpkeep keeper =
          new DeviceUpkeep(
              tiers,
              device,
              hung,
              tally,
              this::usersByApplication,
              () -> NodeApplications.containers(context));
      // Before any container starts: tasks look for the marker first of all.
      keeper.publish();
      upkeep.add(keeper);
    }
    List<Path> folders =
        tiers.layout().dirs().stream()
            .map(LocalDir::path)
            // Only folders of our own, which a marker that is trusted shows.
            .filter(root -> NodeMarker.read(root).isPresent())
            .map(root -> root.resolve(NodeMarker.DIR))
            .collect(Immutable.toList());
    journal = PlacementJournal.ofNode(folders);
    NodeHistory applications =
        NodeHistory.of(
            folders,
            () ->
                upkeep.stream().allMatch(DeviceUpkeep::looked)
                    ? NodeReport.values(
                        tiers.layout().tiers(), viewsByDevice(), devices::health, tally)
                    : Immutable.mapOf(),
            this::usersByApplication,
            handler
                .getConfig()
                .getBoolean(
                    YarnConfiguration.NM_RECOVERY_ENABLED,
                    YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED));
    history = applications;
    scanner =
        new JournalScanner(
            tiers.layout(),
            this::usersByApplication,
            tally,
            applications::accept,
            System.currentTimeMillis(),
            SCAN_PATIENCE);
    scanning = new PeriodicDaemon("TempTier journal reader", SCAN_PERIOD, scanner::scan);
    SparkUpkeep blocks = new SparkUpkeep(tiers, tally);
    spark = blocks;
    TieredLocalDirs.addListener(journal);
    TieredLocalDirs.addListener(tally);
    TieredLocalDirs.addListener(applications);
    upkeep.forEach(DeviceUpkeep::start);
    devices.start();
    scanning.start();
    blocks.start();
    applications.start();
    NodeApplications.provide(context);
  }

  private Map<String, String> usersByApplication() {
    return NodeApplications.present(context);
  }

  private TierMetrics show(
      TierConfig.Resolution resolution, NodeReport.State state, MetricsSystem metricsSystem) {
    PlacementJournal own = journal;
    LongSupplier dropped = own == null ? () -> 0 : own::dropped;
    LongSupplier fallbacks =
        state.mode() == NodeReport.Mode.ACTIVE ? TieredLocalDirs::fallbacks : () -> 0;
    Optional<NodeTiers> tiers =
        state.mode() == NodeReport.Mode.ACTIVE ? Optional.ofNullable(placing) : Optional.empty();
    NodeReport report =
        new NodeReport(
            tally,
            tiers,
            SettingsReport.of(tiers, resolution.shiftWhenSlow(), handler.getConfig()),
            resolution.findings(),
            NodeReport.Identity.of(
                BuildVersion.get(), Fingerprint.of(handler.getConfig(), resolution.tiers())),
            state,
            this::viewsByDevice,
            this::conditions,
            Optional.ofNullable(monitor),
            fallbacks,
            dropped);
    return new TierMetrics(metricsSystem, report, Optional.ofNullable(history));
  }

  private List<List<Placer.DirView>> viewsByDevice() {
    return upkeep.stream().map(DeviceUpkeep::views).collect(Immutable.toList());
  }

  private List<DeviceUpkeep.DirCondition> conditions() {
    return upkeep.stream()
        .flatMap(device -> device.conditions().stream())
        .collect(Immutable.toList());
  }

  /** Tasks must not follow what an earlier NodeManager resolved when this one does not. */
  private static void withdrawMarkers(Configuration conf, String why) {
    for (Path root : TierConfig.localDirs(conf)) {
      try {
        NodeMarker.remove(root, why);
      } catch (IOException e) {
        LOG.warn("Cannot withdraw TempTier's marker in {}; delete it by hand: {}", root, e);
      }
    }
  }

  /**
   * A container ended: its tasks' last placements can be counted now. Never blocks.
   *
   * @param application whose it was
   * @param state how it ended
   */
  public void containerEnded(String application, ContainerState state) {
    NodeHistory applications = history;
    if (applications != null) {
      applications.container(application, state);
    }
    PeriodicDaemon daemon = scanning;
    if (daemon != null) {
      daemon.wake();
    }
  }

  /** The containers that failed, while files are placed by TempTier. */
  public @Nullable EarlierFailures failures() {
    return failures;
  }

  private void tearDown() {
    NodeApplications.withdraw(context);
    if (seam != null) {
      seam.takeBack();
      seam = null;
    }
    TieredLocalDirs.removeListener(tally);
    if (scanning != null) {
      scanning.close();
      scanning = null;
    }
    if (spark != null) {
      spark.close();
      spark = null;
    }
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
    if (history != null) {
      // After the scanner, which gives it the last records.
      TieredLocalDirs.removeListener(history);
      history.close();
      history = null;
    }
    if (monitor != null) {
      monitor.close();
      monitor = null;
    }
    upkeep.forEach(DeviceUpkeep::close);
    upkeep.clear();
    if (journal != null) {
      TieredLocalDirs.removeListener(journal);
      journal.close();
    }
  }

  @Override
  public void close() {
    if (metrics != null) {
      metrics.close();
      metrics = null;
    }
    tearDown();
  }
}
