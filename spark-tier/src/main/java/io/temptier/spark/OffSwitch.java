// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.thread.PeriodicDaemon;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a NodeManager was started again with TempTier off while an executor ran on. An
 * executor that was switched off stays so. Looks in a thread of its own, since a dir may hang.
 */
final class OffSwitch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OffSwitch.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final List<Path> roots;
  private final Runnable stop;
  private final PeriodicDaemon daemon =
      new PeriodicDaemon("temptier-off-switch", () -> PERIOD, this::look);
  private boolean off;

  /**
   * On until {@link #start} and a look that finds TempTier off.
   *
   * @param roots the node's local dirs
   * @param stop run once
   */
  OffSwitch(List<Path> roots, Runnable stop) {
    this.roots = roots;
    this.stop = stop;
  }

  void start() {
    daemon.start();
  }

  /**
   * Looks once. A NodeManager that is down says nothing, and one that did not reach all of its dirs
   * left its marker in some.
   */
  void look() {
    if (off) {
      return;
    }
    Optional<String> why =
        roots.stream()
            .flatMap(root -> NodeMarker.whyOff(root).map(Stream::of).orElseGet(Stream::empty))
            .findFirst();
    if (!why.isPresent() || roots.stream().anyMatch(root -> NodeMarker.read(root).isPresent())) {
      return;
    }
    off = true;
    stop.run();
    LOG.info(
        "TempTier is off in the NodeManager of this node ({}): Spark places what this executor"
            + " writes from now on",
        why.get());
  }

  @Override
  public void close() {
    daemon.close();
  }
}
