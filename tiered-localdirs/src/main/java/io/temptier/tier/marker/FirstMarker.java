// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import io.temptier.tier.os.thread.TimedCalls;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the NodeManager resolved, from the first of a task's dirs that answers. A new process does
 * not know which dirs hang, so each is asked on a borrowed thread: a dir that hangs costs the
 * process {@link #PATIENCE} once. Every marker of a node tells of all its dirs.
 */
public final class FirstMarker {
  /** The files are in the page cache of a sound node; a thread may wait that long for a core. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final TimedCalls READS = new TimedCalls("TempTier marker", 1);

  private FirstMarker() {}

  /**
   * Looks for it in one dir after the other.
   *
   * @param taskDirs absolute; in local dirs or local dirs themselves
   * @return empty when no dir that answers has a trusted one. With no other dir left, those that
   *     did not answer in time are waited for, as stock Hadoop would wait for them
   */
  public static Optional<NodeTiers> of(List<Path> taskDirs) {
    List<Path> late = new ArrayList<>();
    for (Path dir : taskDirs) {
      try {
        Optional<NodeTiers> marked = READS.callThrough(dir, PATIENCE, () -> of(dir));
        if (marked.isPresent()) {
          return marked;
        }
      } catch (IOException e) {
        late.add(dir);
      }
    }
    Optional<NodeTiers> marked = Optional.empty();
    for (int i = 0; i < late.size() && !marked.isPresent(); i++) {
      marked = of(late.get(i));
    }
    return marked;
  }

  private static Optional<NodeTiers> of(Path taskDir) {
    return NodeMarker.read(NodeMarker.rootOf(taskDir));
  }
}
