// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;

/** Tells how much of a map output its reducers have fetched. */
@FunctionalInterface
public interface FetchedShare {
  /** The share of the output's partitions fetched to their last byte, 0 to 1; 0 when not known. */
  double fraction(MapOutputId id);
}
