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
 * The local dirs of one medium. Placement prefers an earlier tier of the {@link TierLayout} over a
 * later one.
 *
 * @param medium what every dir of the tier lies on
 * @param dirs at least one dir
 * @param reserve what is kept free on each dir's file system
 */
public record Tier(Medium medium, List<LocalDir> dirs, Reserve reserve) {
  public Tier {
    dirs = List.copyOf(dirs);
    if (dirs.isEmpty()) {
      throw new IllegalArgumentException("tier " + medium + " has no dirs");
    }
  }

  @Override
  public String toString() {
    return medium.toString();
  }
}
