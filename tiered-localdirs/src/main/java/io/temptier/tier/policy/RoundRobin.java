// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every dir in turn, skipping those without room, as stock Hadoop's allocator for known sizes. */
final class RoundRobin implements PlacementPolicy {
  @Override
  public Optional<Placement> choose(PlacementRequest request, List<TierState> tiers) {
    List<DirState> dirs = new ArrayList<>();
    tiers.forEach(tier -> dirs.addAll(tier.dirs()));
    int turn = dirs.isEmpty() ? 0 : (int) Long.remainderUnsigned(request.ticket(), dirs.size());
    DirState roomiest = null;
    for (int i = 0; i < dirs.size(); i++) {
      DirState dir = dirs.get((turn + i) % dirs.size());
      if (dir.holds(request.roomBytes())) {
        return Optional.of(Placement.of(dir.dir(), Reason.ROUND_ROBIN, Immutable.listOf()));
      }
      if (dir.holds(roomiest == null ? request.bytes() : roomiest.headroomBytes())) {
        roomiest = dir;
      }
    }
    return Optional.ofNullable(roomiest)
        .map(dir -> Placement.of(dir.dir(), Reason.ROUND_ROBIN, Immutable.listOf()));
  }
}
