// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.hadoop.node.NodeService;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches TempTier on in a NodeManager:
 *
 * <pre>
 * yarn.nodemanager.container-state-transition-listener.classes = io.temptier.hadoop.NodeManagerTiering
 * </pre>
 *
 * <p>Hadoop makes the listener and hands it the NodeManager's context before any service is inited.
 * When the local dirs are ready, and before anything is written to them, it has {@link
 * TieredLocalDirs} asked by stock's allocator; from then on localized resources, work dirs and
 * private files go where TempTier says.
 *
 * <p>Nothing that goes wrong here reaches the NodeManager: it is logged with its remedy, shown as
 * the mode {@code STOCK} in {@code Hadoop:service=NodeManager,name=TempTierInfo}, and the node runs
 * as it would without TempTier.
 */
public final class NodeManagerTiering implements ContainerStateTransitionListener {
  private static final Logger LOG = LoggerFactory.getLogger(NodeManagerTiering.class);

  private volatile @Nullable NodeService node;

  /** Called by Hadoop, once. Never throws. */
  @Override
  public void init(Context context) {
    try {
      LocalDirsHandlerService handler = context.getLocalDirsHandler();
      handler.registerServiceListener(service -> stateChanged(service, context, handler));
      // Should a Hadoop to come init its local dirs before its listeners, nothing is lost.
      stateChanged(handler, context, handler);
    } catch (Throwable t) {
      offByError(t);
    }
  }

  private synchronized void stateChanged(
      Service service, Context context, LocalDirsHandlerService handler) {
    try {
      boolean ready =
          service.isInState(Service.STATE.INITED) || service.isInState(Service.STATE.STARTED);
      NodeService entered = node;
      if (ready && entered == null) {
        entered = NodeService.enter(NodeService.Door.LISTENER, handler.getConfig());
        node = entered;
        entered.place(context, DefaultMetricsSystem.instance(), LocalDirSeam::put);
      } else if (service.isInState(Service.STATE.STOPPED) && entered != null) {
        node = null;
        entered.leave(NodeService.Door.LISTENER);
      }
    } catch (Throwable t) {
      offByError(t);
    }
  }

  private static void offByError(Throwable t) {
    LOG.warn(
        "TempTier is off, stock Hadoop places the files. Check that TempTier's jars are of one"
            + " version and name this Hadoop version, and report this",
        t);
  }

  @Override
  public void preTransition(ContainerImpl op, ContainerState beforeState, ContainerEvent event) {}

  /** Notes the transition. Never blocks the state machine. */
  @Override
  public void postTransition(
      ContainerImpl op,
      ContainerState beforeState,
      ContainerState afterState,
      ContainerEvent processedEvent) {
    NodeService running = node;
    if (running == null) {
      return;
    }
    try {
      running.transition(op, beforeState, afterState, processedEvent);
    } catch (RuntimeException | Error e) {
      // The NodeManager ends when a listener throws.
      LOG.warn("The end of {} is not noted; please report this", op, e);
    }
  }
}
