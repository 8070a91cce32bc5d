// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.BoundedMap;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerResourceFailedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.LocalResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells how often a file was tried before, and keeps a retry away from where it failed. A disk may
 * say that it has room and take no data: a user's quota is nearly used up, a thin pool is full,
 * blocks are bad.
 *
 * <p>Of a task's file its path says how often, by the attempt's number. Of what the NodeManager
 * places, localized resources and work dirs, the path says no more than whose it is; so the folders
 * of containers that failed are remembered, whatever they failed of. Safe for use by many threads.
 */
public class EarlierFailures {
  /** A second container may wait so long for its turn. */
  private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();

  /** Bound on folders that are remembered, the last ones. */
  private static final int MOST = 1024;

  /** Tasks are tried four times by default; the traces of so many attempts are looked for. */
  private static final int MOST_ATTEMPTS = 8;

  private static final String ATTEMPT = "attempt_";

  /** MapReduce numbers from here on, times the masters before, once its master was restarted. */
  private static final int NUMBERS_OF_A_MASTER = 1000;

  /** MapReduce: {@code attempt_TIME_JOB_m_TASK_ATTEMPT}; Tez: {@code ..._APP_DAG_VERTEX_TASK_A}. */
  private static final Pattern ATTEMPT_NUMBER =
      Pattern.compile("attempt_\\d+_\\d+_(?:[a-z]_\\d+|\\d+_\\d+_\\d+)_(\\d{1,9})");

  /** Time of a container's failure in each folder, by the clock. */
  private final Map<String, Long> folders = Collections.synchronizedMap(new BoundedMap<>(MOST));

  /** Dir in which each folder was placed last. */
  private final Map<String, LocalDir> placed = Collections.synchronizedMap(new BoundedMap<>(MOST));

  long nanos() {
    return System.nanoTime();
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

  /** A container failed for want of a resource of that visibility; null when of another cause. */
  void failed(String user, String application, @Nullable LocalResourceVisibility resource) {
    long now = nanos();
    folders.put(LocalDir.application(user, application).toString(), now);
    if (resource == LocalResourceVisibility.PRIVATE) {
      folders.put(LocalDir.home(user).toString(), now);
    } else if (resource == LocalResourceVisibility.PUBLIC) {
      folders.put("", now);
    }
  }

  /** Remembers where a folder was placed, should what is put there fail. */
  void placed(String path, LocalDir dir) {
    placed.put(path, dir);
  }

  /** Attempts at a file of that path in a local dir that failed before, as far as is known. */
  int before(String path) {
    if (path.contains(ATTEMPT)) {
      Matcher matcher = ATTEMPT_NUMBER.matcher(path);
      return matcher.find() ? Integer.parseInt(matcher.group(1)) % NUMBERS_OF_A_MASTER : 0;
    }
    String plain = path.startsWith("./") ? path.substring(2) : path;
    String folder = plain.substring(0, Math.max(0, plain.lastIndexOf('/')));
    Long failed = folders.get(folder);
    return failed != null && nanos() - failed < REMEMBERED_NANOS ? 1 : 0;
  }

  /**
   * The dirs to avoid after failures. The second attempt avoids the dirs in which the first left
   * something, the later ones their tiers as well. Of an attempt that ran on another node nothing
   * is here, and it tells nothing of this node's dirs; only the third attempt avoids the fastest
   * tier even so. Looks for traces in dirs that do not hang.
   */
  Set<LocalDir> failedIn(String path, int failures, Map<LocalDir, Path> dirOfRoot, Placer placer) {
    Set<LocalDir> failedIn = new HashSet<>();
    LocalDir last = placed.get(path);
    if (last != null && dirOfRoot.containsKey(last)) {
      failedIn.add(last);
    }
    List<String> paths = earlierPaths(path);
    dirOfRoot.forEach(
        (root, dir) -> {
          if (!placer.hangs(root) && paths.stream().anyMatch(before -> left(dir, before))) {
            failedIn.add(root);
          }
        });
    List<Tier> tiers = placer.tiers().layout().tiers();
    boolean none = failedIn.isEmpty();
    for (int i = 0; failures > 1 && i < tiers.size() - 1; i++) {
      List<LocalDir> dirs = tiers.get(i).dirs();
      if (none ? i == 0 : dirs.stream().anyMatch(failedIn::contains)) {
        failedIn.addAll(dirs);
      }
    }
    return failedIn;
  }

  /** Paths of earlier attempts at a file, the last first; none where it tells of no attempt. */
  private static List<String> earlierPaths(String path) {
    List<String> paths = new ArrayList<>();
    Matcher matcher = ATTEMPT_NUMBER.matcher(path);
    int number = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    for (int back = 1; back <= Math.min(number % NUMBERS_OF_A_MASTER, MOST_ATTEMPTS); back++) {
      paths.add(
          path.substring(0, matcher.start(1)) + (number - back) + path.substring(matcher.end(1)));
    }
    return paths;
  }

  /** True if an earlier attempt has the file here, or a folder of its own that it was to lie in. */
  private static boolean left(Path dir, String path) {
    File file = new File(dir.toString(), path);
    File parent = file.getParentFile();
    return file.exists() || (parent.getName().startsWith(ATTEMPT) && parent.exists());
  }
}
