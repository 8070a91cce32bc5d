// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.testing.DiskBed;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.settings.NodeTiers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Placers of local dirs on disks that a test makes up. */
abstract class PlacerBed extends DiskBed {
  final List<Placer> placers = new ArrayList<>();

  @AfterEach
  final void closePlacers() {
    placers.forEach(Placer::close);
  }

  final Placer placer(NodeTiers tiers) {
    return placer(tiers, disk, new PlacementListener() {});
  }

  final Placer placer(NodeTiers tiers, Capacity.Probe probe, PlacementListener listener) {
    Placer placer = new Placer(tiers, listener, probe, clock::millis, clock::nanos);
    placers.add(placer);
    return placer;
  }

  /** Places a file that is not written. */
  final Placer.Placed placed(Placer placer, String path, long bytes) {
    return placer
        .place(placer.request(path, bytes, null), dir -> disk.make(dir.path(), path))
        .orElseThrow();
  }
}
