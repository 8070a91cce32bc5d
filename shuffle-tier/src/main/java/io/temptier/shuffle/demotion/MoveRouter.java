// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.room.FillGauge;
import java.util.List;

/**
 * Chooses where the outputs of one dir go: to the next tier with room, its dirs by turns. Where a
 * move to one fails the others are tried. What a busy disk would take waits for it, and so does
 * what a disk would take that failed a moment ago: that an output sinks further is for want of room
 * alone, or for a disk that hangs. For one thread.
 */
final class MoveRouter {
  private final List<List<MoveLane>> tiers;
  private final FillGauge gauge;
  private final Moves moves;
  private final DemotionTally tally;
  private int turn;

  /**
   * A router.
   *
   * @param tiers the ways down, those to the next tier first
   * @param gauge of the dir
   */
  MoveRouter(List<List<MoveLane>> tiers, FillGauge gauge, Moves moves, DemotionTally tally) {
    this.tiers = tiers;
    this.gauge = gauge;
    this.moves = moves;
    this.tally = tally;
  }

  MoveResult move(Candidate candidate) {
    turn++;
    for (List<MoveLane> lanes : tiers) {
      boolean busy = false;
      boolean failed = false;
      for (int i = 0; i < lanes.size(); i++) {
        MoveLane lane = lanes.get(Math.floorMod(turn + i, lanes.size()));
        if (!lane.open()) {
          continue;
        }
        MoveGate gate = moves.gate(candidate, gauge);
        boolean waits = lane.resting() || gate.yieldsTo(lane.target());
        MoveResult result = waits ? MoveResult.BUSY : lane.move(candidate, gate);
        if (result == MoveResult.MOVED
            || result == MoveResult.GIVEN_UP
            || result == MoveResult.NOT_YET) {
          return result;
        }
        busy |= result == MoveResult.BUSY;
        failed |= result == MoveResult.FAILED;
      }
      if (failed) {
        // Not busy: others are to have their turn before this one is tried again.
        return MoveResult.FAILED;
      }
      if (busy) {
        return MoveResult.BUSY;
      }
    }
    tally.add(DemotionCounter.DEMOTION_NO_ROOM, 1);
    return MoveResult.NO_ROOM;
  }
}
