// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells in which tiers the dirs of a task are. Tests put one here that asks no NodeManager. */
@FunctionalInterface
interface TaskTiers {
  /**
   * Tells the tiers.
   *
   * @param dirs that a task may write to, absolute
   * @return empty when stock Hadoop is to place the files
   */
  Optional<NodeTiers> of(List<Path> dirs, Configuration conf);

  /**
   * Those that the NodeManager wrote into its marker, for dirs of a container. Elsewhere, in a
   * client or in the local job runner, which looks for the index of an output in the output's own
   * dir only, stock Hadoop is to do it.
   */
  static Optional<NodeTiers> ofMarker(List<Path> dirs, Configuration conf) {
    for (Path dir : dirs) {
      if (!TaskJournal.applicationDir(dir).isPresent()) {
        return Optional.empty();
      }
    }
    if (dirs.isEmpty()) {
      return Optional.empty();
    }
    Logger log = LoggerFactory.getLogger(TaskTiers.class);
    if (!conf.getBoolean(TierKey.ENABLED.key(), true)) {
      log.info("TempTier is switched off for this job by {}=false", TierKey.ENABLED.key());
      return Optional.empty();
    }
    Optional<NodeTiers> marked = NodeMarker.readFirst(dirs);
    if (!marked.isPresent()) {
      log.info(
          "Stock Hadoop places this container's files: no NodeManager with TempTier left its"
              + " marker above {}. A container of Docker or runC sees it where default-ro-mounts"
              + " has .temptier of each local dir.",
          dirs);
    }
    return marked;
  }
}
