// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;

/**
 * The applications on a node, as its NodeManager knows them. Safe for use by many threads. Does no
 * I/O; waits while an application changes its state.
 */
final class NodeApplications {
  /** A NodeManager deletes nothing of an application before it has left these. */
  private static final Set<ApplicationState> RUNNING =
      EnumSet.of(ApplicationState.INITING, ApplicationState.RUNNING);

  /**
   * States of an application that has files here. Without log aggregation a NodeManager keeps an
   * application for hours after it has ended, and its files are gone.
   */
  private static final Set<ApplicationState> PRESENT =
      EnumSet.complementOf(EnumSet.of(ApplicationState.FINISHED));

  private final Context context;

  NodeApplications(Context context) {
    this.context = context;
  }

  /**
   * Users by application id, of the applications that have not begun to end: nothing of theirs is
   * deleted before this says otherwise.
   */
  Map<String, String> running() {
    return users(RUNNING);
  }

  /** The ids of the containers that have not begun to end. */
  Set<String> containers() {
    return context.getContainers().entrySet().stream()
        .filter(container -> !container.getValue().isContainerInFinalStates())
        .map(container -> container.getKey().toString())
        .collect(Collectors.toSet());
  }

  /** Users by application id, until nothing of an application is left. */
  Map<String, String> present() {
    return users(PRESENT);
  }

  private Map<String, String> users(Set<ApplicationState> states) {
    return context.getApplications().entrySet().stream()
        .filter(each -> states.contains(each.getValue().getApplicationState()))
        .collect(
            Collectors.toMap(each -> each.getKey().toString(), each -> each.getValue().getUser()));
  }
}
