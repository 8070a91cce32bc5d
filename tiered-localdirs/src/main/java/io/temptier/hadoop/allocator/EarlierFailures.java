// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerResourceFailedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.LocalResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells how often a file was tried before, so that it is not sent again to where there was no room
 * for it. Of a task's file its path says so, by the attempt's number. Of what the NodeManager
 * places, localized resources and work dirs, the path says no more than whose it is; so the folders
 * of containers that failed are remembered, whatever they failed of. Safe for use by many threads.
 */
public final class EarlierFailures {
  /** A second container may wait so long for its turn. */
  private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();

  /** As many folders are remembered, the last ones. */
  private static final int MOST = 1024;

  private static final String ATTEMPT = "attempt_";

  /** MapReduce numbers from here on, times the masters before, once its master was restarted. */
  private static final int NUMBERS_OF_A_MASTER = 1000;

  /** MapReduce: {@code attempt_TIME_JOB_m_TASK_ATTEMPT}; Tez: {@code ..._APP_DAG_VERTEX_TASK_A}. */
  private static final Pattern ATTEMPT_NUMBER =
      Pattern.compile("attempt_\\d+_\\d+_(?:[a-z]_\\d+|\\d+_\\d+_\\d+)_(\\d{1,9})");

  private final LongSupplier clockNanos;

  // Guarded by itself.
  private final Map<String, Long> folders =
      new LinkedHashMap<String, Long>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      };

  EarlierFailures(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
  }

  /** Notes what a container's transition tells of a failure, if anything. */
  public void note(
      String user,
      String application,
      ContainerState before,
      ContainerState after,
      @Nullable ContainerEvent event) {
    if (event instanceof ContainerResourceFailedEvent) {
      LocalResourceRequest resource = ((ContainerResourceFailedEvent) event).getResource();
      // None where the localizer failed as a whole, which localizes no public ones.
      LocalResourceVisibility visibility =
          resource == null ? LocalResourceVisibility.PRIVATE : resource.getVisibility();
      failed(user, application, visibility);
    } else if (before != after && after == ContainerState.EXITED_WITH_FAILURE) {
      failed(user, application, null);
    }
  }

  /**
   * A container failed.
   *
   * @param resource of which visibility the resource is that could not be localized; null when the
   *     container failed of something else
   */
  void failed(String user, String application, @Nullable LocalResourceVisibility resource) {
    remember("usercache/" + user + "/appcache/" + application);
    if (resource == LocalResourceVisibility.PRIVATE) {
      remember("usercache/" + user);
    } else if (resource == LocalResourceVisibility.PUBLIC) {
      remember("");
    }
  }

  private void remember(String folder) {
    synchronized (folders) {
      folders.remove(folder);
      folders.put(folder, clockNanos.getAsLong());
    }
  }

  /**
   * Attempts at a file that failed before, as far as is known.
   *
   * @param path relative to a local dir
   */
  int before(String path) {
    if (path.contains(ATTEMPT)) {
      Matcher matcher = ATTEMPT_NUMBER.matcher(path);
      return matcher.find() ? Integer.parseInt(matcher.group(1)) % NUMBERS_OF_A_MASTER : 0;
    }
    String plain = path.startsWith("./") ? path.substring(2) : path;
    String folder = plain.substring(0, Math.max(0, plain.lastIndexOf('/')));
    synchronized (folders) {
      Long failed = folders.get(folder);
      return failed != null && clockNanos.getAsLong() - failed < REMEMBERED_NANOS ? 1 : 0;
    }
  }
}
