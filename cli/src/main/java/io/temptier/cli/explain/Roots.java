// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The local dirs of this node. */
@AutoValue
abstract class Roots {
  /** Their tiers. */
  abstract TierLayout layout();

  /** Whether a NodeManager with TempTier published them; else the kernel was asked. */
  abstract boolean marked();

  static Roots of(TierLayout layout, boolean marked) {
    return new AutoValue_Roots(layout, marked);
  }

  /**
   * The roots given, and those which a marker under one of them names.
   *
   * @param given local dir roots
   * @param kernel asked for those without a marker
   */
  static Roots of(List<Path> given, KernelClassifier kernel) {
    Optional<NodeTiers> marker =
        given.stream()
            .flatMap(root -> NodeMarker.read(root).map(Stream::of).orElseGet(Stream::empty))
            .findFirst();
    List<LocalDir> dirs = new ArrayList<>();
    Set<Path> known = new LinkedHashSet<>();
    marker.ifPresent(tiers -> dirs.addAll(tiers.layout().dirs()));
    dirs.forEach(dir -> known.add(dir.path()));
    for (Path root : given) {
      if (known.add(root)) {
        KernelClassifier.Classification found = kernel.classify(root);
        dirs.add(LocalDir.of(root, found.medium(), LocalDir.NO_CAP, "kernel: " + found.why()));
      }
    }
    List<Medium> order =
        marker
            .map(
                tiers ->
                    tiers.layout().tiers().stream()
                        .map(tier -> tier.medium())
                        .collect(Immutable.toList()))
            .orElse(Immutable.listOf(Medium.values()));
    return Roots.of(TierLayout.of(dirs, order, medium -> Reserve.DEFAULT), marker.isPresent());
  }

  /** Their paths, fastest first. */
  List<Path> paths() {
    return layout().dirs().stream().map(LocalDir::path).collect(Immutable.toList());
  }
}
