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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every dir in turn, skipping those without room, as stock Hadoop's allocator for known sizes. */
final class RoundRobin implements PlacementPolicy {
  @Override
  public Optional<Placement> choose(PlacementRequest request, List<TierState> tiers) {
    List<DirState> dirs = new ArrayList<>();
    tiers.forEach(tier -> dirs.addAll(tier.dirs()));
    int turn = dirs.isEmpty() ? 0 : (int) Long.remainderUnsigned(request.ticket(), dirs.size());
    DirState roomiest = null;
    for (int i = 0; i < dirs.size(); i++) {
      DirState dir = dirs.get((turn + i) % dirs.size());
      if (dir.holds(request.roomBytes())) {
        return Optional.of(new Placement(dir.dir(), Reason.ROUND_ROBIN, List.of()));
      }
      if (dir.holds(roomiest == null ? request.bytes() : roomiest.headroomBytes())) {
        roomiest = dir;
      }
    }
    return Optional.ofNullable(roomiest)
        .map(dir -> new Placement(dir.dir(), Reason.ROUND_ROBIN, List.of()));
  }
}
