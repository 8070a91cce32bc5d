// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.marker.NodeMarker;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
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
   * @param dirOfRoot the dirs a task may write to, by the root they belong to
   * @return empty when stock Hadoop is to place the files
   */
  Optional<NodeTiers> of(Map<Path, org.apache.hadoop.fs.Path> dirOfRoot, Configuration conf);

  /**
   * Those that the NodeManager wrote into its marker, for dirs of a container. Elsewhere, in a
   * client or in the local job runner, which looks for the index of an output in the output's own
   * dir only, stock Hadoop is to do it.
   */
  static Optional<NodeTiers> ofMarker(
      Map<Path, org.apache.hadoop.fs.Path> dirOfRoot, Configuration conf) {
    boolean container =
        dirOfRoot.values().stream()
            .allMatch(
                dir -> TaskJournal.applicationDir(Paths.get(dir.toUri().getPath())).isPresent());
    if (!container || dirOfRoot.isEmpty()) {
      return Optional.empty();
    }
    Logger log = LoggerFactory.getLogger(TaskTiers.class);
    if (!conf.getBoolean(TierKey.ENABLED.key(), true)) {
      log.info("TempTier is switched off for this job by {}=false", TierKey.ENABLED.key());
      return Optional.empty();
    }
    for (Path root : dirOfRoot.keySet()) {
      Optional<NodeTiers> marked = NodeMarker.read(root);
      if (marked.isPresent()) {
        return marked;
      }
    }
    log.info(
        "Stock Hadoop places this container's files: no NodeManager with TempTier left its marker"
            + " in {}. A container of Docker or runC sees it where default-ro-mounts has .temptier"
            + " of each local dir.",
        dirOfRoot.keySet());
    return Optional.empty();
  }
}
