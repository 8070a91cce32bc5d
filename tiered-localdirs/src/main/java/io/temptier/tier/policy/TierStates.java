// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import io.temptier.tier.lang.Immutable;
import java.util.List;

/** The tiers a policy chooses among, fastest first, index 0 to {@link #size} - 1. */
public interface TierStates {
  int size();

  /**
   * Returns the state of a tier, the same at each call. The first call may read the tier's dirs, so
   * a policy asks for slower tiers only when faster ones have refused the file.
   */
  TierState get(int index);

  static TierStates of(List<TierState> states) {
    List<TierState> copy = Immutable.copyOf(states);
    return new TierStates() {
      @Override
      public int size() {
        return copy.size();
      }

      @Override
      public TierState get(int index) {
        return copy.get(index);
      }
    };
  }
}
