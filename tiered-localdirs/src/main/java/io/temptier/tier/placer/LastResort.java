// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.claim.Claim;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.policy.TierStates;
import io.temptier.tier.room.DirGauge;
import io.temptier.tier.room.DirReading;
import io.temptier.tier.room.GaugeSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places a file for which no tier has room above its reserve: within what is not claimed, else
 * wherever stock Hadoop would, in a dir that is set aside too. For one file and thread.
 */
final class LastResort {
  /** The bounds that still hold, round by round. */
  private enum Kept {
    CLAIMS_AND_CAPS,
    CAPS,
    NOTHING,
    /** Offers nothing, in a dir that is set aside: stock Hadoop would try it. */
    NOTHING_ANYWHERE
  }

  /** Makes the file in a dir; empty when that does not take it, and its claim is released. */
  interface Maker {
    Optional<Placer.Placed> make(Placement placement, DirGauge gauge, @Nullable Claim claim);
  }

  private final GaugeSet gauges;
  private final PlacementRequest request;
  private final TierStates states;
  private final Set<DirGauge> refused = new HashSet<>();

  /** Searches for a request that {@code states} left no room. */
  LastResort(GaugeSet gauges, PlacementRequest request, TierStates states) {
    this.gauges = gauges;
    this.request = request;
    this.states = states;
  }

  Optional<Placer.Placed> place(Maker maker) {
    // What may be large goes where the most room is.
    boolean large = request.roomBytes() > request.bytes();
    for (Kept kept : Kept.values()) {
      for (List<DirGauge> untried : gauges.whenFull(!large)) {
        DirGauge gauge = roomiest(untried, kept);
        while (gauge != null) {
          Optional<Placer.Placed> placed = placeIn(gauge, kept, maker);
          if (placed.isPresent()) {
            return placed;
          }
          untried.remove(gauge);
          gauge = roomiest(untried, kept);
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Placer.Placed> placeIn(DirGauge gauge, Kept kept, Maker maker) {
    boolean small = request.bytes() < Placer.SMALLEST_CLAIM_BYTES;
    Claim claim = small ? null : gauge.claim(request.bytes());
    boolean keepClaims = kept == Kept.CLAIMS_AND_CAPS && !small;
    if (keepClaims && (claim == null || !gauge.holdsClaim(false))) {
      if (claim != null) {
        gauge.release(claim);
      }
      return Optional.empty();
    }
    Placement placement =
        Placement.of(gauge.dir(), Reason.OVER_RESERVE, gauges.refusalsBefore(gauge.dir(), states));
    Optional<Placer.Placed> placed = maker.make(placement, gauge, claim);
    if (!placed.isPresent()) {
      refused.add(gauge);
    }
    return placed;
  }

  private @Nullable DirGauge roomiest(List<DirGauge> dirs, Kept kept) {
    DirGauge best = null;
    long most = request.bytes();
    boolean keepClaims = kept == Kept.CLAIMS_AND_CAPS;
    for (DirGauge gauge : dirs) {
      boolean aside = kept != Kept.NOTHING_ANYWHERE && gauge.backoff().waiting();
      DirReading reading = aside || refused.contains(gauge) ? null : gauge.recent();
      if (reading != null && !(keepClaims && reading.capacity().inodesGone())) {
        long room = keepClaims ? reading.unclaimedBytes() : reading.capacity().usableBytes();
        boolean keepCaps = kept == Kept.CLAIMS_AND_CAPS || kept == Kept.CAPS;
        room = keepCaps ? Math.min(room, reading.capRoomBytes()) : room;
        if (room > most) {
          best = gauge;
          most = room;
        }
      }
    }
    return best;
  }
}
