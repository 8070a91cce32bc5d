// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A node of two local dirs: NVMe over an HDD, so they say. */
public final class FastAndSlow {
  private FastAndSlow() {}

  /** Its tiers, with the same reserve each. */
  public static NodeTiers tiers(Path fast, Path slow, Reserve reserve, TierSettings settings) {
    return Layouts.tiers(
        reserve, settings, Layouts.dir(fast, Medium.NVME), Layouts.dir(slow, Medium.DISK));
  }

  /** Sets both dirs up as the NodeManager does: a folder of claims and a marker. */
  public static NodeTiers publish(Path fast, Path slow, Reserve reserve, TierSettings settings)
      throws IOException {
    NodeTiers tiers = tiers(fast, slow, reserve, settings);
    for (Path root : List.of(fast, slow)) {
      Layouts.root(root);
      NodeMarker.write(root, tiers);
    }
    return tiers;
  }

  /** Where a process that starts now places a file of a megabyte, by whatever the tiers are. */
  public static Placement place(NodeTiers tiers) {
    try (Placer placer = new Placer(tiers, new PlacementListener() {})) {
      return placer
          .place(placer.request("file", 1 << 20, null), dir -> dir.path().resolve("file"))
          .orElseThrow()
          .placement();
    }
  }
}
