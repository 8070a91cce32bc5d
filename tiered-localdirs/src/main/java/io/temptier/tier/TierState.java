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

/**
 * One tier as placement sees it at one moment.
 *
 * @param tier the tier
 * @param dirs its dirs; never empty
 * @param applicationHeadroomBytes bytes the request's application may still put on the tier, {@link
 *     Long#MAX_VALUE} when shares are off
 */
public record TierState(Tier tier, List<DirState> dirs, long applicationHeadroomBytes) {
  /** The dir with the most headroom. */
  DirState roomiest() {
    DirState best = dirs.get(0);
    for (DirState dir : dirs) {
      if (dir.headroomBytes() > best.headroomBytes()) {
        best = dir;
      }
    }
    return best;
  }
}
