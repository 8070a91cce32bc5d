/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.hadoop;

import io.temptier.tier.Finding;
import io.temptier.tier.KernelClassifier;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Turns a Hadoop configuration, and what the kernel knows, into the tiers of a node. */
public final class TierConfig {
  private TierConfig() {}

  /**
   * What became of a configuration.
   *
   * @param tiers what to place by; empty if and only if some finding is an ERROR, or {@code
   *     temptier.enabled} is false (then the only finding, an INFO, says so): behave as stock then
   * @param findings everything a check had to say, worst first
   */
  public record Resolution(Optional<NodeTiers> tiers, List<Finding> findings) {
    public Resolution {
      findings = List.copyOf(findings);
    }
  }

  /** Resolves the configuration of a NodeManager. Never throws on bad input. */
  public static Resolution resolve(Configuration conf, KernelClassifier kernel) {
    List<Path> roots = new ArrayList<>();
    for (String dir : conf.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS)) {
      roots.add(Path.of(dir));
    }
    return resolveDirs(conf, roots, kernel);
  }

  /**
   * Resolves the given local dir roots for a task on a node without markers: media by the kernel,
   * no caps, settings by the task's configuration. Never throws on bad input.
   *
   * @param roots absolute local dir roots
   */
  public static Resolution resolveDirs(
      Configuration conf, Collection<Path> roots, KernelClassifier kernel) {
    List<LocalDir> dirs = new ArrayList<>();
    for (Path root : roots) {
      KernelClassifier.Classification found = kernel.classify(root);
      dirs.add(new LocalDir(root, found.medium(), LocalDir.NO_CAP, found.why()));
    }
    TierLayout layout = TierLayout.of(dirs, List.of(Medium.values()), medium -> Reserve.DEFAULT);
    return new Resolution(Optional.of(new NodeTiers(layout, TierSettings.DEFAULT)), List.of());
  }
}
