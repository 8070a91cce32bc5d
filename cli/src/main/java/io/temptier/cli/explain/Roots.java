// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The local dirs of this node. */
final class Roots {
  /** Their tiers. */
  final TierLayout layout;

  /** Whether a NodeManager with TempTier published them; else the kernel was asked. */
  final boolean marked;

  /** The roots given, and those which a marker under one of them names. */
  Roots(List<Path> given) {
    Optional<NodeTiers> marker =
        given.stream()
            .map(NodeMarker::read)
            .filter(Optional::isPresent)
            .findFirst()
            .orElseGet(Optional::empty);
    marked = marker.isPresent();
    List<LocalDir> dirs = new ArrayList<>();
    List<Medium> order = new ArrayList<>();
    for (Tier tier : marker.map(tiers -> tiers.layout().tiers()).orElse(Immutable.listOf())) {
      dirs.addAll(tier.dirs());
      order.add(tier.medium());
    }
    KernelClassifier kernel = new KernelClassifier();
    for (Path root : given) {
      if (dirs.stream().noneMatch(dir -> dir.path().equals(root))) {
        KernelClassifier.Classification found = kernel.classify(root);
        dirs.add(LocalDir.of(root, found.medium(), LocalDir.NO_CAP, "kernel: " + found.why()));
      }
    }
    layout = TierLayout.of(dirs, order, medium -> Reserve.DEFAULT);
  }

  /** Their paths, fastest first. */
  List<Path> paths() {
    return layout.dirs().stream().map(LocalDir::path).collect(Immutable.toList());
  }
}
