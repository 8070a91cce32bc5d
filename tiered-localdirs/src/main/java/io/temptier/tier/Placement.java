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
