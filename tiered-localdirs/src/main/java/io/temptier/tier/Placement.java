// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A decision and its reason. Log, metrics, {@code explain} and tests all show this same record.
 *
 * @param dir where the file goes
 * @param reason why it went there: {@link Reason#FASTEST}, {@link Reason#ROUND_ROBIN}, {@link
 *     Reason#OVER_RESERVE}, or why the fastest tier refused it
 * @param refusals what each faster tier said, fastest first
 */
public record Placement(LocalDir dir, Reason reason, List<Refusal> refusals) {
  public Placement {
    refusals = List.copyOf(refusals);
  }

  /**
   * One tier that did not take the file.
   *
   * @param medium the tier
   * @param reason its reason
   * @param headroomBytes the most any of its dirs could have taken
   */
  public record Refusal(Medium medium, Reason reason, long headroomBytes) {}

  /** Whether a faster tier exists that refused the file. */
  public boolean spilledDown() {
    return !refusals.isEmpty();
  }

  /**
   * The decision in one sentence, for example {@code DISK: NVME refused (CAP, 1024 bytes left)}.
   */
  @Override
  public String toString() {
    String why =
        refusals.stream()
            .map(
                r ->
                    r.medium()
                        + " refused: "
                        + r.reason().text()
                        + " ("
                        + r.headroomBytes()
                        + " bytes left)")
            .collect(Collectors.joining("; "));
    return dir.medium() + ": " + (why.isEmpty() ? reason.text() : why);
  }
}
