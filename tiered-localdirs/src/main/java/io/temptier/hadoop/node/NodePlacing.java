// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.allocator.EarlierFailures;
import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.hadoop.conf.JarCheck;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.hadoop.node.report.NodeReport;
import io.temptier.hadoop.node.report.NodeState;
import io.temptier.hadoop.node.report.TierMetrics;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The placing of a NodeManager's own files, and the work that goes with it, from when its local
 * dirs are ready until they are stopped. Where TempTier cannot work, everything stays as stock has
 * it, but for the metrics that say so and why.
 */
public final class NodePlacing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePlacing.class);

  /** The key of the good local dirs, in the handler's own configuration. */
  private static final String GOOD_DIRS = YarnConfiguration.NM_PREFIX + "good-local-dirs";

  private static final Set<ContainerState> ENDED =
      EnumSet.of(
          ContainerState.EXITED_WITH_SUCCESS,
          ContainerState.EXITED_WITH_FAILURE,
          ContainerState.DONE);

  private static final String TASK = "org.apache.hadoop.mapred.YarnChild";

  /** Lets a chooser into Hadoop. Tests put one here that finds a Hadoop it does not know. */
  @FunctionalInterface
  public interface Seams {
    public LocalDirSeam put(String key, DiskValidator validator, LocalDirSeam.Chooser chooser)
        throws ReflectiveOperationException;

    default JarCheck jars() {
      return JarCheck.of(NodePlacing.class.getClassLoader());
    }
  }

  private final NodeService service;
  private final Context context;
  private final Configuration conf;
  private final PlacementTally tally = new PlacementTally();
  private final NodeState state;
  private final TierMetrics metrics;
  private volatile @Nullable NodeWork work;
  private @Nullable LocalDirSeam seam;
  private volatile @Nullable EarlierFailures failures;

  NodePlacing(NodeService service, Context context, MetricsSystem metricsSystem, Seams seams) {
    this.service = service;
    this.context = context;
    this.conf = context.getLocalDirsHandler().getConfig();
    this.state = start(seams);
    if (state.active()) {
      LOG.info("TempTier places the NodeManager's files: {}", state.reason());
    } else {
      if (service.tiers().isPresent()) {
        LOG.warn("TempTier is off, stock Hadoop places the files: {}", state.reason());
      }
      if (state.cause() != NodeState.Cause.SWITCHED_OFF) {
        tally.add(TierCounter.STOCK_FALLBACKS, 1);
      }
      withdrawMarkers();
    }
    this.metrics = new TierMetrics(metricsSystem, report(), work().map(NodeWork::history));
  }

  private NodeState start(Seams seams) {
    if (!service.tiers().isPresent()) {
      return NodeState.of(
          service.switchedOff() ? NodeState.Cause.SWITCHED_OFF : NodeState.Cause.CONFIG_ERROR,
          service.whyOff());
    }
    JarCheck jars = seams.jars();
    if (jars.versions().isPresent()) {
      return NodeState.of(NodeState.Cause.START_FAILED, jars.versions().get().toString());
    }
    if (jars.hadoop().isPresent()) {
      return NodeState.of(NodeState.Cause.HADOOP_UNKNOWN, jars.hadoop().get().toString());
    }
    NodeTiers tiers = service.tiers().get();
    DiskValidator validator;
    try {
      validator =
          DiskValidatorFactory.getInstance(
              conf.get(YarnConfiguration.DISK_VALIDATOR, YarnConfiguration.DEFAULT_DISK_VALIDATOR));
      work = new NodeWork(service, tiers, conf, new NodeApplications(context), tally);
      work.start();
    } catch (DiskErrorException | RuntimeException | Error e) {
      LOG.warn("TempTier failed to start", e);
      stop();
      return NodeState.of(
          NodeState.Cause.START_FAILED,
          "it failed to start: " + e + ". Please report this with the log.");
    }
    try {
      TieredLocalDirs chooser = new TieredLocalDirs(GOOD_DIRS, validator, tiers);
      seam = seams.put(GOOD_DIRS, validator, chooser);
      failures = chooser.failures();
    } catch (ReflectiveOperationException | Error e) {
      stop();
      return NodeState.of(
          NodeState.Cause.HADOOP_UNKNOWN,
          "this Hadoop does not let TempTier in ("
              + e
              + "). Put TempTier's jars beside Hadoop's own, or use a TempTier release that names"
              + " this Hadoop version, and report this.");
    }
    return NodeState.of(NodeState.Cause.CONFIGURED, tiers.layout().toString());
  }

  private NodeReport report() {
    NodeWork now = work;
    return new NodeReport(
        tally,
        state,
        state.active() ? service.tiers() : Optional.empty(),
        service.resolution(),
        conf,
        now == null ? Immutable::listOf : now::viewsByDevice,
        now == null ? Immutable::listOf : now::conditions,
        Optional.ofNullable(now).map(NodeWork::monitor),
        now == null ? () -> 0 : TieredLocalDirs::fallbacks,
        now == null ? () -> 0 : now::droppedLines);
  }

  /** Tasks must not follow what an earlier NodeManager resolved when this one does not. */
  private void withdrawMarkers() {
    for (Path root : TierConfig.localDirs(conf)) {
      try {
        NodeMarker.remove(root, state.reason());
      } catch (IOException e) {
        LOG.warn("Cannot withdraw TempTier's marker in {}; delete it by hand: {}", root, e);
      }
    }
  }

  /** The work that goes with it; empty where stock Hadoop places. Thread-safe. */
  Optional<NodeWork> work() {
    return Optional.ofNullable(work);
  }

  Context context() {
    return context;
  }

  void transition(
      Container container, ContainerState before, ContainerState after, ContainerEvent event) {
    String application =
        container.getContainerId().getApplicationAttemptId().getApplicationId().toString();
    NodeWork now = work;
    if (now != null && before != after && ENDED.contains(after)) {
      now.containerEnded(application, after, isTask(container));
    }
    EarlierFailures known = failures;
    if (known != null) {
      known.note(container.getUser(), application, before, after, event);
    }
  }

  /** True if it runs a task of MapReduce: each places files, be it by TempTier or by stock. */
  private static boolean isTask(Container container) {
    return container.getLaunchContext().getCommands().stream()
        .anyMatch(command -> command.contains(TASK));
  }

  private void stop() {
    if (seam != null) {
      seam.takeBack();
      seam = null;
    }
    NodeWork ending = work;
    work = null;
    if (ending != null) {
      ending.close();
    }
  }

  @Override
  public void close() {
    metrics.close();
    stop();
  }
}
