// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.metrics.MetricSources;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.hadoop.node.NodeReport.NodeState;
import io.temptier.tier.DirHealth;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.MountPins;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TempTier in one NodeManager. The plug-in that comes first makes it, the other one finds it, and
 * it ends with the last one: so the configuration is resolved once, the mounts are pinned once, and
 * all that moves files shares one rate. While the listener is there it also has the NodeManager's
 * own files placed.
 *
 * <p>A NodeManager is told by its local dirs, which no other one has. Hadoop hands each plug-in a
 * copy of the configuration, and nothing else that all of them have in common.
 *
 * <p>Safe for use by many threads.
 */
public final class NodeService {
  private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

  /** Services by the local dirs; guarded by itself. */
  private static final Map<Set<Path>, NodeService> RUNNING = new HashMap<>();

  /** Door through which a NodeManager loads TempTier, at most once each. */
  public enum Door {
    LISTENER,
    SHUFFLE
  }

  /** Lets a chooser into Hadoop. Tests put one here that finds a Hadoop it does not know. */
  @FunctionalInterface
  public interface Seams {
    public LocalDirSeam put(String key, DiskValidator validator, LocalDirSeam.Chooser chooser)
        throws ReflectiveOperationException;

    default JarCheck jars() {
      return JarCheck.of(NodeService.class.getClassLoader());
    }
  }

  private final Set<Path> dirs;
  private final Set<Door> open = EnumSet.noneOf(Door.class);
  private final KernelClassifier kernel = new KernelClassifier();
  private final TierConfig.Resolution resolution;
  private final Optional<NodeTiers> tiers;
  private final Pace pace;
  private final UserBatches batches;

  /** What is done while TempTier places the NodeManager's files; else null. */
  private volatile @Nullable NodeWork work;

  private @Nullable MetricSources metrics;

  private NodeService(Set<Path> dirs, Configuration conf) {
    this.dirs = dirs;
    this.resolution = TierConfig.resolve(conf, kernel);
    this.tiers = resolution.tiers().map(MountPins::pin);
    long rate = tiers.map(NodeTiers::demotion).orElse(DemotionSettings.DEFAULT).bytesPerSecond();
    this.pace = new Pace(rate);
    this.batches =
        new UserBatches(
            () -> context().flatMap(ContainerExecutorProcesses::of),
            rate,
            UserBatches.PATIENCE,
            System::nanoTime);
  }

  /** The service of a NodeManager, for one of its plug-ins, which has to {@link #leave}. */
  public static NodeService enter(Door door, Configuration conf) {
    Set<Path> dirs = new HashSet<>(TierConfig.localDirs(conf));
    synchronized (RUNNING) {
      NodeService service = RUNNING.get(dirs);
      if (service == null || service.open.contains(door)) {
        service = new NodeService(dirs, conf);
        service.log();
        RUNNING.put(dirs, service);
      }
      service.open.add(door);
      return service;
    }
  }

  /** A plug-in ends. What is there for it alone ends too; all of it with the last one. */
  public void leave(Door door) {
    if (door == Door.LISTENER) {
      stopPlacing();
    }
    synchronized (RUNNING) {
      open.remove(door);
      if (!open.isEmpty()) {
        return;
      }
      RUNNING.remove(dirs, this);
    }
  }

  /** Tells what was found; where TempTier is off, the worst of it once, as the reason. */
  private void log() {
    if (switchedOff()) {
      LOG.info("TempTier is switched off, this NodeManager is stock Hadoop's: {}", whyOff());
    } else if (!tiers.isPresent()) {
      LOG.warn("TempTier is off, this NodeManager is stock Hadoop's: {}", whyOff());
    }
    List<Finding> findings = resolution.findings();
    for (Finding finding : findings.subList(tiers.isPresent() ? 0 : 1, findings.size())) {
      if (finding.severity() == Finding.Severity.INFO) {
        LOG.info("TempTier configuration: {}", finding);
      } else {
        LOG.warn("TempTier configuration: {}", finding);
      }
    }
  }

  /** True if the configuration switches TempTier off, and nothing is wrong with it. */
  private boolean switchedOff() {
    return !tiers.isPresent() && resolution.findings().get(0).severity() != Finding.Severity.ERROR;
  }

  /** Tells why there are no tiers, where there are none; it was logged. */
  public String whyOff() {
    return resolution.findings().get(0).toString();
  }

  TierConfig.Resolution resolution() {
    return resolution;
  }

  /** The tiers, pinned to what their dirs lie on; empty where TempTier is off. */
  public Optional<NodeTiers> tiers() {
    return tiers;
  }

  public KernelClassifier kernel() {
    return kernel;
  }

  public Pace pace() {
    return pace;
  }

  public UserBatches batches() {
    return batches;
  }

  public boolean runsAsUsers() {
    return context().flatMap(ContainerExecutorProcesses::of).isPresent();
  }

  /**
   * Places the NodeManager's files, whose dirs are inited, until the listener leaves. Where
   * TempTier cannot work everything stays as stock has it, but for the metrics that say so and why.
   */
  public synchronized void place(Context context, MetricsSystem metricsSystem, Seams seams) {
    PlacementTally tally = new PlacementTally();
    NodeState state = start(context, tally, seams);
    if (state.active()) {
      LOG.info("TempTier places the NodeManager's files: {}", state.reason());
    } else {
      if (tiers.isPresent()) {
        LOG.warn("TempTier is off, stock Hadoop places the files: {}", state.reason());
      }
      if (state.cause() != NodeState.Cause.SWITCHED_OFF) {
        tally.add(TierCounter.STOCK_FALLBACKS, 1);
      }
      withdrawMarkers(state.reason());
    }
    NodeWork now = work;
    NodeReport report =
        new NodeReport(
            tally,
            state,
            state.active() ? tiers : Optional.empty(),
            resolution,
            context.getLocalDirsHandler().getConfig(),
            now == null ? Immutable::listOf : now::viewsByDevice,
            now == null ? Immutable::listOf : now::conditions,
            now == null ? dir -> DirHealth.SOUND : now::health,
            now == null ? () -> 0 : now::droppedLines);
    metrics = report.show(metricsSystem, Optional.ofNullable(now).map(NodeWork::history));
  }

  private NodeState start(Context context, PlacementTally tally, Seams seams) {
    if (!tiers.isPresent()) {
      return NodeState.of(
          switchedOff() ? NodeState.Cause.SWITCHED_OFF : NodeState.Cause.CONFIG_ERROR, whyOff());
    }
    JarCheck jars = seams.jars();
    if (jars.versions().isPresent()) {
      return NodeState.of(NodeState.Cause.START_FAILED, jars.versions().get().toString());
    }
    if (jars.hadoop().isPresent()) {
      return NodeState.of(NodeState.Cause.HADOOP_UNKNOWN, jars.hadoop().get().toString());
    }
    NodeWork begun = null;
    try {
      begun = new NodeWork(this, tiers.get(), context, tally);
      begun.start();
    } catch (DiskErrorException | RuntimeException | Error e) {
      LOG.warn("TempTier failed to start", e);
      if (begun != null) {
        begun.close();
      }
      return NodeState.of(
          NodeState.Cause.START_FAILED,
          "it failed to start: " + e + ". Please report this with the log.");
    }
    try {
      begun.enter(seams);
    } catch (ReflectiveOperationException | Error e) {
      begun.close();
      return NodeState.of(
          NodeState.Cause.HADOOP_UNKNOWN,
          "this Hadoop does not let TempTier in ("
              + e
              + "). Put TempTier's jars beside Hadoop's own, or use a TempTier release that names"
              + " this Hadoop version, and report this.");
    }
    work = begun;
    return NodeState.of(NodeState.Cause.CONFIGURED, tiers.get().layout().toString());
  }

  /** Tasks must not follow what an earlier NodeManager resolved when this one does not. */
  private void withdrawMarkers(String why) {
    for (Path root : dirs) {
      try {
        NodeMarker.remove(root, why);
      } catch (IOException e) {
        LOG.warn("Cannot withdraw TempTier's marker in {}; delete it by hand: {}", root, e);
      }
    }
  }

  private synchronized void stopPlacing() {
    NodeWork ending = work;
    work = null;
    if (metrics != null) {
      metrics.close();
      metrics = null;
    }
    if (ending != null) {
      ending.close();
    }
  }

  /** The NodeManager, while TempTier places its files. */
  public Optional<Context> context() {
    return Optional.ofNullable(work).map(NodeWork::context);
  }

  /** Users by application id, of those that have not begun to end; empty while nobody can tell. */
  public Optional<Map<String, String>> running() {
    return context().map(context -> new NodeApplications(context).running());
  }

  /** A file of an application went to a slower tier. Never blocks. */
  public void demoted(PlacementRequest file, Placement below) {
    NodeWork now = work;
    if (now != null) {
      now.demoted(file, below);
    }
  }

  /**
   * Hears of a container's transition. When it ended, its tasks' last placements are counted; when
   * it failed, that is noted. Never blocks.
   */
  public void transition(
      Container container, ContainerState before, ContainerState after, ContainerEvent event) {
    NodeWork now = work;
    if (now != null) {
      now.transition(container, before, after, event);
    }
  }
}
