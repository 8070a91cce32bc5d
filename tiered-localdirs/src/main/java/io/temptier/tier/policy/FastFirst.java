// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fastest tier with room; within it, of the dirs with at least half of the most headroom, the
 * one with the least to do, drawn among equals. A file takes as long as its disk, so what counts
 * among slow disks is that readers and writers do not meet on one while another idles; which is
 * emptier matters only before one is full. The dir where the file has its home needs no link, and
 * may have as much more to do as the file has bytes. Pure: no I/O, no clock, no state, no
 * randomness but the request's ticket; so {@code temptier plan} can run it by the million.
 *
 * <p>A file larger than what a tier has left goes down whole: half a file on a slow disk is as slow
 * as the whole of it, and would take room from files that fit.
 */
public final class FastFirst {
  /** Dirs with at least this share of the roomiest dir's headroom count as its equals. */
  private static final double EQUAL = 0.5;

  private FastFirst() {}

  /** Returns the decision; empty when no tier holds the file within reserve, caps and limits. */
  public static Optional<Placement> choose(PlacementRequest request, TierStates tiers) {
    List<Placement.Refusal> refusals = new ArrayList<>();
    // Where no tier is sure to hold a file that may become large.
    Optional<Placement> likeliest = Optional.empty();
    long most = request.bytes();
    for (int i = 0; i < tiers.size(); i++) {
      TierState tier = limited(request, tiers, i);
      DirState roomiest = tier.roomiest();
      if (roomiest.holds(request.roomBytes())) {
        return placement(drawLeastBusy(tier, roomiest, request), refusals);
      }
      if (roomiest.holds(most)) {
        likeliest = placement(roomiest, refusals);
        most = roomiest.headroomBytes();
      }
      Reason why = refusal(request, tiers.get(i).roomiest(), roomiest);
      long left = Math.max(0, roomiest.headroomBytes());
      refusals.add(Placement.Refusal.of(tier.tier().medium(), why, left));
    }
    return likeliest;
  }

  private static Optional<Placement> placement(DirState to, List<Placement.Refusal> refusals) {
    Reason reason = refusals.isEmpty() ? Reason.FASTEST : refusals.get(0).reason();
    return Optional.of(Placement.of(to.dir(), reason, refusals));
  }

  /** Keeps room of a tier for others only where a slower tier can take the file. */
  private static TierState limited(PlacementRequest request, TierStates tiers, int tier) {
    return tier < tiers.size() - 1
        ? tiers.get(tier).within(request.fillLimit(), request.diskLimit())
        : tiers.get(tier);
  }

  private static Reason refusal(PlacementRequest request, DirState forOthers, DirState forThis) {
    if (forOthers.holds(request.roomBytes())) {
      return Reason.LIMIT;
    }
    return forThis.holds(request.bytes()) ? Reason.LARGE : forThis.refusal();
  }

  private static DirState drawLeastBusy(
      TierState tier, DirState roomiest, PlacementRequest request) {
    long enough = Math.max(request.roomBytes() + 1, (long) (roomiest.headroomBytes() * EQUAL));
    long least = Long.MAX_VALUE;
    int equals = 0;
    DirState home = null;
    for (DirState dir : tier.dirs()) {
      if (dir.headroomBytes() >= enough && dir.busyBytes() <= least) {
        equals = dir.busyBytes() < least ? 1 : equals + 1;
        least = dir.busyBytes();
      }
      if (dir.headroomBytes() >= enough && dir.dir().equals(request.home())) {
        home = dir;
      }
    }
    if (home != null && home.busyBytes() - least <= request.bytes()) {
      return home;
    }
    long turn = Long.remainderUnsigned(mix(request.ticket()), Math.max(1, equals));
    for (DirState dir : tier.dirs()) {
      if (dir.headroomBytes() >= enough && dir.busyBytes() == least && turn-- == 0) {
        return dir;
      }
    }
    return roomiest;
  }

  /**
   * Scatters tickets (the finalizer of SplitMix64). Tickets count up, and so do files: without it,
   * writers that place a large file and a small one in turn would fill one dir of two.
   */
  private static long mix(long ticket) {
    long z = ticket * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
