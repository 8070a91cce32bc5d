// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.lang.Immutable;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.Application;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;

/**
 * The applications that run on this node, for auxiliary services, which are told when an
 * application ends, but not which ones run. Known while the NodeManager's listener is active.
 *
 * <p>Safe for use by many threads. Does no I/O; waits while an application changes its state.
 */
public final class NodeApplications {
  /** A NodeManager deletes nothing of an application before it has left these. */
  private static final Set<ApplicationState> RUNNING =
      EnumSet.of(ApplicationState.INITING, ApplicationState.RUNNING);

  /**
   * Without log aggregation a NodeManager keeps an application for hours after it has ended, and
   * its files are gone.
   */
  private static final Set<ApplicationState> PRESENT =
      EnumSet.complementOf(EnumSet.of(ApplicationState.FINISHED));

  private static final Set<Context> CONTEXTS =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private NodeApplications() {}

  /** A NodeManager's TempTier became active. */
  public static void provide(Context context) {
    CONTEXTS.add(context);
  }

  /** It is active no more. */
  public static void withdraw(Context context) {
    CONTEXTS.remove(context);
  }

  /**
   * The applications that run here and have not begun to end: nothing of theirs is deleted before
   * this says otherwise.
   *
   * @return users by application id; empty where nobody can tell: TempTier is not active, or
   *     several NodeManagers share this JVM
   */
  public static Optional<Map<String, String>> running() {
    return context().map(context -> users(context, RUNNING, application -> true));
  }

  /**
   * Those of them that have no container here, or an application master's only. By YARN's custom
   * that is an attempt's first.
   */
  public static Map<String, String> withoutTasks() {
    return context()
        .map(context -> users(context, RUNNING, NodeApplications::hasNoTask))
        .orElse(Immutable.mapOf());
  }

  private static boolean hasNoTask(Application application) {
    return application.getContainers().keySet().stream()
        .allMatch(id -> (id.getContainerId() & ContainerId.CONTAINER_ID_BITMASK) == 1);
  }

  /** The one NodeManager in this JVM whose TempTier is active; empty when there is none or more. */
  public static Optional<Context> context() {
    Object[] contexts = CONTEXTS.toArray();
    return contexts.length == 1 ? Optional.of((Context) contexts[0]) : Optional.empty();
  }

  /** The ids of a NodeManager's containers that have not begun to end. */
  static Set<String> containers(Context context) {
    Set<String> running = new HashSet<>();
    context
        .getContainers()
        .forEach(
            (id, container) -> {
              if (!container.isContainerInFinalStates()) {
                running.add(id.toString());
              }
            });
    return running;
  }

  /** Users of a NodeManager's applications by their ids, until nothing of them is left. */
  static Map<String, String> present(Context context) {
    return users(context, PRESENT, application -> true);
  }

  private static Map<String, String> users(
      Context context, Set<ApplicationState> states, Predicate<Application> wanted) {
    Map<String, String> users = new HashMap<>();
    context
        .getApplications()
        .forEach(
            (id, application) -> {
              if (states.contains(application.getApplicationState()) && wanted.test(application)) {
                users.put(id.toString(), application.getUser());
              }
            });
    return users;
  }
}
