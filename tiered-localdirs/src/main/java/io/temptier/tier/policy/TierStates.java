// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Tiers a policy chooses among, fastest first, index 0 to {@link #size} - 1. For one thread. */
public final class TierStates {
  private final IntFunction<TierState> reader;
  private final @Nullable TierState[] read;

  /** Tiers of which each is read when it is first asked for. */
  public TierStates(int size, IntFunction<TierState> reader) {
    this.reader = reader;
    this.read = new TierState[size];
  }

  public static TierStates of(List<TierState> states) {
    return new TierStates(states.size(), states::get);
  }

  public int size() {
    return read.length;
  }

  /**
   * Returns the state of a tier, the same at each call. The first call may read the tier's dirs, so
   * a policy asks for slower tiers only when faster ones have refused the file.
   */
  public TierState get(int index) {
    TierState state = read[index];
    if (state == null) {
      state = reader.apply(index);
      read[index] = state;
    }
    return state;
  }
}
