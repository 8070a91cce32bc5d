// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.hadoop.conf.TierConfig;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.util.DiskValidator;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's own allocator over a key of its own, behind which TempTier is put when it is made. Dirs
 * that no NodeManager marked are in the tiers that the configuration and the kernel say.
 */
public final class TieredLocalDirAllocator extends LocalDirAllocator {
  final TieredLocalDirs dirs;

  /** Over the dirs of any key. */
  public TieredLocalDirAllocator(String key) {
    this(key, null);
  }

  /** A NodeManager's. */
  public TieredLocalDirAllocator(String key, @Nullable NodeTiers tiers) {
    super(key);
    DiskValidator validator = TieredLocalDirs.basicValidator();
    dirs =
        new TieredLocalDirs(key, validator, tiers) {
          @Override
          Optional<NodeTiers> tiers(List<Path> listed, Configuration conf) {
            return tiers == null ? marked(listed, conf) : Optional.of(tiers);
          }
        };
    try {
      LocalDirSeam unused = LocalDirSeam.put(key, validator, dirs);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the seam", e);
    }
  }

  private static Optional<NodeTiers> marked(List<Path> dirs, Configuration conf) {
    return NodeMarker.readFirst(dirs).or(() -> configured(dirs, conf));
  }

  private static Optional<NodeTiers> configured(List<Path> dirs, Configuration conf) {
    Configuration node = new Configuration(conf);
    node.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    node.set(
        "yarn.nodemanager.local-dirs",
        dirs.stream()
            .map(dir -> NodeMarker.rootOf(dir).toString())
            .collect(Collectors.joining(",")));
    return TierConfig.resolve(node, new KernelClassifier()).tiers();
  }
}
