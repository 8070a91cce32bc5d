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
package io.temptier.bench.simulate;

import io.temptier.tier.FileKind;
import io.temptier.tier.PlacementPolicy;

/**
 * A policy of the study: one of production's, from which a share of the fast disk is withheld for
 * files that are to have it in the first place. Others see that much less room.
 */
enum Candidate {
  /** Production's default. */
  FAST_FIRST(PlacementPolicy.Named.FAST_FIRST) {
    @Override
    double withheld(FileKind kind, double jobShare) {
      return 0;
    }
  },
  /** As stock Hadoop. */
  ROUND_ROBIN(PlacementPolicy.Named.ROUND_ROBIN) {
    @Override
    double withheld(FileKind kind, double jobShare) {
      return 0;
    }
  },
  /** Final map outputs have the share; spills and merges do without it. */
  OUTPUTS_FIRST(PlacementPolicy.Named.FAST_FIRST) {
    @Override
    double withheld(FileKind kind, double jobShare) {
      return kind == FileKind.MAP_OUTPUT ? 0 : 1;
    }
  },
  /** Spills and merges, the sorted runs, have the share; final map outputs do without it. */
  RUNS_FIRST(PlacementPolicy.Named.FAST_FIRST) {
    @Override
    double withheld(FileKind kind, double jobShare) {
      return kind == FileKind.MAP_OUTPUT ? 1 : 0;
    }
  },
  /** Jobs that fit the fast disks easily have the share, so that they lie there wholly. */
  SMALL_JOBS_FIRST(PlacementPolicy.Named.FAST_FIRST) {
    @Override
    double withheld(FileKind kind, double jobShare) {
      return jobShare > SMALL_JOB ? 1 : 0;
    }
  },
  /** The larger a job is, the less of the share it has. */
  BY_JOB_SIZE(PlacementPolicy.Named.FAST_FIRST) {
    @Override
    double withheld(FileKind kind, double jobShare) {
      return Math.min(1, jobShare);
    }
  };

  /** Of a fast disk. */
  private static final double SMALL_JOB = 0.125;

  private final PlacementPolicy.Named placement;

  Candidate(PlacementPolicy.Named placement) {
    this.placement = placement;
  }

  /** What places, once it is known what room a file may have. */
  PlacementPolicy.Named placement() {
    return placement;
  }

  /**
   * How much of the share is withheld from a file, 0 to 1.
   *
   * @param jobShare what its job's map outputs will take of the fast disk of a node, were they
   *     spread evenly; may be above 1
   */
  abstract double withheld(FileKind kind, double jobShare);
}
