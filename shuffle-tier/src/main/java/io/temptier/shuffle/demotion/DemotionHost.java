// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import java.util.Map;
import java.util.Optional;

/**
 * The NodeManager and its shuffle handler, as demotion knows them. Safe for use by many threads.
 * Nothing of it may block for long: some is asked before each part that is copied.
 */
public interface DemotionHost {
  /**
   * The applications of which nothing is deleted before this says that they run no more.
   *
   * @return users by application id; empty when nobody can tell, and then nothing is demoted
   */
  Optional<Map<String, String>> running();

  /** True if processes can be run as users, who move outputs that are not this process's. */
  boolean runsAsUsers();

  /** True if shuffle reads run or wait on the device of a dir now. */
  boolean busy(LocalDir dir);

  /**
   * The share of an output's partitions that were fetched to their last byte, 0 to 1; 0 when not
   * known.
   */
  double fetched(MapOutputId id);

  /** Nanoseconds since the last fetch from an output; {@link Long#MAX_VALUE} when none is known. */
  long idleNanos(MapOutputId id);

  /**
   * An output lies on a slower device behind the path it was found at; or of two equal copies,
   * which a crash had left, one was removed.
   */
  void moved(MapOutputId id);

  /** An output went to a slower tier; the placement says where to, and why it had to leave. */
  void demoted(PlacementRequest output, Placement below);
}
