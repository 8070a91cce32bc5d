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
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Hadoop's allocator with TempTier behind it, over dirs that no NodeManager has marked. */
public final class AllocatorOverTiers extends LocalDirAllocator {
  /** Over the dirs of a key. */
  public AllocatorOverTiers(String key) {
    this(key, TieredLocalDirs.basicValidator());
  }

  /** The same with a check of its own. */
  public AllocatorOverTiers(String key, DiskValidator validator) {
    super(key, validator);
    try {
      LocalDirSeam unused =
          LocalDirSeam.put(
              key,
              validator,
              new TieredLocalDirs(key, validator, null) {
                @Override
                Optional<NodeTiers> tiers(List<Path> dirs, Configuration conf) {
                  return configured(dirs, conf);
                }
              });
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Hadoop does not let TempTier in", e);
    }
  }

  private static Optional<NodeTiers> configured(List<Path> dirs, Configuration conf) {
    List<Path> roots = dirs.stream().map(NodeMarker::rootOf).toList();
    Configuration node = new Configuration(conf);
    node.set(
        YarnConfiguration.NM_LOCAL_DIRS,
        roots.stream().map(Path::toString).collect(Collectors.joining(",")));
    return TierConfig.resolve(node, new KernelClassifier()).tiers();
  }
}
