// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.util.List;
import java.util.stream.Collectors;

/** A decision and its reason. Log, metrics, {@code explain} and tests all show this same record. */
@AutoValue
public abstract class Placement {
  public abstract LocalDir dir();

  /** Reason why it went there: the policy's, or why the fastest tier refused it. */
  public abstract Reason reason();

  /** Refusals of the faster tiers, fastest first. */
  public abstract List<Refusal> refusals();

  public static Placement of(LocalDir dir, Reason reason, List<Refusal> refusals) {
    refusals = Immutable.copyOf(refusals);
    return new AutoValue_Placement(dir, reason, refusals);
  }

  @AutoValue
  public abstract static class Refusal {
    public abstract Medium medium();

    public abstract Reason reason();

    /** The most any of its dirs could have taken. */
    public abstract long headroomBytes();

    public static Refusal of(Medium medium, Reason reason, long headroomBytes) {
      return new AutoValue_Placement_Refusal(medium, reason, headroomBytes);
    }

    private String toText() {
      return medium()
          + " refused: "
          + reason().text()
          + " ("
          + Sizes.format(headroomBytes())
          + " left)";
    }
  }

  public boolean spilledDown() {
    return !refusals().isEmpty();
  }

  /** True if a faster tier refused the file by numbers, which may be old when they are read. */
  public boolean refusedByNumbers() {
    for (Refusal refusal : refusals()) {
      if (refusal.reason() != Reason.SLOW && refusal.reason() != Reason.DRAINING) {
        return true;
      }
    }
    return false;
  }

  /** Formats it, such as {@code DISK: NVME refused: the dir's cap is reached (1 KiB left)}. */
  @Override
  public final String toString() {
    String why = refusals().stream().map(Refusal::toText).collect(Collectors.joining("; "));
    return dir().medium() + ": " + (why.isEmpty() ? reason().text() : why);
  }
}
